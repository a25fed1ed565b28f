import type { ConsentFromPanel, ConsentView, ReviewAnswer } from '../../shared/consentMessages.ts';
import type { MessageView } from '../../shared/content.ts';
import { contentElement, exactRenderer, messageCard } from '../contentElement.ts';
import { acceptButton, acceptKeys } from '../decisionGuard.ts';
import { banner, button, element, exactText, inlineText } from '../dom.ts';
import type { QuestionStep } from '../questionPage.ts';
import { createTextEditor } from '../textEditor.ts';

/** Why the person is asked although there is a rule. */
export function askedBanner(reason: string | undefined): HTMLElement | undefined {
  return reason === undefined ? undefined : banner('info', inlineText(reason));
}

export type RunningStep = ReturnType<typeof createRunningStep>;

/**
 * The step while the model answers: shows its text as it arrives.
 * @param because why the answer is shown although a rule approved the request, as a sentence
 * @param onStop called to stop the model and withhold its answer
 */
export function createRunningStep(modelName: string, because: string | undefined, onStop: () => void) {
  // Not a live region: a screen reader would read every chunk. The status line says when the answer is complete.
  const shown = document.createTextNode('');
  const answer = element('pre', { class: 'exact streaming', dir: 'auto', 'aria-label': 'Answer so far' }, shown);
  const stop = button({ label: 'Stop and Withhold', icon: 'debug-stop', title: 'Escape', onClick: onStop });
  const title = element(
    'h2',
    { class: 'running-title', tabindex: -1 },
    element('span', { class: 'codicon codicon-loading codicon-modifier-spin', 'aria-hidden': 'true' }),
    element('span', {}, inlineText(modelName || 'The model'), ' is answering…'),
  );
  return {
    element: element(
      'div',
      { class: 'step' },
      askedBanner(because),
      title,
      element('p', { class: 'hint', text: 'The server gets nothing before you have seen the whole answer.' }),
      answer,
      element('div', { class: 'decision-bar' }, element('div', { class: 'buttons' }, stop)),
    ),
    shortcuts: { accept: () => {}, refuse: onStop, leaveField: () => stop.focus() },
    setDecisionsEnabled: (isEnabled: boolean) => void (stop.disabled = !isEnabled),
    /** @param text the whole answer so far */
    showText(text: string) {
      const isAtEnd = answer.scrollHeight - answer.scrollTop - answer.clientHeight < 24;
      // Appending is fast for long answers, and keeps the selection.
      if (text.startsWith(shown.data)) shown.appendData(text.slice(shown.length));
      else shown.data = text;
      if (isAtEnd) answer.scrollTop = answer.scrollHeight;
    },
  };
}

/**
 * The step after the model has answered: the person reads and edits the answer before the server gets it.
 * @param ruled the request, if a rule has approved it and the person has not seen it yet
 */
export function createReviewStep(
  answer: ReviewAnswer,
  ruled: ConsentView | undefined,
  decide: (message: ConsentFromPanel) => void,
): QuestionStep {
  const { id, text, extra, isCut, stopReason } = answer;
  const editor = createTextEditor({ label: 'Answer', text, rows: 3 });
  const submit = (): void => (isCut ? undefined : decide({ type: 'send', id, text: editor.value }));
  const refuse = (): void => decide({ type: 'withhold', id });
  const retry = (): void => decide({ type: 'retry', id });
  const send = acceptButton('Send to Server', 'send', submit);
  const withhold = button({ label: 'Withhold', title: 'Escape', onClick: refuse });
  const again = button({ label: 'Ask Again…', icon: 'refresh', kind: 'quiet', onClick: retry });
  const keyText = isCut ? 'Esc withholds' : `${acceptKeys()} sends, Esc withholds`;
  const keys = element('span', { class: 'keys', text: keyText });
  const buttons = element('div', { class: 'buttons' }, !isCut && send, withhold, again, keys);
  return {
    element: element(
      'div',
      { class: 'step' },
      askedBanner(ruled?.askedBecause),
      ruled && sentRequest(ruled),
      element('h2', { tabindex: -1, text: 'Review the answer' }),
      element('p', { class: 'hint' }, 'From ', inlineText(answer.model, 'strong'), describeStop(stopReason)),
      element('p', { class: 'hint usage', text: `${answer.usage}.` }),
      stopReason === 'maxTokens' && banner('info', 'The answer ends at the token limit and may be incomplete.'),
      isCut && banner('error', cutAnswer),
      (text !== '' || extra === undefined) && element('section', { class: 'part answer' }, editor.element),
      extra?.content.map((block) => contentElement(block, exactRenderer)),
      element('div', { class: 'decision-bar' }, buttons),
    ),
    shortcuts: { accept: submit, refuse, leaveField: () => withhold.focus() },
    setDecisionsEnabled: (isEnabled) => [send, withhold].forEach((one) => (one.disabled = !isEnabled)),
  };
}

const cutAnswer = 'The answer is too long, or nested too deep, to be shown whole. You can withhold it or ask again.';

/** The texts that a rule let through, folded together. It covers nothing but texts. */
function sentRequest({ systemPrompt, messages }: ConsentView): HTMLElement {
  const blocksOf = (content: MessageView['content']) => content.map((block) => contentElement(block, exactRenderer));
  const cards = messages.map(({ role, content }) => messageCard(role, blocksOf(content)));
  return element(
    'details',
    { class: 'earlier' },
    element('summary', { text: 'What your rule sent to the model' }),
    systemPrompt !== '' && [element('p', { class: 'muted', text: 'System prompt' }), exactText(systemPrompt)],
    element('ol', { class: 'messages' }, cards),
  );
}

const stopWords: Readonly<Record<string, string>> = {
  endTurn: '',
  maxTokens: ' It stopped at the token limit.',
  stopSequence: ' It stopped at a stop sequence.',
  toolUse: ' It wants to call a tool.',
};

function describeStop(reason = 'endTurn'): HTMLElement {
  const known = Object.hasOwn(stopWords, reason) ? stopWords[reason] : undefined;
  const words = known === undefined ? [' It stopped with the reason ', inlineText(reason), '.'] : known;
  return element('span', {}, '.', words, ' The server has not seen it yet.');
}
