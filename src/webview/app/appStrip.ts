import { formatCount } from '../../base/truncate.ts';
import type { AppView } from '../../shared/appMessages.ts';
import { button, countOf, drawChanges, element, fill, icon, iconButton, inlineText } from '../dom.ts';

/**
 * The strip above an app: whose it is, what it may reach, and what can be done with it. Its elements stay for as long as the page, so that an app which is busy takes neither the focus nor an open list away.
 */
export function createAppStrip(send: (type: 'call' | 'widen' | 'reload' | 'more') => void) {
  const [app, server, tool] = [
    element('strong', { class: 'name' }),
    element('span', { class: 'name' }),
    element('span', { class: 'name muted' }),
  ];
  const word = element('span', { class: 'spare', text: 'App ' });
  const title = element('h1', { class: 'whose', tabindex: -1 }, icon('window'), word, app, ' of ', server, tool);
  const [reached, muted, invented, withheld, stopped, logged] = [
    createChip(),
    createChip(),
    createChip(),
    createChip(),
    createChip(),
    createChip(),
  ];
  const call = button({ label: 'Call…', icon: 'play', kind: 'quiet', onClick: () => send('call') });
  const wider = iconButton('Wider', 'screen-full', () => send('widen'));
  const beside = iconButton('Beside', 'split-horizontal', () => send('widen'));
  const showName = drawChanges(([appName, serverName, toolName]: readonly [string, string, string]) => {
    fill(app, inlineText(appName));
    fill(server, inlineText(serverName));
    fill(tool, 'tool ', inlineText(toolName));
  });

  return {
    /** Takes the focus, and no key does anything on it. */
    title,
    element: element(
      'header',
      { class: 'strip' },
      title,
      [reached, muted, invented, withheld, stopped, logged].map((chip) => chip.element),
      element(
        'div',
        { class: 'strip-buttons' },
        call,
        wider,
        beside,
        iconButton('Reload', 'refresh', () => send('reload')),
        iconButton('More Actions…', 'ellipsis', () => send('more')),
      ),
    ),
    show(view: AppView): void {
      const { state, notices, blocked } = view;
      showName([view.title, view.server, view.tool]);
      const isShown = state.kind === 'shown';
      call.hidden = !isShown || view.call !== undefined;
      const hadFocus = [wider, beside].some((each) => each === document.activeElement);
      wider.hidden = view.isWide;
      beside.hidden = !view.isWide;
      // One button takes the place of the other.
      if (hadFocus) (view.isWide ? beside : wider).focus();
      reached.show(isShown ? reachedWords(view) : undefined);
      muted.show(view.muted.length === 0 ? undefined : { ...mutedWords, lines: view.muted });
      invented.show(view.isInvented ? inventedWords : undefined);
      withheld.show(listWords('info', 'not allowed', 'Not allowed:', notices));
      stopped.show(listWords('circle-slash', 'blocked', 'Blocked by its policy:', isShown ? blocked : []));
      logged.show(listWords('output', 'logged', 'Messages of the app, newest last:', isShown ? view.logged : []));
    },
  };
}

interface ChipWords {
  readonly icon: string;
  readonly text: string;
  /** What stays of the text where there is little room; the rest is for screen readers. */
  readonly short: string;
  /** A sentence, or the heading of the lines. */
  readonly about: string;
  readonly lines: readonly string[];
}

const mutedWords = {
  icon: 'mute',
  text: 'muted',
  short: 'muted',
  about:
    'You declined several questions in a row, so these are now declined automatically. To be asked again, run “Unmute MCP Server” or revoke it in the Approvals view:',
};

const inventedWords: ChipWords = {
  icon: 'beaker',
  text: 'mock call',
  short: '',
  about: 'What the app shows does not come from its server.',
  lines: [],
};

/** A policy governs requests. Names that are looked up, and connections that are only opened, are none. */
const nothingWords =
  'It has no permissions, and loads and sends nothing over the web. It can still show a name to a DNS or TLS server, or open a WebRTC connection: a browser offers no way to stop this. After a click or a key press in it, it can copy text.';

function reachedWords({ reach: { places, permissions } }: AppView): ChipWords {
  const lines = [...places, ...permissions];
  if (lines.length === 0) return { icon: 'shield', text: 'reaches nothing', short: '', about: nothingWords, lines };
  const text = [
    places.length > 0 && `may reach ${countOf(places.length, 'place')}`,
    permissions.length > 0 && `has ${countOf(permissions.length, 'permission')}`,
  ];
  const words = text.filter((each) => each !== false).join(', ');
  return { icon: 'globe', text: words, short: formatCount(lines.length), about: 'It may:', lines };
}

/** @returns `undefined` where there are no lines */
function listWords(name: string, what: string, about: string, lines: readonly string[]): ChipWords | undefined {
  const short = formatCount(lines.length);
  return lines.length === 0 ? undefined : { icon: name, text: `${short} ${what}`, short, about, lines };
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
      fill(
        summary,
        words && [
          icon(words.icon),
          element('span', { class: 'spare', text: words.text }),
          element('span', { class: 'chip-short', 'aria-hidden': 'true', text: words.short }),
        ],
      );
      summary.title = words?.text ?? '';
      const rows = words?.lines.map((line) => element('li', {}, inlineText(line))) ?? [];
      fill(more, words && element('p', { text: words.about }), rows.length > 0 && element('ul', {}, rows));
    }),
  };
}
