import type { AppView } from '../../shared/appMessages.ts';
import { button, element, exactText, icon } from '../dom.ts';

/**
 * The strip above an app: whose it is, what it may reach, and what can be done with it. Its elements stay for as long as the page, so that an app which is busy takes neither the focus nor an open list away.
 */
export function createAppStrip(onReload: () => void, onMore: () => void) {
  const names = element('span', { class: 'names' });
  const tool = element('span', { class: 'muted' });
  const title = element('h1', { class: 'whose', tabindex: -1 }, icon('window'), names, tool);
  const [reached, invented, withheld, stopped] = [createChip(), createChip(), createChip(), createChip()];
  let named = '';

  function showName(view: AppView): void {
    const name = JSON.stringify([view.title, view.server, view.tool]);
    if (name === named) return;
    named = name;
    const strong = exactText(view.title, 'exact inline strong');
    names.replaceChildren('App ', strong, ' of ', exactText(view.server, 'exact inline'));
    tool.replaceChildren('tool ', exactText(view.tool, 'exact inline'));
  }

  return {
    /** Takes the focus, and no key does anything on it. */
    title,
    element: element(
      'header',
      { class: 'strip' },
      title,
      ...[reached, invented, withheld, stopped].map((chip) => chip.element),
      element(
        'div',
        { class: 'strip-buttons' },
        button({ label: 'Reload', icon: 'refresh', kind: 'quiet', onClick: onReload }),
        button({ label: 'More Actions…', icon: 'ellipsis', kind: 'quiet', onClick: onMore }),
      ),
    ),
    show(view: AppView): void {
      showName(view);
      const { state, reach, notices, blocked } = view;
      const isShown = state.kind === 'shown';
      reached.show(isShown ? reachedWords(reach) : undefined);
      invented.show(view.isInvented ? inventedWords : undefined);
      withheld.show(
        notices.length === 0
          ? undefined
          : { icon: 'info', text: `${notices.length} not given`, about: 'Not given, and why:', lines: notices },
      );
      stopped.show(
        isShown && blocked.length > 0
          ? {
              icon: 'circle-slash',
              text: `${blocked.length} blocked`,
              about: 'Its policy has blocked:',
              lines: blocked,
            }
          : undefined,
      );
    },
  };
}

interface ChipWords {
  readonly icon: string;
  readonly text: string;
  /** A sentence, or the heading of the lines. */
  readonly about: string;
  readonly lines: readonly string[];
}

const inventedWords: ChipWords = {
  icon: 'beaker',
  text: 'invented call',
  about: 'What it shows is not from its server.',
  lines: [],
};

/** A policy governs requests. Names that are looked up, and connections that are only opened, are none. */
const nothingWords =
  'It has no permissions, and loads and sends nothing over the web. It can still show a name to a DNS or TLS server, or open a WebRTC connection: a browser offers no way to stop this. After a click or a key press in it, it can copy text.';

function reachedWords(reach: readonly string[]): ChipWords {
  if (reach.length === 0) return { icon: 'shield', text: 'reaches nothing', about: nothingWords, lines: [] };
  return { icon: 'globe', text: `may reach ${reach.length}`, about: 'It may:', lines: reach };
}

/** A few words that open to more, by pointer and keyboard. Only one on the page is open at a time. */
function createChip() {
  const summary = element('summary');
  // A long list scrolls, also by keyboard.
  const more = element('div', { class: 'chip-more', tabindex: 0 });
  const details = element('details', { class: 'chip', name: 'chip', hidden: true }, summary, more);
  let shown = '';
  details.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !details.open) return;
    event.stopPropagation();
    details.open = false;
    summary.focus();
  });
  details.addEventListener('focusout', () => {
    // The app takes the focus a moment later. Where the window has lost it, it is still here: that closes nothing.
    setTimeout(() => {
      if (!details.contains(document.activeElement)) details.open = false;
    });
  });
  return {
    element: details,
    /** @param words `undefined` hides it */
    show(words: ChipWords | undefined): void {
      const text = words === undefined ? '' : JSON.stringify(words);
      if (text === shown) return;
      shown = text;
      details.hidden = words === undefined;
      summary.replaceChildren();
      more.replaceChildren();
      if (words === undefined) {
        details.open = false;
        return;
      }
      summary.append(icon(words.icon), words.text);
      more.append(element('p', { text: words.about }));
      const rows = words.lines.map((line) => element('li', {}, exactText(line, 'exact inline')));
      if (rows.length > 0) more.append(element('ul', {}, ...rows));
    },
  };
}
