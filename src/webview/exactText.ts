import { splitHidden } from '../base/hiddenCharacters.ts';
import { element } from './dom.ts';

/** An element with exactly `text`: spaces and line breaks are kept, hidden characters are shown as marks. */
export function exactText(text: string, className = 'exact'): HTMLElement {
  // A block with its own direction cannot be reordered by bidirectional text around it.
  return element('pre', { class: className, dir: 'auto' }, ...markedText(text));
}

/** Splits `text` for `append`: plain text, and a mark in place of each run of hidden characters. */
export function markedText(text: string): (Node | string)[] {
  return splitHidden(text).map((piece) =>
    piece.kind === 'plain'
      ? piece.text
      : element('span', { class: 'hidden-character', title: piece.name, text: piece.mark }),
  );
}
