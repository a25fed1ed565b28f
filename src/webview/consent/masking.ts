import type { ConsentMark } from '../../shared/consentMessages.ts';
import { createTextEditor, type TextEditor, type TextEditorOptions } from '../textEditor.ts';
import { followEdit, type MaskedText, maskText, unmaskText } from './maskedText.ts';

interface MaskedEditor {
  readonly editor: TextEditor;
  readonly original: string;
  state: MaskedText;
}

/**
 * What is masked of a request, and its text fields, which show the masks; nothing at first. The extension masks the rest of the
 * request.
 */
export function createMasking(marks: readonly ConsentMark[]) {
  const masked = new Set<number>();
  const editors: MaskedEditor[] = [];
  // A text field changes every line break to \n.
  const maskable = marks.map(({ value, mask }) => ({ value: value.replaceAll(/\r\n?/g, '\n'), mask }));

  function show(entry: MaskedEditor, state: MaskedText): void {
    const { area, element } = entry.editor;
    entry.state = state;
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
    element.classList.toggle('only-masked', unmaskText(state, everything).text === entry.original);
  }

  function follow(entry: MaskedEditor): void {
    const { value } = entry.editor.area;
    if (value !== entry.state.text) show(entry, maskText(followEdit(entry.state, value), maskable, masked));
  }

  return {
    /** Indexes of the marks that are masked. */
    masked,
    /** @param marks their indexes */
    change(indexes: readonly number[], isMasked: boolean) {
      for (const index of indexes) {
        if (isMasked) masked.add(index);
        else masked.delete(index);
      }
      const unmasked = new Set(isMasked ? [] : indexes);
      for (const entry of editors) show(entry, maskText(unmaskText(entry.state, unmasked), maskable, masked));
    },
    /** A text field that shows what is masked; whatever the person writes, no masked text is left in it. */
    createEditor(options: TextEditorOptions) {
      const entry: { made?: MaskedEditor } = {};
      const editor = createTextEditor({
        ...options,
        onChange() {
          if (entry.made !== undefined) follow(entry.made);
          options.onChange?.();
        },
      });
      const text = editor.area.value;
      entry.made = { editor, original: text, state: { text, ranges: [] } };
      editors.push(entry.made);
      return editor;
    },
  };
}

export type Masking = ReturnType<typeof createMasking>;
