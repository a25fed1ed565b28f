import type { ConsentEdits, ConsentView } from '../../shared/consentMessages.ts';
import { element, icon } from '../dom.ts';
import { createTextEditor } from '../textEditor.ts';
import { createMessageList } from './messageList.ts';
import { createModelChoice, type ModelChoice } from './modelChoice.ts';
import { createNumberField } from './numberField.ts';
import { requestFacts, toolList } from './requestFacts.ts';

/** Everything that the server asks for, to read and to edit. */
export interface RequestContent {
  readonly element: HTMLElement;
  readonly model: ModelChoice;
  /** The current texts and limits. */
  edits(): ConsentEdits;
  /** Why the request cannot be approved in its current form; `undefined` if it can. */
  fault(): Fault | undefined;
}

const advice = 'Nothing goes to a model unless you approve it. You can edit every text first.';

/** Why a request cannot be approved. */
export interface Fault {
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
      ...toolList(view.tools),
      element(
        'section',
        { class: 'part' },
        element('h2', { text: 'Model and limits' }),
        element('div', { class: 'field-row' }, model.element, ...(canApprove ? [maxTokens.element] : [])),
        ...requestFacts(view),
      ),
    ),
    model,
    edits: (): ConsentEdits => ({
      messages: messages.texts(),
      systemPrompt: systemPrompt.value,
      maxTokens: maxTokens.value ?? view.maxTokens,
    }),
    fault(): Fault | undefined {
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
