import { describeHidden } from '../base/hiddenCharacters.ts';
import { withoutHidden } from '../base/visibleText.ts';
import { button, element, exactText, fill, icon, uniqueId } from './dom.ts';

export interface TextEditorOptions {
  /** Leave it out if the caller has its own label for `id`. */
  readonly label?: string;
  readonly id?: string;
  /** Only screen readers get the label, because text next to the field says the same. */
  readonly hideLabel?: boolean;
  /** Ids of other elements that describe the field, separated by spaces. */
  readonly describedBy?: string;
  readonly text: string;
  readonly placeholder?: string;
  readonly rows?: number;
  /** A field of one line, for a text that has no line breaks. */
  readonly isLine?: boolean;
  /** Never marks the text as edited: there is nothing that it was before. */
  readonly isUnmarked?: boolean;
  /** Called after each change that the person makes, not after `setText`. */
  readonly onChange?: () => void;
}

/** A text field that grows with its text if it may have several lines, marks changes, and lists hidden characters below. */
export function createTextEditor(options: TextEditorOptions) {
  const { id = uniqueId('text'), label, isUnmarked = false } = options;
  const notice = element('div', { id: `${id}-notice`, class: 'hidden-notice', role: 'status' });
  const area = createArea(options, { id, noticeId: notice.id, oninput: changed });
  // A text field changes every line break to \n. Unchanged text must be returned exactly as it was.
  let original = options.text;
  area.value = original;
  let normalized = area.value;
  const isChanged = (): boolean => area.value !== normalized;

  const undo = button({ label: 'Undo Changes', icon: 'discard', kind: 'quiet', onClick: () => change(normalized) });
  const mark = element('span', { class: 'edited', hidden: true }, element('span', { text: 'Edited' }), undo);

  function change(text: string): void {
    area.value = text;
    area.focus();
    changed();
  }

  function changed(): void {
    refresh();
    options.onChange?.();
  }

  function refresh(): void {
    mark.hidden = isUnmarked || !isChanged();
    if (area instanceof HTMLTextAreaElement) fitRows(area);
    fill(
      notice,
      hiddenNotice(area.value, () => change(withoutHidden(area.value))),
    );
  }

  refresh();
  const isQuiet = options.hideLabel === true;
  const header = element(
    'div',
    { class: isQuiet ? 'field-header quiet' : 'field-header' },
    element('label', { for: id, class: isQuiet ? 'screen-reader-only' : 'field-label', text: label ?? '' }),
    mark,
  );
  return {
    element: element('div', { class: 'text-editor' }, !isUnmarked && header, area, notice),
    area,
    /** The text; unchanged text has its original line breaks. */
    get value(): string {
      return isChanged() ? area.value : original;
    },
    /** Shows another text, which is the original from now on. */
    setText(text: string): void {
      original = text;
      area.value = text;
      normalized = area.value;
      refresh();
    },
  };
}

export type TextEditor = ReturnType<typeof createTextEditor>;

function createArea(
  { rows = 1, placeholder, describedBy = '', isLine = false }: TextEditorOptions,
  { id, noticeId, oninput }: { readonly id: string; readonly noticeId: string; readonly oninput: () => void },
): HTMLInputElement | HTMLTextAreaElement {
  const described = `${describedBy} ${noticeId}`.trim();
  const shared = { id, spellcheck: 'false', dir: 'auto', placeholder, 'aria-describedby': described, oninput };
  if (isLine) return element('input', { ...shared, type: 'text', autocomplete: 'off' });
  return element('textarea', { ...shared, rows });
}

function hiddenNotice(text: string, onRemove: () => void): HTMLElement[] {
  const found = describeHidden(text);
  if (found.length === 0) return [];
  const words = `Hidden characters: ${found.join(', ')}. This is what the text really holds:`;
  return [
    element('p', {}, icon('warning'), element('span', { text: words })),
    exactText(text),
    button({ label: 'Remove Hidden Characters', onClick: onRemove }),
  ];
}

/** For browsers without the CSS property `field-sizing`. */
function fitRows(area: HTMLTextAreaElement): void {
  if (CSS.supports('field-sizing', 'content')) return;
  area.rows = Math.min(24, Math.max(2, area.value.split('\n').length));
}
