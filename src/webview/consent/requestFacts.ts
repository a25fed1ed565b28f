import type { ConsentTool, ConsentView } from '../../shared/consentMessages.ts';
import { counted, element, formatNumber, icon } from '../dom.ts';
import { exactText } from '../exactText.ts';

/** The other parameters of the request, read-only: preferences, temperature, stop sequences and so on. Empty if there are none. */
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
  if (view.metadata !== undefined)
    add("For the model's provider", 'It goes along as it is (metadata):', exactText(view.metadata, 'exact code'));
  return facts.length === 0 ? [] : [element('dl', { class: 'facts' }, ...facts)];
}

/** The tools that the model may call, each with its schema in a collapsed section. Empty if there are none. */
export function toolList(tools: ConsentView['tools']): HTMLElement[] {
  if (tools.length === 0) return [];
  const items = tools.map((tool) =>
    element(
      'details',
      { class: 'tool' },
      element('summary', {}, icon('tools'), exactText(tool.name, 'exact inline strong'), ...titlesOf(tool)),
      ...(tool.description === '' ? [] : [exactText(tool.description)]),
      ...(tool.claims === undefined ? [] : [element('p', { class: 'hint', text: tool.claims })]),
      ...schemaPart('Arguments (JSON Schema)', tool.schema),
      ...(tool.outputSchema === undefined ? [] : schemaPart('Result (JSON Schema)', tool.outputSchema)),
    ),
  );
  const heading = `${counted(tools.length, 'tool')} offered to the model`;
  return [element('section', { class: 'part' }, element('h2', { text: heading }), ...items)];
}

/** The titles of the tool, which the model does not get. */
function titlesOf({ titles }: ConsentTool): HTMLElement[] {
  return titles.length === 0 ? [] : [exactText(`called “${titles.join('”, “')}”`, 'exact inline muted')];
}

function schemaPart(label: string, schema: string): HTMLElement[] {
  return [element('div', { class: 'muted', text: label }), exactText(schema, 'exact code')];
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
