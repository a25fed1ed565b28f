import type { ConsentMark } from '../../shared/consentMessages.ts';
import { button, countOf, element, exactText, icon, inlineText, relabel } from '../dom.ts';
import type { Masking } from './masking.ts';

/** Rows that are shown at first; the others are one click away. */
const firstRows = 8;

/**
 * What may be secret in the request, each with a button that masks it.
 * @param onChange called when a mark was masked or unmasked
 */
export function createMarkList(marks: readonly ConsentMark[], masking: Masking, onChange: () => void) {
  const { masked } = masking;
  const maskable = [...marks.keys()].filter((index) => marks[index]?.value !== '');
  const isAllMasked = (): boolean => maskable.every((index) => masked.has(index));
  const all = button({ label: '', onClick: () => change(maskable, !isAllMasked()) });
  const hint = element('p', { class: 'hint', role: 'status' });
  const toggles = marks.map((_mark, index) =>
    button({ label: '', onClick: () => change([index], !masked.has(index)) }),
  );
  const rows = marks.map((mark, index) => rowElement(mark, toggles[index]));
  const rest = rows.slice(firstRows);

  function change(indexes: readonly number[], isMasked: boolean): void {
    masking.change(indexes, isMasked);
    refresh();
    onChange();
  }

  function refresh(): void {
    relabel(all, isAllMasked() ? 'Unmask All' : 'Mask All');
    hint.textContent =
      masked.size === 0
        ? 'Nothing is masked unless you mask it.'
        : 'What you masked is replaced everywhere it is sent, including in tool calls, results, definitions and metadata where this page still shows it.';
    for (const [index, toggle] of toggles.entries()) {
      const label = masked.has(index) ? 'Unmask' : 'Mask';
      relabel(toggle, label);
      toggle.setAttribute('aria-label', `${label} ${marks[index]?.what}`);
    }
  }

  refresh();
  const heading = element('h2', { text: 'May be secret' });
  const listOf = (some: readonly HTMLElement[]) => element('ul', { class: 'mark-rows' }, some);
  const more = element('summary', { text: countOf(rest.length, 'more place') });
  const section = element(
    'section',
    { class: 'part marks', 'aria-label': 'May be secret' },
    element('div', { class: 'part-header' }, heading, maskable.length > 1 && all),
    hint,
    listOf(rows.slice(0, firstRows)),
    rest.length > 0 && element('details', {}, more, listOf(rest)),
  );
  return {
    /** `undefined` where nothing is marked. */
    element: marks.length === 0 ? undefined : section,
    /** How many marks are left unmasked, or cannot be masked in all places. */
    get unmasked() {
      return marks.filter(({ isMaskable }, index) => !isMaskable || !masked.has(index)).length;
    },
    focus: () => (maskable.length > 1 ? all : rows[0]?.querySelector('button'))?.focus(),
  };
}

function rowElement({ what, places, value, excerpt, isMaskable }: ConsentMark, toggle?: HTMLElement): HTMLElement {
  const isPart = value === '';
  const note = isPart
    ? 'Check it yourself: it cannot be masked here.'
    : 'It is also in an id or in the name of a tool, where it cannot be masked.';
  const where = places.length > 0 && inlineText(`in ${places.join(', ')}`, 'muted');
  const text = element(
    'div',
    { class: 'mark-text' },
    element('div', {}, inlineText(what, 'strong'), ' ', where),
    !isPart && exactText(excerpt, 'exact inline code'),
    !isMaskable && element('p', { class: 'hint', text: note }),
  );
  return element('li', { class: 'mark' }, icon(isPart ? 'warning' : 'key'), text, !isPart && toggle);
}
