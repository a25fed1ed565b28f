import type { StartRow, StartSection } from '../../shared/startReviewMessages.ts';
import { banner, checkBox, element, exactText, inlineText, uniqueId } from '../dom.ts';

/** One server: what runs, what to know before it starts, and a box to choose it. @param onChange the person has changed the box */
export function createReviewRow({ label, line, origin, warnings, details, ...row }: StartRow, onChange: () => void) {
  const check = checkBox(inlineText(label, 'strong'), row.isChosen);
  const id = uniqueId('about');
  check.input.disabled = !row.canStart;
  check.input.setAttribute('aria-describedby', id);
  check.input.addEventListener('change', onChange);
  const about = element(
    'div',
    { class: 'about', id },
    row.note !== undefined && banner('warning', row.note),
    warnings.length > 0 && warningList(warnings),
    exactText(line, 'exact line'),
    element('p', { class: 'hint' }, inlineText(origin)),
  );
  const more = details.length > 0 && detailsOf(details);
  return {
    element: element('li', { class: 'review' }, check.element, about, more),
    isChosen: (): boolean => row.canStart && check.input.checked,
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
