import { splitHidden } from '../base/hiddenCharacters.ts';
import { element } from './dom.ts';

/** `text` to the letter: spaces and line breaks kept, hidden characters shown as marks. */
export function exactText(text: string, className = 'exact'): HTMLElement {
  // The label of an isolated block cannot be reordered by what stands around it.
  return element('pre', { class: className, dir: 'auto' }, ...markedText(text));
}

/** The parts of `text`, a mark for each run of hidden characters. */
export function markedText(text: string): (Node | string)[] {
  return splitHidden(text).map((piece) =>
    piece.kind === 'plain'
      ? piece.text
      : element('span', { class: 'hidden-character', title: piece.name, text: piece.mark }),
  );
}
