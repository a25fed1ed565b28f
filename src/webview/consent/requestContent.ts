import type { ConsentEdits, ConsentTool, ConsentView } from '../../shared/consentMessages.ts';
import type { ContentView, MessageView } from '../../shared/content.ts';
import { contentElement, exactRenderer, messageHeader } from '../contentElement.ts';
import { element, exactText, countOf, formatNumber, icon } from '../dom.ts';
import { createTextEditor, type TextEditor } from '../textEditor.ts';
import { createModelChoice, createNumberField, type ModelChoice } from './consentFields.ts';

const advice = 'Nothing goes to a model unless you approve it. You can edit every text first.';

/** Everything that the server asks for, to read and to edit. */
export interface RequestContent {
  readonly element: HTMLElement;
  readonly model: ModelChoice;
  /** The current texts and limits. */
  edits(): ConsentEdits;
  /** Why the request cannot be approved in its current form; `undefined` if it can. */
  findProblem(): ApprovalProblem | undefined;
}

/** Why a request cannot be approved. */
interface ApprovalProblem {
  readonly text: string;
  /** Moves the focus to the field to correct. */
  readonly focus: () => void;
}

/** @param canApprove if false, there is no token limit to edit */
export function createRequestContent(view: ConsentView, canApprove: boolean): RequestContent {
  const model = createModelChoice(view);
  const maxTokens = createNumberField({
    label: 'Token limit',
    value: view.maxTokens,
    minimum: 1,
    maximum: view.maxTokens,
    hint: 'You can lower it.',
  });
  const systemPrompt = createTextEditor({ label: 'System prompt', text: view.systemPrompt, placeholder: 'None' });
  const messages = createMessageList(view.messages);
  return {
    element: element(
      'div',
      { class: 'request' },
      ...(canApprove ? [element('p', { class: 'hint', text: advice })] : []),
      ...(view.unreviewable === undefined
        ? [
            element('section', { class: 'part' }, systemPrompt.element),
            element('section', { class: 'part' }, element('h2', { text: 'Messages' }), messages.element),
          ]
        : [unreviewableBanner(view.unreviewable)]),
      ...describeTools(view.tools),
      element(
        'section',
        { class: 'part' },
        element('h2', { text: 'Model and limits' }),
        element('div', { class: 'field-row' }, model.element, ...(canApprove ? [maxTokens.element] : [])),
        ...describeParameters(view),
      ),
    ),
    model,
    edits: (): ConsentEdits => ({
      messages: messages.texts(),
      systemPrompt: systemPrompt.value,
      maxTokens: maxTokens.value ?? view.maxTokens,
    }),
    findProblem(): ApprovalProblem | undefined {
      if (!messages.hasContent) return { text: 'Nothing is left to send: every message is empty.', focus: () => {} };
      if (model.model === '') return { text: 'Choose a model first.', focus: () => model.focus() };
      if (maxTokens.value === undefined)
        return { text: 'Correct the token limit first.', focus: () => maxTokens.focus() };
      return undefined;
    },
  };
}

function unreviewableBanner(reason: string): HTMLElement {
  const text = `This request cannot be approved. ${reason} You can decline it or write the answer yourself.`;
  return element('p', { class: 'banner error' }, icon('error'), element('span', { text }));
}

/** All messages of a request; each text block has its own field. */
interface MessageList {
  readonly element: HTMLElement;
  /** One entry for each block of each message, `undefined` for blocks that are not text. */
  texts(): (string | undefined)[][];
  /** False if every text is empty and there are no other blocks. */
  readonly hasContent: boolean;
}

function createMessageList(messages: readonly MessageView[]): MessageList {
  const editors: (TextEditor | undefined)[][] = [];
  const cards = messages.map((message, index) => {
    const row: (TextEditor | undefined)[] = [];
    editors.push(row);
    const name = `Message ${index + 1} of ${messages.length}, ${message.role}`;
    const blocks = message.content.map((block) => blockElement(block, name, row));
    return element(
      'li',
      { class: `message ${message.role}`, 'aria-label': name },
      messageHeader(message.role),
      ...blocks,
    );
  });
  return {
    element: element('ol', { class: 'messages' }, ...cards),
    texts: () => editors.map((row) => row.map((editor) => editor?.value)),
    get hasContent() {
      return editors.some((row) => row.some((editor) => editor === undefined || editor.value !== ''));
    },
  };
}

function blockElement(block: ContentView, name: string, row: (TextEditor | undefined)[]): HTMLElement {
  if (block.kind !== 'text') {
    row.push(undefined);
    return contentElement(block, exactRenderer);
  }
  const editor = createTextEditor({
    label: name,
    hideLabel: true,
    text: block.text,
    placeholder: 'Empty: left out of the request',
  });
  row.push(editor);
  return editor.element;
}

/**
 * The other parameters of the request, read-only: preferences, temperature, stop sequences and so on. Empty if there
 * are none.
 */
function describeParameters(view: ConsentView): HTMLElement[] {
  const facts: HTMLElement[] = [];
  const add = (name: string, ...value: readonly (Node | string)[]): void => {
    facts.push(element('div', { class: 'fact' }, element('dt', { text: name }), element('dd', {}, ...value)));
  };
  if (view.preferences.length > 0) add('Preferences', exactText(view.preferences.join('; '), 'exact inline'));
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
    add("For the model's provider", 'Sent unchanged (metadata):', exactText(view.metadata, 'exact code'));
  return facts.length === 0 ? [] : [element('dl', { class: 'facts' }, ...facts)];
}

/** The tools that the model may call, each with its schema in a collapsed section. Empty if there are none. */
function describeTools(tools: ConsentView['tools']): HTMLElement[] {
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
  const heading = `${countOf(tools.length, 'tool')} offered to the model`;
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
