import type { ConsentView, ReviewAnswer } from '../../shared/consentMessages.ts';
import { contentElement, exactRenderer, messageHeader } from '../contentElement.ts';
import { acceptKeys } from '../decisionGuard.ts';
import { button, element, exactText } from '../dom.ts';
import type { QuestionStep } from '../questionPage.ts';
import { createTextEditor } from '../textEditor.ts';
import { askedBanner, banner } from './banners.ts';

/** The step while the model answers: shows its text as it arrives. */
export interface RunningStep extends QuestionStep {
  /** @param text the whole answer so far */
  showText(text: string): void;
}

/** What the step says beside the answer. */
export interface RunningOptions {
  readonly modelName: string;
  /** Why the answer is shown although a rule approved the request, as a sentence. */
  readonly because: string | undefined;
  /** Called to stop the model and withhold its answer. */
  readonly onStop: () => void;
}

/** Shows no text at first. */
export function createRunningStep({ modelName, because, onStop }: RunningOptions): RunningStep {
  // Not a live region: a screen reader would read every chunk. The status line says when the answer is complete.
  const answer = element('pre', { class: 'exact streaming', dir: 'auto', 'aria-label': 'Answer so far' });
  const shown = document.createTextNode('');
  answer.append(shown);
  const stop = button({ label: 'Stop and Withhold', icon: 'debug-stop', title: 'Escape', onClick: onStop });
  const title = element(
    'h2',
    { class: 'running-title', tabindex: -1 },
    element('span', { class: 'codicon codicon-loading codicon-modifier-spin', 'aria-hidden': 'true' }),
    element('span', {}, exactText(modelName || 'The model', 'exact inline'), ' is answering…'),
  );
  const hint = element('p', { class: 'hint', text: 'The server gets nothing before you have seen the whole answer.' });
  return {
    element: element(
      'div',
      { class: 'step' },
      ...askedBanner(because),
      title,
      hint,
      answer,
      element('div', { class: 'decision-bar' }, element('div', { class: 'buttons' }, stop)),
    ),
    shortcuts: { accept: () => {}, refuse: onStop, leaveField: () => stop.focus() },
    setDecisionsEnabled: (isEnabled) => (stop.disabled = !isEnabled),
    showText(text) {
      const isAtEnd = answer.scrollHeight - answer.scrollTop - answer.clientHeight < 24;
      // Appending is fast for long answers, and keeps the selection.
      if (text.startsWith(shown.data)) shown.appendData(text.slice(shown.length));
      else shown.data = text;
      if (isAtEnd) answer.scrollTop = answer.scrollHeight;
    },
  };
}

/** What the person can do with the answer. */
export interface ReviewActions {
  readonly onSend: (text: string) => void;
  readonly onRetry: () => void;
  readonly onWithhold: () => void;
}

/**
 * The step after the model has answered: the person reads and edits the answer before the server gets it.
 * @param ruled the request, if a rule has approved it and the person has not seen it yet
 */
export function createReviewStep(
  answer: ReviewAnswer,
  ruled: ConsentView | undefined,
  actions: ReviewActions,
): QuestionStep {
  const hasText = answer.text !== '' || answer.extra === undefined;
  const editor = createTextEditor({ label: 'Answer', text: answer.text, rows: 3 });
  const extra = answer.extra?.content.map((block) => contentElement(block, exactRenderer)) ?? [];
  const submit = (): void => (answer.isCut ? undefined : actions.onSend(editor.value));
  const send = button({ label: 'Send to Server', icon: 'send', kind: 'primary', title: acceptKeys(), onClick: submit });
  const withhold = button({ label: 'Withhold', title: 'Escape', onClick: actions.onWithhold });
  const again = button({ label: 'Ask Again…', icon: 'refresh', kind: 'quiet', onClick: actions.onRetry });
  const facts = element(
    'p',
    { class: 'hint' },
    'From ',
    exactText(answer.model, 'exact inline strong'),
    describeStop(answer.stopReason),
  );
  const keys = answer.isCut ? 'Esc withholds' : `${acceptKeys()} sends, Esc withholds`;
  const buttons = [...(answer.isCut ? [] : [send]), withhold, again, element('span', { class: 'keys', text: keys })];
  return {
    element: element(
      'div',
      { class: 'step' },
      ...askedBanner(ruled?.askedBecause),
      ...(ruled === undefined ? [] : [sentRequest(ruled)]),
      element('h2', { tabindex: -1, text: 'Review the answer' }),
      facts,
      element('p', { class: 'hint usage', text: `${answer.usage}.` }),
      ...answerBanners(answer),
      ...(hasText ? [element('section', { class: 'part answer' }, editor.element)] : []),
      ...extra,
      element('div', { class: 'decision-bar' }, element('div', { class: 'buttons' }, ...buttons)),
    ),
    shortcuts: { accept: submit, refuse: actions.onWithhold, leaveField: () => withhold.focus() },
    setDecisionsEnabled: (isEnabled) => [send, withhold].forEach((one) => (one.disabled = !isEnabled)),
  };
}

/** The texts that a rule let through, folded together. It covers nothing but texts. */
function sentRequest({ systemPrompt, messages }: ConsentView): HTMLElement {
  const cards = messages.map(({ role, content }) =>
    element(
      'li',
      { class: `message ${role}` },
      messageHeader(role),
      ...content.map((block) => contentElement(block, exactRenderer)),
    ),
  );
  return element(
    'details',
    { class: 'earlier' },
    element('summary', { text: 'What your rule sent to the model' }),
    ...(systemPrompt === '' ? [] : [element('p', { class: 'muted', text: 'System prompt' }), exactText(systemPrompt)]),
    element('ol', { class: 'messages' }, ...cards),
  );
}

function answerBanners({ stopReason, isCut }: ReviewAnswer): HTMLElement[] {
  const unfinished = 'The answer ends at the token limit and may be incomplete.';
  const unshown = 'The answer is too long, or nested too deep, to be shown whole. You can withhold it or ask again.';
  return [
    ...(stopReason === 'maxTokens' ? [banner('info', element('span', { text: unfinished }))] : []),
    ...(isCut ? [banner('error', element('span', { text: unshown }))] : []),
  ];
}

function describeStop(reason: string | undefined): string | HTMLElement {
  switch (reason) {
    case undefined:
    case 'endTurn':
      return '. The server has not seen it yet.';
    case 'maxTokens':
      return '. It stopped at the token limit. The server has not seen it yet.';
    case 'stopSequence':
      return '. It stopped at a stop sequence. The server has not seen it yet.';
    case 'toolUse':
      return '. It wants to call a tool. The server has not seen it yet.';
    default:
      return element(
        'span',
        {},
        '. It stopped with the reason ',
        exactText(reason, 'exact inline'),
        '. The server has not seen it yet.',
      );
  }
}
