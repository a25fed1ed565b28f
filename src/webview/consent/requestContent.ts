import type { ConsentEdits, ConsentModels, ConsentView } from '../../shared/consentMessages.ts';
import { banner, type Child, countOf, element, exactText, formatNumber, icon, inlineText } from '../dom.ts';
import { createMarkList } from './markList.ts';
import { Masking } from './masking.ts';
import { createMessageList } from './messageList.ts';
import { createModelChoice } from './modelChoice.ts';
import { createNumberField } from './numberField.ts';

const advice = 'Nothing goes to a model unless you approve it. You can edit every text first.';

/**
 * The request, with nothing edited and nothing masked.
 * @param onChange the person changed something
 */
export function createRequestContent(view: ConsentView, onAddModel: () => void, onChange: () => void) {
  const fields = createFields(view, onAddModel, onChange);
  const { masking, marks, systemPrompt, messages, model, maxTokens } = fields;
  const hint = element('p', { class: 'hint', text: advice });
  const edits = (): ConsentEdits => ({
    messages: messages.texts(),
    systemPrompt: systemPrompt.value,
    maxTokens: maxTokens.value ?? view.maxTokens,
  });

  function showModels(models: ConsentModels): void {
    model.showModels(models);
    hint.hidden = models.models.length === 0;
    maxTokens.element.hidden = models.models.length === 0;
  }

  showModels(view);
  return {
    element: element(
      'div',
      { class: 'request', oninput: onChange, onchange: onChange },
      contentElements(view, fields, hint),
    ),
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
    /** Characters of everything that the provider receives. */
    get characters() {
      return view.characters + countText(edits()) - countText(textsOf(view));
    },
    /** Why the request cannot be approved in its current form, with the focus on what to correct; empty if it can. */
    findProblem(): string {
      if (!messages.hasContent) return 'Nothing is left to send: every message is empty.';
      if (model.model === '') {
        model.focus();
        return 'Choose a model first.';
      }
      if (maxTokens.value !== undefined) return '';
      maxTokens.focus();
      return 'Correct the token limit first.';
    },
    showModels,
    focusMarks: () => marks.focus(),
  };
}

export type RequestContent = ReturnType<typeof createRequestContent>;

function createFields(view: ConsentView, onAddModel: () => void, onChange: () => void) {
  const masking = new Masking(view.marks);
  const { maxTokens } = view;
  return {
    masking,
    marks: createMarkList(view.marks, masking, onChange),
    systemPrompt: masking.createEditor({ label: 'System prompt', text: view.systemPrompt, placeholder: 'None' }),
    messages: createMessageList(view, masking),
    model: createModelChoice(onAddModel),
    maxTokens: createNumberField({
      label: 'Token limit',
      value: maxTokens,
      minimum: 1,
      maximum: maxTokens,
      hint: 'You can lower it.',
    }),
  };
}

function contentElements(view: ConsentView, fields: ReturnType<typeof createFields>, hint: HTMLElement): Child {
  const { unreviewable } = view;
  const tools = toolElements(view);
  if (unreviewable !== undefined) {
    const text = `This request cannot be approved. ${unreviewable} You can decline it or write the answer yourself.`;
    return [banner('error', text), tools];
  }
  return [
    hint,
    fields.marks.element,
    element('section', { class: 'part' }, fields.systemPrompt.element),
    fields.messages.element,
    tools,
    element(
      'section',
      { class: 'part' },
      element('h2', { text: 'Model and limits' }),
      element('div', { class: 'field-row' }, fields.model.element, fields.maxTokens.element),
      parameterElements(view),
    ),
  ];
}

type Texts = Pick<ConsentEdits, 'messages' | 'systemPrompt'>;

function textsOf({ messages, systemPrompt }: ConsentView): Texts {
  const texts = messages.map(({ content }) => content.map((block) => (block.kind === 'text' ? block.text : undefined)));
  return { messages: texts, systemPrompt };
}

function countText({ messages, systemPrompt }: Texts): number {
  return messages.flat().reduce((total, text) => total + (text?.length ?? 0), systemPrompt.length);
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
    add(
      'Context',
      `The server asks for context of ${scope}. Patchbay adds none: the model gets only what is shown here.`,
    );
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
