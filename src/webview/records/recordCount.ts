import { type Child, countOf, drawChanges, element, fill, formatNumber, icon } from '../dom.ts';

interface CountOptions {
  /** "record" */
  readonly noun: string;
  /** What stands in place of the list while there is nothing, or nothing passes the filters. */
  readonly empty: (kind: 'nothing' | 'filtered') => {
    readonly icon: string;
    readonly text: string;
    readonly more?: Child;
  };
}

/** How many records are listed, in words for eyes and ears, and what stands there where none are. */
export function createRecordCount({ noun, empty: emptyOf }: CountOptions) {
  const count = element('p', { class: 'count muted' });
  /** Says the count to screen readers, after what the person did only: new records may come twice a second. */
  const status = element('p', { class: 'screen-reader-only', role: 'status' });
  const empty = element('div', { class: 'empty', hidden: true });
  const drawEmpty = drawChanges((kind: 'listed' | 'nothing' | 'filtered') => {
    if (kind === 'listed') return fill(empty);
    const { icon: sign, text, more } = emptyOf(kind);
    fill(empty, icon(sign), element('p', { text }), more);
  });
  return {
    count,
    status,
    empty,
    /** @param note stands behind the count */
    show(listed: number, all: number, note = ''): void {
      const whole = countOf(all, noun);
      count.textContent = `${listed === all ? whole : `${formatNumber(listed)} of ${whole}`}${note}`;
      count.hidden = listed === 0;
      // What was said is old now; a screen reader that goes through the page reads the count.
      if (status.textContent !== count.textContent) status.textContent = '';
      empty.hidden = listed > 0;
      drawEmpty(listed > 0 ? 'listed' : all === 0 ? 'nothing' : 'filtered');
    },
    announce(): void {
      const shown = count.hidden ? empty.querySelector('p') : count;
      status.textContent = shown?.textContent ?? '';
    },
  };
}
