import type { ConsentView } from '../../shared/consentMessages.ts';
import { element, exactText, icon } from '../dom.ts';

/** Why the person is asked although there is a rule, and the tokens of today. */
export function requestBanners({ askedBecause, budget }: ConsentView): HTMLElement[] {
  return [
    ...askedBanner(askedBecause),
    ...(budget?.isExceeded === true ? [banner('warning', element('span', { text: budget.text }))] : []),
  ];
}

/** @param reason why the person is asked although there is a rule, as a sentence */
export function askedBanner(reason: string | undefined): HTMLElement[] {
  return reason === undefined ? [] : [banner('info', exactText(reason, 'exact inline'))];
}

/** Its text is the last child. */
export function banner(kind: 'info' | 'warning' | 'error', text: HTMLElement): HTMLElement {
  return element('div', { class: `banner ${kind}` }, icon(kind), text);
}
