import { element, uniqueId } from '../dom.ts';
import { shownName } from './shownText.ts';

/** Where the name of an entry is edited. */
export interface EntryName {
  readonly element: HTMLElement;
  readonly input: HTMLInputElement;
  /** Shows the name that the entry has. */
  show(name: string): void;
}

/** @param onRename gives what is against the new name, as a sentence, or `undefined` */
export function createEntryName(name: string, onRename: (to: string) => string | undefined): EntryName {
  const problemId = uniqueId('name');
  const input = element('input', {
    type: 'text',
    class: 'form-entry-name',
    spellcheck: 'false',
    autocomplete: 'off',
    'aria-describedby': problemId,
  });
  const problem = element('p', { id: problemId, class: 'problem' });
  let shown = '';

  function show(next: string): void {
    input.value = next;
    input.ariaLabel = `Name of the entry ${shownName(next)}`;
    // The field drops line breaks: a name is new only if its text is.
    shown = input.value;
  }

  show(name);
  input.addEventListener('input', () => problem.replaceChildren());
  input.addEventListener('change', () => {
    if (input.value === shown) return;
    const fault = onRename(input.value);
    problem.textContent = fault ?? '';
    if (fault !== undefined) input.value = shown;
  });
  return { element: element('div', { class: 'form-entry-edit' }, input, problem), input, show };
}
