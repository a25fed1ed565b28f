import type { SavedCallView } from '../../shared/toolMessages.ts';
import { button, element } from '../dom.ts';

/** The calls of this tool that were saved: each fills the form. */
export interface SavedCallList {
  readonly element: HTMLElement;
  show(calls: readonly SavedCallView[]): void;
}

/** Characters of a name. */
const shownCharacters = 60;

/** Creates the list without calls, which is hidden. */
export function createSavedCallList(onOpen: (name: string) => void): SavedCallList {
  const list = element('ul', { 'aria-labelledby': 'saved-calls' });
  const label = element('span', { id: 'saved-calls', class: 'muted', text: 'Saved calls:' });
  const box = element('div', { class: 'saved-calls', hidden: true }, label, list);
  return {
    element: box,
    show(calls) {
      box.hidden = calls.length === 0;
      list.replaceChildren(
        ...calls.map(({ name, description }) => {
          const shown = name.length > shownCharacters ? `${name.slice(0, shownCharacters)}…` : name;
          const title = description ?? 'Fill in the arguments of this call';
          return element(
            'li',
            {},
            button({ label: shown, icon: 'bookmark', kind: 'quiet', title, onClick: () => onOpen(name) }),
          );
        }),
      );
    },
  };
}
