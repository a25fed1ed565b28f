import type { AppView } from '../../shared/appMessages.ts';
import { button, drawChanges, element, fill, icon, inlineText } from '../dom.ts';

/**
 * The strip above an app: whose it is, what it may reach, and what can be done with it. Its elements stay for as long as the page, so that an app which is busy takes neither the focus nor an open list away.
 */
export function createAppStrip(onReload: () => void, onMore: () => void) {
  const names = element('span', { class: 'names' });
  const tool = element('span', { class: 'muted' });
  const title = element('h1', { class: 'whose', tabindex: -1 }, icon('window'), names, tool);
  const [reached, invented, withheld, stopped] = [createChip(), createChip(), createChip(), createChip()];
  const showName = drawChanges(([app, server, toolName]: readonly [string, string, string]) => {
    fill(names, 'App ', inlineText(app, 'strong'), ' of ', inlineText(server));
    fill(tool, 'tool ', inlineText(toolName));
  });

  return {
    /** Takes the focus, and no key does anything on it. */
    title,
    element: element(
      'header',
      { class: 'strip' },
      title,
      [reached, invented, withheld, stopped].map((chip) => chip.element),
      element(
        'div',
        { class: 'strip-buttons' },
        button({ label: 'Reload', icon: 'refresh', kind: 'quiet', onClick: onReload }),
        button({ label: 'More Actions…', icon: 'ellipsis', kind: 'quiet', onClick: onMore }),
      ),
    ),
    show({ title: app, server, tool: toolName, state, reach, notices, blocked, isInvented }: AppView): void {
      showName([app, server, toolName]);
      const isShown = state.kind === 'shown';
      reached.show(isShown ? reachedWords(reach) : undefined);
      invented.show(isInvented ? inventedWords : undefined);
      withheld.show(listWords('info', 'not given', 'Not given, and why:', notices));
      stopped.show(listWords('circle-slash', 'blocked', 'Its policy has blocked:', isShown ? blocked : []));
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

/** @returns `undefined` where there are no lines */
function listWords(name: string, what: string, about: string, lines: readonly string[]): ChipWords | undefined {
  return lines.length === 0 ? undefined : { icon: name, text: `${lines.length} ${what}`, about, lines };
}

/** A few words that open to more, by pointer and keyboard. Only one on the page is open at a time. */
function createChip() {
  const summary = element('summary');
  // A long list scrolls, also by keyboard.
  const more = element('div', { class: 'chip-more', tabindex: 0 });
  const attributes = { class: 'chip', name: 'chip', hidden: true, onkeydown, onfocusout };
  const details = element('details', attributes, summary, more);

  function onkeydown(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || !details.open) return;
    event.stopPropagation();
    details.open = false;
    summary.focus();
  }

  function onfocusout(): void {
    // The app takes the focus a moment later. Where the window has lost it, it is still here: that closes nothing.
    setTimeout(() => {
      if (!details.contains(document.activeElement)) details.open = false;
    });
  }

  return {
    element: details,
    show: drawChanges((words: ChipWords | undefined) => {
      details.hidden = words === undefined;
      if (words === undefined) details.open = false;
      fill(summary, words && [icon(words.icon), words.text]);
      const rows = words?.lines.map((line) => element('li', {}, inlineText(line))) ?? [];
      fill(more, words && element('p', { text: words.about }), rows.length > 0 && element('ul', {}, rows));
    }),
  };
}
