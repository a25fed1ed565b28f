import {
  type ComparedSide,
  type EarlierOutcome,
  outcomeSentence,
  type OutcomeView,
} from '../../shared/toolMessages.ts';
import { exchangeAction, logAction, type ResultFromPanel, type TextStyle } from '../../shared/resultMessages.ts';
import {
  banner,
  button,
  type Child,
  descriptionText,
  element,
  exactText,
  fill,
  formatBytes,
  formatDuration,
  icon,
  inlineText,
  linkPlaces,
} from '../dom.ts';
import type { RelativeTimes } from '../relativeTime.ts';
import { ResultArea } from '../result/resultArea.ts';

/** Less of a result than this is not seen as one, in pixels. */
const sightPixels = 100;

/** The section that shows how the last call ended. @param send gets what the person does with a result */
export function createOutcomeSection(send: (message: ResultFromPanel) => void, timeOf: RelativeTimes) {
  const area = new ResultArea(send, 3);
  const heading = element('h2', { id: 'result', tabindex: -1, text: 'Result' });
  const lead = element('p', { class: 'lead' });
  const of = element('p', { class: 'outcome-of', hidden: true });
  const beside = element('div', { class: 'outcome-beside' });
  const body = element('div');
  return {
    element: element('section', { class: 'outcome', 'aria-labelledby': 'result' }, heading, lead, of, beside, body),
    /** Scrolls to it, if its heading is out of sight. */
    reveal(): void {
      const { top, bottom } = heading.getBoundingClientRect();
      if (top < 0 || bottom > window.innerHeight - sightPixels) heading.scrollIntoView({ block: 'start' });
    },
    /** Says which call it is of, as the form has other arguments now. @param summary `undefined` where it has the same */
    showOf(summary: string | undefined): void {
      of.hidden = summary === undefined;
      const words =
        summary === '' ? 'Of an earlier call without arguments.' : 'Of an earlier call with other arguments: ';
      fill(of, icon('info'), words, inlineText(summary ?? ''));
    },
    /**
     * @param textStyle how the person wants to see texts; `undefined`: by their type
     * @returns what a screen reader says
     */
    show(outcome: OutcomeView | undefined, textStyle?: TextStyle): string {
      area.clear();
      fill(lead, outcome && factsOf(outcome, timeOf));
      fill(beside, outcome?.before && besideElements(outcome.before));
      if (outcome?.kind === 'result') area.show(outcome.result, textStyle);
      fill(body, outcome?.kind === 'result' ? area.element : [callButtons(outcome, send), otherElements(outcome)]);
      if (outcome?.kind === 'error')
        linkPlaces(body, outcome.places ?? [], (index) => send({ type: 'openPlace', index }));
      return outcome === undefined ? '' : outcomeSentence(outcome);
    },
  };
}

/** "10:24:03 · took 1.2 s · 3.4 kB" */
function factsOf(outcome: OutcomeView, timeOf: RelativeTimes): Child {
  const size = outcome.kind === 'result' ? outcome.result.size : undefined;
  const facts = [
    outcome.durationMs === undefined ? 'nothing was sent' : `took ${formatDuration(outcome.durationMs)}`,
    ...(size === undefined ? [] : [formatBytes(size)]),
  ].join(' · ');
  if (outcome.isPast !== true) return `${new Date(outcome.at).toLocaleTimeString()} · ${facts}`;
  return [outcome.isRestored === true ? 'Last result · ' : 'From the history · ', timeOf(outcome.at), ` · ${facts}`];
}

/** What came before a restart beside what came after it. */
function besideElements(before: EarlierOutcome): Child {
  if (before.isSame) return banner('info', 'Called again after the restart: same result.', 'check');
  const { then, now } = before;
  const words = now.isError === then.isError ? 'the result has changed' : now.isError ? 'it fails now' : 'it works now';
  const kind = now.isError && !then.isError ? 'warning' : 'info';
  return [
    banner(kind, `Called again after the restart: ${words}.`, 'diff'),
    element(
      'div',
      { class: 'sides' },
      sideElement('Before the restart', then, 'del'),
      sideElement('After the restart', now, 'ins'),
    ),
  ];
}

/** @param tag of the lines that only this side has */
function sideElement(label: string, { parts, isError }: ComparedSide, tag: 'del' | 'ins'): HTMLElement {
  const lines = parts.map(({ text, isChanged }) => (isChanged ? element(tag, {}, exactText(text)) : exactText(text)));
  return element(
    'figure',
    {},
    element('figcaption', { text: isError ? `${label}: an error` : label }),
    element('div', { class: 'code', tabindex: 0, role: 'group', 'aria-label': label }, ...lines),
  );
}

/** Of a result, they are among the buttons of that. */
function callButtons(outcome: OutcomeView | undefined, send: (message: ResultFromPanel) => void): Child {
  if (outcome?.hasExchange !== true) return false;
  const actions = outcome.kind === 'error' ? [exchangeAction, logAction] : [exchangeAction];
  const buttons = actions.map(({ id, label, icon: iconName }) =>
    button({ label, icon: iconName, kind: 'quiet', onClick: () => send({ type: 'action', id }) }),
  );
  return element('div', { class: 'toolbar' }, ...buttons);
}

function cancelledText(wasSent: boolean): string {
  return wasSent ? 'Cancelled. The tool may have done part of its work.' : 'Cancelled. Nothing was sent.';
}

function otherElements(outcome: Exclude<OutcomeView, { readonly kind: 'result' }> | undefined): Child {
  switch (outcome?.kind) {
    case undefined:
      return element('p', { class: 'hint', text: 'No result yet.' });
    case 'cancelled':
      return banner('info', cancelledText(outcome.durationMs !== undefined), 'circle-slash');
    case 'declined':
      return [banner('info', outcomeSentence(outcome), 'shield'), exactText(outcome.message)];
    case 'notKept':
      return banner('info', outcomeSentence(outcome), 'history');
    case 'error':
      return [
        banner('error', outcomeSentence(outcome)),
        descriptionText(outcome.message),
        outcome.detail !== undefined &&
          element(
            'details',
            { class: 'part folded' },
            element('summary', { text: 'The error as the server sent it' }),
            exactText(outcome.detail, 'exact code'),
          ),
      ];
  }
}
