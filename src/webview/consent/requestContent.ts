import type { ConsentEdits, ConsentModels, ConsentView } from '../../shared/consentMessages.ts';
import { contentElement, exactRenderer, messageCard } from '../contentElement.ts';
import { banner, type Child, countOf, element, exactText, formatNumber, icon, inlineText } from '../dom.ts';
import type { TextEditor } from '../textEditor.ts';
import { createMarkList } from './markList.ts';
import { Masking } from './masking.ts';
import { createModelChoice } from './modelChoice.ts';
import { createNumberField } from './numberField.ts';

const advice = 'Nothing goes to a model unless you approve it. You can edit every text first.';

/** The request, with nothing edited and nothing masked at first. */
export class RequestContent {
  readonly element: HTMLElement;
  readonly masking: Masking;
  readonly marks: ReturnType<typeof createMarkList>;
  readonly model: ReturnType<typeof createModelChoice>;
  readonly #view: ConsentView;
  readonly #systemPrompt: TextEditor;
  readonly #messages: ReturnType<typeof createMessageList>;
  readonly #maxTokens: ReturnType<typeof createNumberField>;
  readonly #hint = element('p', { class: 'hint', text: advice });

  /** @param onChange the person changed something */
  constructor(view: ConsentView, onAddModel: () => void, onChange: () => void) {
    const { maxTokens } = view;
    this.#view = view;
    this.masking = new Masking(view.marks);
    this.marks = createMarkList(view.marks, this.masking, onChange);
    this.model = createModelChoice(onAddModel);
    const { systemPrompt: text } = view;
    this.#systemPrompt = this.masking.createEditor({ label: 'System prompt', text, placeholder: 'None' });
    this.#messages = createMessageList(view, this.masking);
    const bounds = { minimum: 1, maximum: maxTokens };
    this.#maxTokens = createNumberField('Token limit', maxTokens, bounds, 'You can lower it.');
    this.showModels(view);
    this.element = element('div', { class: 'request', oninput: onChange, onchange: onChange }, this.#parts());
  }

  showModels(models: ConsentModels): void {
    this.model.showModels(models);
    this.#hint.hidden = models.models.length === 0;
    this.#maxTokens.element.hidden = models.models.length === 0;
  }

  /** The current texts and limits. */
  get edits(): ConsentEdits {
    return {
      messages: this.#messages.texts(),
      systemPrompt: this.#systemPrompt.value,
      maxTokens: this.#maxTokens.value ?? this.#view.maxTokens,
    };
  }

  /** Characters of everything that the provider receives. */
  get characters(): number {
    return this.#view.characters + countText(this.edits) - countText(textsOf(this.#view));
  }

  /** Why the request cannot be approved in its current form, with the focus on what to correct; empty if it can. */
  findProblem(): string {
    if (!this.#messages.hasContent) return 'Nothing is left to send: every message is empty.';
    if (this.model.model === '') {
      this.model.focus();
      return 'Choose a model first.';
    }
    if (this.#maxTokens.value !== undefined) return '';
    this.#maxTokens.focus();
    return 'Correct the token limit first.';
  }

  #parts(): Child {
    const { unreviewable } = this.#view;
    const tools = toolElements(this.#view);
    if (unreviewable !== undefined) {
      const text = `This request cannot be approved. ${unreviewable} You can decline it or write the answer yourself.`;
      return [banner('error', text), tools];
    }
    return [
      this.#hint,
      this.marks.element,
      element('section', { class: 'part' }, this.#systemPrompt.element),
      this.#messages.element,
      tools,
      element(
        'section',
        { class: 'part' },
        element('h2', { text: 'Model and limits' }),
        element('div', { class: 'field-row' }, this.model.element, this.#maxTokens.element),
        parameterElements(this.#view),
      ),
    ];
  }
}

type Texts = Pick<ConsentEdits, 'messages' | 'systemPrompt'>;

function textsOf({ messages, systemPrompt }: ConsentView): Texts {
  const texts = messages.map(({ content }) => content.map((block) => (block.kind === 'text' ? block.text : undefined)));
  return { messages: texts, systemPrompt };
}

function countText({ messages, systemPrompt }: Texts): number {
  return messages.flat().reduce((total, text) => total + (text?.length ?? 0), systemPrompt.length);
}

/** The messages of earlier rounds are folded together, those of this round are marked as new. */
function createMessageList({ messages, round }: ConsentView, masking: Masking) {
  const name = (index: number): string =>
    `Message ${index + 1} of ${messages.length}, ${messages[index]?.role}${isNew(index) ? ', new' : ''}`;
  const isNew = (index: number): boolean => round !== undefined && index >= round.newFrom;
  const placeholder = 'Empty: left out of the request';
  // An editor for each block of each message, none for blocks that are not text.
  const editors = messages.map(({ content }, index) =>
    content.map((block) =>
      block.kind === 'text'
        ? masking.createEditor({ label: name(index), hideLabel: true, text: block.text, placeholder })
        : undefined,
    ),
  );
  const cards = messages.map(({ role, content }, index) => {
    const blocks = content.map((block, at) => editors[index]?.[at]?.element ?? contentElement(block, exactRenderer));
    return messageCard(role, blocks, name(index), isNew(index));
  });
  return {
    element: element('section', { class: 'part' }, element('h2', { text: 'Messages' }), listElements(cards, round)),
    /** One entry for each block of each message, `undefined` for blocks that are not text. */
    texts: () => editors.map((row) => row.map((editor) => editor?.value)),
    /** False if every text is empty and there are no other blocks. */
    get hasContent() {
      return editors.flat().some((editor) => editor === undefined || editor.value !== '');
    },
  };
}

function listElements(cards: readonly HTMLElement[], round: ConsentView['round']): readonly HTMLElement[] {
  if (round === undefined) return [element('ol', { class: 'messages' }, cards)];
  const { number, newFrom } = round;
  const added = countOf(cards.length - newFrom, 'new message');
  const summary = element('summary', { text: `${countOf(newFrom, 'message')} of earlier rounds, sent again` });
  return [
    element('p', { class: 'round', text: `Round ${number} of a conversation: ${added}` }),
    element('details', { class: 'earlier' }, summary, element('ol', { class: 'messages' }, cards.slice(0, newFrom))),
    element('ol', { class: 'messages', start: newFrom + 1 }, cards.slice(newFrom)),
  ];
}

/** The other parameters of the request, read-only: preferences, temperature, stop sequences and so on. */
function parameterElements(view: ConsentView): Child {
  const { budget, preferences, temperature, stopSequences, includeContext, toolChoice, metadata } = view;
  const facts: HTMLElement[] = [];
  const add = (name: string, ...value: readonly Child[]): void => {
    facts.push(element('div', { class: 'fact' }, element('dt', { text: name }), element('dd', {}, value)));
  };
  if (budget?.isExceeded === false) add('Budget', budget.text);
  if (preferences.length > 0) add('Preferences', inlineText(preferences.join('; ')));
  if (temperature !== undefined) add('Temperature', formatNumber(temperature));
  if (stopSequences.length > 0) {
    const sequences = stopSequences.map((sequence) => exactText(JSON.stringify(sequence), 'exact inline code'));
    add('Stops at', sequences);
  }
  if (includeContext !== undefined) {
    const scope = includeContext === 'allServers' ? 'all servers' : 'its own';
    const note = 'Patchbay adds none: the model gets only what is shown here.';
    add('Context', `The server asks for context of ${scope}. ${note}`);
  }
  if (toolChoice !== undefined) add('Tool use', describeToolChoice(toolChoice));
  if (metadata !== undefined) {
    const sent =
      view.marks.length === 0 ? 'Sent unchanged (metadata):' : 'Sent with what you mask replaced (metadata):';
    add("For the model's provider", sent, exactText(metadata, 'exact code'));
  }
  return facts.length > 0 && element('dl', { class: 'facts' }, facts);
}

/** The tools that the model may call, each with its schema in a collapsed section. */
function toolElements({ tools }: ConsentView): Child {
  if (tools.length === 0) return undefined;
  const schemaPart = (label: string, schema: string | undefined): Child =>
    schema !== undefined && [element('div', { class: 'muted', text: label }), exactText(schema, 'exact code')];
  const items = tools.map(({ name, titles, description, claims, schema, outputSchema }) =>
    element(
      'details',
      { class: 'tool' },
      element(
        'summary',
        {},
        icon('tools'),
        inlineText(name, 'strong'),
        // The model does not get the titles.
        titles.length > 0 && inlineText(`called “${titles.join('”, “')}”`, 'muted'),
      ),
      description !== '' && exactText(description),
      claims !== undefined && element('p', { class: 'hint', text: claims }),
      schemaPart('Arguments (JSON Schema)', schema),
      schemaPart('Result (JSON Schema)', outputSchema),
    ),
  );
  const heading = `${countOf(tools.length, 'tool')} offered to the model`;
  return element('section', { class: 'part' }, element('h2', { text: heading }), items);
}

function describeToolChoice(mode: string): string {
  if (mode === 'required') return 'The model must call a tool';
  return mode === 'none' ? 'The model must not call tools' : 'The model decides';
}
