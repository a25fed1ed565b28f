import type { ConsentView } from '../../shared/consentMessages.ts';
import { counted, element, formatNumber, icon } from '../dom.ts';
import { exactText } from '../exactText.ts';

/** What the server asks for besides the messages, for reading only. Empty where it asks for nothing. */
export function requestFacts(view: ConsentView): HTMLElement[] {
  const facts: HTMLElement[] = [];
  const add = (name: string, ...value: readonly (Node | string)[]): void => {
    facts.push(element('div', { class: 'fact' }, element('dt', { text: name }), element('dd', {}, ...value)));
  };
  if (view.preferences.length > 0) add('Wishes', exactText(view.preferences.join('; '), 'exact inline'));
  if (view.temperature !== undefined) add('Temperature', formatNumber(view.temperature));
  if (view.stopSequences.length > 0) {
    const sequences = view.stopSequences.map((sequence) => exactText(JSON.stringify(sequence), 'exact inline code'));
    add('Stops at', ...sequences);
  }
  if (view.includeContext !== undefined) {
    add(
      'Context',
      `${describeContext(view.includeContext)}. Patchbay adds none: the model gets only what is shown here.`,
    );
  }
  if (view.toolChoice !== undefined) add('Tool use', describeToolChoice(view.toolChoice));
  return facts.length === 0 ? [] : [element('dl', { class: 'facts' }, ...facts)];
}

/** The tools the model may answer with, each with its schema folded away. */
export function toolList(tools: ConsentView['tools']): HTMLElement[] {
  if (tools.length === 0) return [];
  const items = tools.map((tool) =>
    element(
      'details',
      { class: 'tool' },
      element('summary', {}, icon('tools'), exactText(tool.name, 'exact inline strong')),
      ...(tool.description === '' ? [] : [exactText(tool.description)]),
      element('div', { class: 'muted', text: 'Arguments (JSON Schema)' }),
      exactText(tool.schema, 'exact code'),
    ),
  );
  const heading = `${counted(tools.length, 'tool')} offered to the model`;
  return [element('section', { class: 'part' }, element('h2', { text: heading }), ...items)];
}

function describeContext(scope: string): string {
  return scope === 'allServers'
    ? 'The server asks for context of all servers'
    : 'The server asks for context of its own';
}

function describeToolChoice(mode: string): string {
  if (mode === 'required') return 'The model must call a tool';
  return mode === 'none' ? 'The model must not call tools' : 'The model decides';
}
