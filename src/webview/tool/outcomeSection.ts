import type { OutcomeView } from '../../shared/toolMessages.ts';
import type { ResultFromPanel, TextStyle } from '../../shared/resultMessages.ts';
import { element, exactText, formatBytes, formatDuration, icon, plainText } from '../dom.ts';
import { ResultArea } from '../result/resultArea.ts';

/** The section that shows how the last call ended. */
export interface OutcomeSection {
  readonly element: HTMLElement;
  /**
   * @param textStyle how the person wants to see texts; `undefined`: by their type
   * @returns what a screen reader is told
   */
  show(outcome: OutcomeView | undefined, textStyle?: TextStyle): string;
  /** Scrolls to it, if its heading is out of sight. */
  reveal(): void;
}

/** Less of a result than this is not seen as one, in pixels. */
const sightPixels = 100;

/** Creates the section without an outcome. @param send gets what the person does with a result */
export function createOutcomeSection(send: (message: ResultFromPanel) => void): OutcomeSection {
  const area = new ResultArea(send, 3);
  const heading = element('h2', { id: 'result', tabindex: -1, text: 'Result' });
  const lead = element('p', { class: 'lead' });
  const body = element('div');
  const section = element('section', { class: 'outcome', 'aria-labelledby': 'result' }, heading, lead, body);
  return {
    element: section,
    reveal() {
      const { top, bottom } = heading.getBoundingClientRect();
      if (top < 0 || bottom > window.innerHeight - sightPixels) heading.scrollIntoView({ block: 'start' });
    },
    show(outcome, textStyle) {
      area.clear();
      lead.textContent = outcome === undefined ? '' : factsOf(outcome);
      if (outcome === undefined) {
        body.replaceChildren(element('p', { class: 'hint', text: 'The result of a call is shown here.' }));
        return '';
      }
      if (outcome.kind === 'result') {
        body.replaceChildren(area.element);
        area.show(outcome.result, textStyle);
      } else body.replaceChildren(...failureElements(outcome));
      return wordsOf(outcome);
    },
  };
}

/** "10:24:03 · took 1.2 s · 3.4 kB" */
function factsOf(outcome: OutcomeView): string {
  const size = outcome.kind === 'result' ? outcome.result.size : undefined;
  const facts = [
    outcome.isPast === true ? 'From the history' : undefined,
    outcome.isPast === true ? new Date(outcome.at).toLocaleString() : new Date(outcome.at).toLocaleTimeString(),
    outcome.durationMs === undefined ? 'nothing was sent' : `took ${formatDuration(outcome.durationMs)}`,
    size === undefined ? undefined : formatBytes(size),
  ];
  return facts.filter((fact) => fact !== undefined).join(' · ');
}

function wordsOf(outcome: OutcomeView): string {
  switch (outcome.kind) {
    case 'result': {
      const { body } = outcome.result;
      return body.kind === 'toolResult' && body.isError ? 'The tool reports that it failed.' : 'Result received.';
    }
    case 'error':
      return `${outcome.title}.`;
    case 'cancelled':
      return 'The call was cancelled.';
    case 'declined':
      return 'The call was not allowed.';
    case 'notKept':
      return outcome.message;
  }
}

function failureElements(outcome: Exclude<OutcomeView, { readonly kind: 'result' }>): readonly HTMLElement[] {
  switch (outcome.kind) {
    case 'cancelled':
      return [banner('info', 'circle-slash', 'You cancelled the call. The tool may have done a part of its work.')];
    case 'declined':
      return [banner('info', 'shield', 'The call was not allowed.'), exactText(outcome.message)];
    case 'notKept':
      return [banner('info', 'history', outcome.message)];
    case 'error': {
      const title = banner('error', 'error', `${outcome.title}.`);
      if (outcome.detail === undefined) return [title, plainText(outcome.message)];
      const details = element(
        'details',
        { class: 'part folded' },
        element('summary', { text: 'The error as the server sent it' }),
        exactText(outcome.detail, 'exact code'),
      );
      return [title, plainText(outcome.message), details];
    }
  }
}

function banner(kind: 'info' | 'error', iconName: string, text: string): HTMLElement {
  return element('p', { class: `banner ${kind}` }, icon(iconName), element('span', { text }));
}
