import type { StartRow, StartSection } from '../../shared/startReviewMessages.ts';
import { banner, checkBox, element, exactText, inlineText, uniqueId } from '../dom.ts';

/**
 * One server: what runs, what to know before it starts, and a box to choose it.
 * @param onChange the person has changed the box
 */
export function createReviewRow({ label, line, origin, warnings, details, ...row }: StartRow, onChange: () => void) {
  const check = checkBox(inlineText(label, 'strong'), row.isChosen);
  const [id, place] = [uniqueId('about'), uniqueId('origin')];
  check.input.disabled = !row.canStart;
  check.input.setAttribute('aria-describedby', `${id} ${place}`);
  check.input.addEventListener('change', onChange);
  const about = element(
    'div',
    { class: 'about', id },
    row.note !== undefined && banner('warning', row.note),
    warnings.length > 0 && warningList(warnings),
    exactText(line, 'exact line'),
  );
  const from = element('p', { class: 'hint', id: place }, inlineText(origin));
  const more = details.length > 0 && detailsOf(details);
  let [hasShownStart, hasShownEnd] = [false, false];
  return {
    element: element('li', { class: 'review' }, check.element, from, about, more),
    isChosen: (): boolean => row.canStart && check.input.checked,
    /** Looks whether its beginning or its end, without the details, is on the screen. @param height of what can be seen, in pixels */
    look(height: number): void {
      const isIn = (edge: number): boolean => edge >= -1 && edge <= height + 1;
      hasShownStart ||= isIn(check.element.getBoundingClientRect().top);
      hasShownEnd ||= isIn(about.getBoundingClientRect().bottom);
    },
    /** Both have been on the screen. */
    isSeen: (): boolean => hasShownStart && hasShownEnd,
    /** Brings on the screen what has not been there: its beginning first. @param height as of `look` */
    show(height: number): void {
      if (hasShownStart) window.scrollBy(0, about.getBoundingClientRect().bottom - height);
      else check.element.scrollIntoView({ block: 'start' });
    },
  };
}

function warningList(warnings: readonly string[]): HTMLElement {
  const items = warnings.map((text) => element('li', {}, inlineText(text)));
  return banner(
    'warning',
    element('div', {}, element('p', { text: 'Before you start it:' }), element('ul', {}, ...items)),
  );
}

function detailsOf(sections: readonly StartSection[]): HTMLElement {
  const parts = sections.flatMap(({ title, lines }) => [
    title !== '' && element('h2', { text: title }),
    exactText(lines.join('\n'), 'exact line'),
  ]);
  return element('details', {}, element('summary', { text: 'Details' }), ...parts);
}
