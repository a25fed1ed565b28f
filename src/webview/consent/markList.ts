import type { ConsentMark } from '../../shared/consentMessages.ts';
import { button, countOf, element, exactText, icon } from '../dom.ts';
import type { Masking } from './masking.ts';

/** Rows that are shown at first; the others are one click away. */
const firstRows = 8;

/**
 * What may be secret in the request, each with a button that masks it.
 * @param onChange called when a mark was masked or unmasked
 */
export function createMarkList(marks: readonly ConsentMark[], masking: Masking, onChange: () => void) {
  const maskable = [...marks.keys()].filter((index) => marks[index]?.value !== '');
  const isAllMasked = (): boolean => maskable.every((index) => masking.masked.has(index));
  const all = button({ label: '', onClick: () => change(maskable, !isAllMasked()) });
  const hint = element('p', { class: 'hint', role: 'status' });
  const rows = marks.map((mark, index) => createRow(mark, index, masking, change));

  function change(indexes: readonly number[], isMasked: boolean): void {
    masking.change(indexes, isMasked);
    refresh();
    onChange();
  }

  function refresh(): void {
    all.replaceChildren(element('span', { text: isAllMasked() ? 'Unmask All' : 'Mask All' }));
    hint.textContent =
      masking.masked.size === 0
        ? 'Nothing is masked unless you mask it.'
        : 'What you masked is replaced in all that is sent: also in calls, results and definitions of tools, and in metadata, where this page still shows it.';
    for (const row of rows) row.refresh();
  }

  refresh();
  const title = element('h2', { text: 'May be secret' });
  return {
    /** `undefined` where nothing is marked. */
    element:
      marks.length === 0
        ? undefined
        : element(
            'section',
            { class: 'part marks', 'aria-label': 'May be secret' },
            element('div', { class: 'part-header' }, title, ...(maskable.length > 1 ? [all] : [])),
            hint,
            ...listOf(rows),
          ),
    /** How many marks are left unmasked, or cannot be masked in all places. */
    get unmasked() {
      return marks.filter(({ isMaskable }, index) => !isMaskable || !masking.masked.has(index)).length;
    },
    focus: () => (maskable.length > 1 ? all : rows[0]?.element.querySelector('button'))?.focus(),
  };
}

function listOf(rows: readonly MarkRow[]): HTMLElement[] {
  const elements = rows.map((row) => row.element);
  const rest = elements.slice(firstRows);
  const first = element('ul', { class: 'mark-rows' }, ...elements.slice(0, firstRows));
  if (rest.length === 0) return [first];
  const summary = element('summary', { text: countOf(rest.length, 'more place') });
  return [first, element('details', {}, summary, element('ul', { class: 'mark-rows' }, ...rest))];
}

function createRow(
  mark: ConsentMark,
  index: number,
  { masked }: Masking,
  change: (indexes: readonly number[], isMasked: boolean) => void,
) {
  const { what, places, value, excerpt, isMaskable } = mark;
  const toggle = button({ label: '', onClick: () => change([index], !masked.has(index)) });
  const where = places.length === 0 ? [] : [exactText(`in ${places.join(', ')}`, 'exact inline muted')];
  const isPart = value === '';
  const note = isPart
    ? 'Look through it yourself: it cannot be masked here.'
    : 'It is also in an id or in the name of a tool, where it cannot be masked.';
  return {
    element: element(
      'li',
      { class: 'mark' },
      icon(isPart ? 'warning' : 'key'),
      element(
        'div',
        { class: 'mark-text' },
        element('div', {}, exactText(what, 'exact inline strong'), ' ', ...where),
        ...(isPart ? [] : [exactText(excerpt, 'exact inline code')]),
        ...(isMaskable ? [] : [element('p', { class: 'hint', text: note })]),
      ),
      ...(isPart ? [] : [toggle]),
    ),
    refresh() {
      const label = masked.has(index) ? 'Unmask' : 'Mask';
      toggle.replaceChildren(element('span', { text: label }));
      toggle.setAttribute('aria-label', `${label} ${what}`);
    },
  };
}

type MarkRow = ReturnType<typeof createRow>;
