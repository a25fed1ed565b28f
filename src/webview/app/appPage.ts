import { isRecord, isString } from '../../base/json.ts';
import type { AppCallView, AppFromPanel, AppState, AppToPanel, AppView } from '../../shared/appMessages.ts';
import { createDecisionGuard } from '../decisionGuard.ts';
import { button, element, exactText } from '../dom.ts';
import { connectToExtension, type ExtensionConnection } from '../extensionConnection.ts';
import { createAppQuestion } from './appQuestion.ts';
import { createAppStrip } from './appStrip.ts';
import { type AppDocument, AppFrame } from './appView.ts';
import { KeyboardWatch } from './keyboardWatch.ts';
import { followSurroundings, measureSurroundings } from './surroundings.ts';

const resourceReady = 'ui/notifications/sandbox-resource-ready';

/**
 * The page around an app, and its sandbox proxy (SEP-1865, "Sandbox proxy"): a strip that says whose app it is, and the app's
 * frame. It passes messages on as they are, but for those about the sandbox itself.
 */
export class AppPage {
  readonly #extension: ExtensionConnection<AppFromPanel>;
  readonly #strip = createAppStrip(
    () => this.#extension.send({ type: 'reload' }),
    () => this.#extension.send({ type: 'more' }),
  );
  readonly #card = element('section', { class: 'card' });
  readonly #call = createCallSection();
  readonly #slot = element('div', { class: 'slot' });
  readonly #place = element('div', { class: 'place' }, this.#call.element, this.#slot);
  readonly #question = createAppQuestion((id, choice) => this.#extension.send({ type: 'answer', id, choice }));
  readonly #status = element('div', { class: 'screen-reader-only', role: 'status' });
  readonly #guard = createDecisionGuard(
    (isEnabled) => this.#enable(isEnabled),
    () => this.#card,
  );
  readonly #deciding: HTMLButtonElement[] = [];
  #frame: AppFrame | undefined;
  #keyboard: KeyboardWatch | undefined;
  #isFilling = true;
  /** What the app has said last, in pixels. */
  #height: number | undefined;
  #shown = '';

  constructor(root: HTMLElement) {
    this.#extension = connectToExtension(['app', 'message', 'size', 'typed', 'unload'], (message: AppToPanel) =>
      this.#receive(message),
    );
    const main = element('main', { class: 'app' }, this.#card, this.#place);
    root.append(this.#strip.element, this.#question.element, main, this.#status);
    followSurroundings(this.#slot, () => this.#sendSurroundings());
  }

  start(): void {
    this.#sendSurroundings();
    const ready = { jsonrpc: '2.0', method: 'ui/notifications/sandbox-proxy-ready', params: {} };
    this.#extension.send({ type: 'message', text: JSON.stringify(ready) });
  }

  #receive(message: AppToPanel): void {
    switch (message.type) {
      case 'app':
        this.#extension.setState(message.memory);
        return this.#show(message.view);
      case 'message':
        return this.#pass(message.message);
      case 'size':
        this.#height = message.height;
        return this.#setHeight();
      case 'typed':
        return this.#keyboard?.noteTyping();
      case 'unload':
        return this.#removeFrame();
    }
  }

  /** Messages of the host about the sandbox end here. */
  #pass(message: object): void {
    const { method, params } = message as Readonly<Record<string, unknown>>;
    if (!isString(method) || !method.startsWith('ui/notifications/sandbox-')) return this.#frame?.post(message);
    const document = method === resourceReady && isRecord(params) ? readDocument(params) : undefined;
    if (document === undefined || !isRecord(params)) return;
    this.#removeFrame();
    const frame = new AppFrame(document, isString(params['allow']) ? params['allow'] : '', {
      onMessage: (text) => this.#passUp(text),
      onLink: (href) => this.#extension.send({ type: 'link', href }),
      onDropped: (count, isOver) => this.#frameGone({ type: 'dropped', count, isOver }, isOver),
      onReport: (kind, text) => this.#extension.send({ type: 'report', kind, text }),
      onLeft: () => this.#frameGone({ type: 'left' }),
      onUnreachable: () => this.#frameGone({ type: 'unreachable' }),
      onPress: (isUp) => this.#keyboard?.notePress(isUp),
      onLeaveKey: () => this.#keyboard?.leave(),
    });
    this.#frame = frame;
    this.#keyboard = new KeyboardWatch({
      frame: frame.element,
      home: () => this.#question.heading ?? this.#strip.title,
      onTaken: (wasHere) => this.#keyboardTaken(wasHere),
      onAskAgain: () => this.#say('Click once more to type into the app.'),
    });
    this.#slot.replaceChildren(frame.element, ...this.#keyboard.elements);
    this.#height = undefined;
  }

  #frameGone(message: AppFromPanel, isGone = true): void {
    if (isGone) this.#removeFrame();
    this.#extension.send(message);
  }

  #removeFrame(): void {
    this.#keyboard?.end();
    this.#frame?.remove();
    this.#frame = undefined;
    this.#slot.replaceChildren();
  }

  /** What is typed next goes where it went before: to this page, or to the rest of the window. */
  #keyboardTaken(wasHere: boolean): void {
    this.#removeFrame();
    if (wasHere) this.#strip.title.focus();
    else window.top?.focus();
    this.#extension.send({ type: 'keyboardTaken', wasHere });
  }

  #say(text: string): void {
    this.#status.textContent = text;
  }

  /** Messages of the app about the sandbox would be taken for this page's. */
  #passUp(text: string): void {
    const { method } = JSON.parse(text) as Readonly<Record<string, unknown>>;
    if (isString(method) && method.startsWith('ui/notifications/sandbox-')) return;
    this.#extension.send({ type: 'message', text });
  }

  #sendSurroundings(): void {
    this.#extension.send({ type: 'surroundings', surroundings: measureSurroundings(this.#slot) });
  }

  #show(view: AppView): void {
    const { state, call, hasBorder, isFilling, title } = view;
    this.#strip.show(view);
    const hadFocus = this.#question.element.contains(document.activeElement);
    this.#question.show(view.question);
    // From there the keyboard leads on: to the app with Tab, to the rest of the window with F6.
    if (hadFocus && !this.#question.element.contains(document.activeElement)) this.#strip.title.focus();
    this.#slot.classList.toggle('is-asking', view.question !== undefined);
    const isShown = state.kind === 'shown';
    this.#place.hidden = !isShown;
    this.#slot.classList.toggle('has-border', hasBorder);
    this.#place.classList.toggle('is-inline', !isFilling);
    this.#isFilling = isFilling;
    this.#setHeight();
    this.#call.show(isFilling ? undefined : call);
    if (this.#frame !== undefined) this.#frame.element.title = `App ${title}`;
    this.#card.hidden = isShown;
    const shown = JSON.stringify([state, view.reach]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#deciding.length = 0;
    this.#card.replaceChildren(...this.#cardElements(view));
    if (state.kind === 'asking') this.#guard.reset();
    this.#status.textContent = isShown ? 'The app is shown.' : (this.#card.querySelector('h2')?.textContent ?? '');
  }

  #setHeight(): void {
    this.#frame?.setHeight(this.#isFilling ? undefined : this.#height);
  }

  #cardElements({ server, state, reach, notices }: AppView): readonly HTMLElement[] {
    const send = (type: 'reload' | 'show') => () => this.#extension.send({ type });
    const text = (words: string): HTMLElement => element('p', {}, exactText(words, 'exact inline'));
    switch (state.kind) {
      case 'shown':
        return [];
      case 'loading':
        return [element('h2', { text: 'Loading the app' }), text(state.text)];
      case 'asking':
        return this.#questionElements(state, reach, notices);
      case 'failed':
        return [
          element('h2', { text: 'The app cannot be shown' }),
          text(state.text),
          button({ label: 'Try Again', icon: 'refresh', onClick: send('reload') }),
        ];
      case 'ended':
        return [
          element('h2', { text: 'The app has ended' }),
          text(state.text),
          button({ label: 'Show Again', icon: 'refresh', onClick: send('reload') }),
        ];
      case 'restored':
        return [
          element('h2', { text: 'This app was open before the window was reloaded' }),
          text(
            state.isChanged
              ? `The definition of “${server}” has changed since this was opened. The app is shown without what it showed before: that belongs to the earlier definition, and is not given to this one.`
              : state.hasCall
                ? 'Nothing was read or called since. It is shown with its last call, from the history; nothing is called again.'
                : 'Nothing was read or called since. What it showed is not kept: call its tool again to fill it.',
          ),
          button({ label: 'Show App', icon: 'window', onClick: send('show') }),
        ];
    }
  }

  #questionElements(
    { id, isChanged }: Extract<AppState, { readonly kind: 'asking' }>,
    reach: readonly string[],
    notices: readonly string[],
  ): readonly HTMLElement[] {
    const decide = (label: string, type: 'allow' | 'refuse', kind: 'primary' | 'secondary'): HTMLButtonElement => {
      const made = button({
        label,
        kind,
        onClick: () => this.#guard.isEnabled && this.#guard.hasInteraction && this.#extension.send({ type, id }),
      });
      this.#deciding.push(made);
      return made;
    };
    const title = isChanged ? 'This app wants to reach something else than before' : 'This app wants to reach more';
    return [
      element('h2', { text: title }),
      element('p', {
        text: 'An app is a page of its server. It runs apart from the editor and your files. It asks for:',
      }),
      element('ul', { class: 'reach' }, ...reach.map((line) => element('li', {}, exactText(line, 'exact inline')))),
      element('p', { class: 'hint', text: 'What its server sends it, and what you type into it, can go there.' }),
      ...notices.map((notice) => element('p', { class: 'hint' }, exactText(notice, 'exact inline'))),
      element(
        'div',
        { class: 'decisions' },
        decide('Allow This', 'allow', 'primary'),
        decide('Show Without', 'refuse', 'secondary'),
      ),
    ];
  }

  #enable(isEnabled: boolean): void {
    for (const each of this.#deciding) each.disabled = !isEnabled;
  }
}

function readDocument({ html, address, proof }: Readonly<Record<string, unknown>>): AppDocument | undefined {
  if (isString(html)) return { kind: 'text', html };
  return isString(address) && isString(proof) ? { kind: 'served', address, proof } : undefined;
}

/** The call of an app in words, folded: what the server said, beside what its app makes of it. */
function createCallSection() {
  const line = element('span', { class: 'call-line' });
  const body = element('div', { class: 'call-body' });
  const details = element(
    'details',
    { class: 'call', hidden: true },
    element('summary', {}, 'Result in words ', line),
    body,
  );
  let shown = '';
  return {
    element: details,
    /** @param call `undefined` shows nothing */
    show(call: AppCallView | undefined): void {
      details.hidden = call === undefined;
      const text = JSON.stringify(call);
      if (call === undefined || text === shown) return;
      shown = text;
      const { args, result } = call;
      line.replaceChildren(exactText(args, 'exact inline'));
      body.replaceChildren(
        element('h2', { text: 'Arguments' }),
        exactText(args, 'exact code'),
        element('h2', { text: 'Result' }),
        result === undefined
          ? element('p', { class: 'muted', text: 'The call is running.' })
          : exactText(result, 'exact code'),
      );
    },
  };
}
