import type { ConsentMark } from '../../shared/consentMessages.ts';
import { createTextEditor, type TextEditor, type TextEditorOptions } from '../textEditor.ts';
import { followEdit, type MaskedText, maskText, unmaskText } from './maskedText.ts';

/**
 * What is masked of a request, and its text fields, which show the masks; nothing at first. The extension masks the rest of the
 * request.
 */
export class Masking {
  /** Indexes of the marks that are masked. */
  readonly masked = new Set<number>();
  readonly #marks: readonly Pick<ConsentMark, 'value' | 'mask'>[];
  readonly #editors = new Map<TextEditor, { readonly original: string; state: MaskedText }>();

  constructor(marks: readonly ConsentMark[]) {
    // A text field changes every line break to \n.
    this.#marks = marks.map(({ value, mask }) => ({ value: value.replaceAll(/\r\n?/g, '\n'), mask }));
  }

  /** @param marks their indexes */
  change(marks: readonly number[], isMasked: boolean): void {
    for (const index of marks) {
      if (isMasked) this.masked.add(index);
      else this.masked.delete(index);
    }
    const unmasked = new Set(isMasked ? [] : marks);
    for (const [editor, { state }] of this.#editors)
      this.#show(editor, maskText(unmaskText(state, unmasked), this.#marks, this.masked));
  }

  /** A text field that shows what is masked; whatever the person writes, no masked text is left in it. */
  createEditor(options: TextEditorOptions): TextEditor {
    const editor = createTextEditor({
      ...options,
      onChange: () => {
        const state = this.#editors.get(editor)?.state;
        const { value } = editor.area;
        if (state !== undefined && value !== state.text)
          this.#show(editor, maskText(followEdit(state, value), this.#marks, this.masked));
      },
    });
    const text = editor.area.value;
    this.#editors.set(editor, { original: text, state: { text, ranges: [] } });
    return editor;
  }

  #show(editor: TextEditor, state: MaskedText): void {
    const { area, element } = editor;
    const known = this.#editors.get(editor);
    if (known === undefined) return;
    known.state = state;
    if (area.value !== state.text) {
      // The person writes at the end of what is masked while they write.
      const caret = area.value.length - area.selectionEnd;
      area.value = state.text;
      const position = Math.max(0, state.text.length - caret);
      area.setSelectionRange(position, position);
      area.dispatchEvent(new Event('input'));
    }
    // "Undo Changes" does not take masks away: it is offered for what the person wrote.
    const everything = new Set(state.ranges.map(({ mark }) => mark));
    element.classList.toggle('only-masked', unmaskText(state, everything).text === known.original);
  }
}
