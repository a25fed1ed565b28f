import { splitHidden } from '../base/hiddenCharacters.ts';
import { element } from './dom.ts';

/** `text` to the letter: spaces and line breaks kept, hidden characters shown as marks. */
export function exactText(text: string, className = 'exact'): HTMLElement {
  // The label of an isolated block cannot be reordered by what stands around it.
  const block = element('pre', { class: className, dir: 'auto' });
  for (const piece of splitHidden(text)) {
    if (piece.kind === 'plain') block.append(piece.text);
    else block.append(element('span', { class: 'hidden-character', title: piece.name, text: piece.mark }));
  }
  return block;
}
