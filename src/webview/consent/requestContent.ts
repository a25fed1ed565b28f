import type { ConsentEdits, ConsentModels, ConsentTool, ConsentView } from '../../shared/consentMessages.ts';
import { element, exactText, countOf, formatNumber, icon } from '../dom.ts';
import { createNumberField } from './consentFields.ts';
import { createMarkList } from './markList.ts';
import { createMasking } from './masking.ts';
import { createMessageList } from './messageList.ts';
import { createModelChoice } from './modelChoice.ts';

const advice = 'Nothing goes to a model unless you approve it. You can edit every text first.';

/** What the content tells the step around it. */
export interface ContentActions {
  readonly onAddModel: () => void;
  /** The person changed something. */
  readonly onChange: () => void;
}

/** Why a request cannot be approved. */
interface ApprovalProblem {
  readonly text: string;
  /** Moves the focus to the field to correct. */
  readonly focus: () => void;
}

/** Creates the content with nothing edited and nothing masked. */
export function createRequestContent(view: ConsentView, actions: ContentActions) {
  const fields = createFields(view, actions);
  const { masking, marks, systemPrompt, messages, model, maxTokens } = fields;
  const hint = element('p', { class: 'hint', text: advice });
  const content = element('div', { class: 'request' }, ...arrange(view, fields, hint));
  content.addEventListener('input', actions.onChange);
  content.addEventListener('change', actions.onChange);
  const edits = (): ConsentEdits => ({
    messages: messages.texts(),
    systemPrompt: systemPrompt.value,
    maxTokens: maxTokens.value ?? view.maxTokens,
  });

  function showModels({ models }: ConsentModels): void {
    hint.hidden = models.length === 0;
    maxTokens.element.hidden = models.length === 0;
  }

  showModels(view);
  return {
    element: content,
    model,
    /** The current texts and limits. */
    edits,
    /** Indexes of the marks that are masked. */
    get masked() {
      return [...masking.masked];
    },
    /** Number of the marks that are not masked, or cannot be masked in all places. */
    get unmasked() {
      return marks.unmasked;
    },
    /** The request as it would be approved now. */
    current() {
      const edited = edits();
      const characters = view.characters + countText(edited) - countText(textsOf(view));
      const hasSystemPrompt = edited.systemPrompt !== '';
      return { modelName: model.modelName, hasSystemPrompt, characters, maxTokens: edited.maxTokens };
    },
    /** Why the request cannot be approved in its current form; `undefined` if it can. */
    findProblem: () => findProblem(fields),
    showModels(models: ConsentModels) {
      model.showModels(models);
      showModels(models);
    },
    focusMarks: () => marks.focus(),
  };
}

export type RequestContent = ReturnType<typeof createRequestContent>;

function createFields(view: ConsentView, { onAddModel, onChange }: ContentActions) {
  const masking = createMasking(view.marks);
  return {
    masking,
    marks: createMarkList(view.marks, masking, onChange),
    systemPrompt: masking.createEditor({ label: 'System prompt', text: view.systemPrompt, placeholder: 'None' }),
    messages: createMessageList(view, masking),
    model: createModelChoice(view, onAddModel),
    maxTokens: createNumberField({
      label: 'Token limit',
      value: view.maxTokens,
      minimum: 1,
      maximum: view.maxTokens,
      hint: 'You can lower it.',
    }),
  };
}

type RequestFields = ReturnType<typeof createFields>;

function arrange(view: ConsentView, fields: RequestFields, hint: HTMLElement): HTMLElement[] {
  const { marks, systemPrompt, messages, model, maxTokens } = fields;
  const tools = describeTools(view.tools);
  if (view.unreviewable !== undefined) return [unreviewableBanner(view.unreviewable), ...tools];
  return [
    hint,
    ...(marks.element === undefined ? [] : [marks.element]),
    element('section', { class: 'part' }, systemPrompt.element),
    messages.element,
    ...tools,
    element(
      'section',
      { class: 'part' },
      element('h2', { text: 'Model and limits' }),
      element('div', { class: 'field-row' }, model.element, maxTokens.element),
      ...describeParameters(view),
    ),
  ];
}

function findProblem({ messages, model, maxTokens }: RequestFields): ApprovalProblem | undefined {
  if (!messages.hasContent) return { text: 'Nothing is left to send: every message is empty.', focus: () => {} };
  if (model.model === '') return { text: 'Choose a model first.', focus: () => model.focus() };
  if (maxTokens.value === undefined) return { text: 'Correct the token limit first.', focus: () => maxTokens.focus() };
  return undefined;
}

function textsOf({ messages, systemPrompt }: ConsentView): Pick<ConsentEdits, 'messages' | 'systemPrompt'> {
  const texts = messages.map(({ content }) => content.map((block) => (block.kind === 'text' ? block.text : undefined)));
  return { messages: texts, systemPrompt };
}

function countText({ messages, systemPrompt }: Pick<ConsentEdits, 'messages' | 'systemPrompt'>): number {
  return messages.flat().reduce((total, text) => total + (text?.length ?? 0), systemPrompt.length);
}

function unreviewableBanner(reason: string): HTMLElement {
  const text = `This request cannot be approved. ${reason} You can decline it or write the answer yourself.`;
  return element('p', { class: 'banner error' }, icon('error'), element('span', { text }));
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
  if (view.budget?.isExceeded === false) add('Budget', view.budget.text);
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
    add("For the model's provider", describeMetadata(view), exactText(view.metadata, 'exact code'));
  return facts.length === 0 ? [] : [element('dl', { class: 'facts' }, ...facts)];
}

function describeMetadata({ marks }: ConsentView): string {
  return marks.length === 0 ? 'Sent unchanged (metadata):' : 'Sent with what you mask replaced (metadata):';
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
