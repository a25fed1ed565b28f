import { isRecord, isString, type UnknownRecord } from '../../base/json.ts';
import type { AppCallView, AppFromPanel, AppState, AppToPanel, AppView } from '../../shared/appMessages.ts';
import { createDecisionGuard } from '../decisionGuard.ts';
import { button, type Child, drawChanges, element, exactText, fill, icon, inlineText } from '../dom.ts';
import { connectToExtension } from '../extensionConnection.ts';
import { createAppQuestion } from './appQuestion.ts';
import { createAppStrip } from './appStrip.ts';
import { type AppDocument, AppFrame } from './appView.ts';
import { KeyboardWatch } from './keyboardWatch.ts';
import { followSurroundings, measureSurroundings, themeOfPage } from './surroundings.ts';

/** Milliseconds that an answer of the extension may take: a second one would start the app anew. */
const answerMs = 10_000;

/** What takes the place of an app that is not shown. */
type Card = Pick<AppView, 'server' | 'state' | 'reach' | 'notices'>;

/**
 * The page around an app, and its sandbox proxy (SEP-1865, "Sandbox proxy"): a strip that says whose app it is, and the app's
 * frame. It passes messages on as they are, but for those about the sandbox itself.
 */
export class AppPage {
  readonly #extension = connectToExtension<AppFromPanel>((message: AppToPanel) => this.#receive(message));
  readonly #strip = createAppStrip((type) => this.#extension.send({ type }));
  readonly #card = element('section', { class: 'card' });
  readonly #call = createCallSection();
  readonly #slot = element('div', { class: 'slot' });
  readonly #place = element('div', { class: 'place' }, this.#call.element, this.#slot);
  readonly #question = createAppQuestion((id, choice) => this.#extension.send({ type: 'answer', id, choice }));
  readonly #codeNotice = createCodeNotice(() => this.#extension.send({ type: 'askCode' }));
  readonly #status = element('div', { class: 'screen-reader-only', role: 'status' });
  readonly #deciding: HTMLButtonElement[] = [];
  readonly #guard = createDecisionGuard(
    (isEnabled) => this.#deciding.forEach((each) => (each.disabled = !isEnabled)),
    () => this.#card,
  );
  #frame: AppFrame | undefined;
  #keyboard: KeyboardWatch | undefined;
  #isFilling = true;
  /** What the app has said last, in pixels. */
  #height: number | undefined;
  #unanswered: ReturnType<typeof setTimeout> | undefined;

  readonly #showCard = drawChanges((card: Card) => {
    this.#deciding.length = 0;
    fill(this.#card, this.#cardElements(card));
    if (card.state.kind === 'asking') this.#guard.reset();
    this.#say(card.state.kind === 'shown' ? 'The app is shown.' : (this.#card.querySelector('h2')?.textContent ?? ''));
  });

  constructor(root: HTMLElement) {
    const main = element('main', { class: 'app' }, this.#card, this.#place);
    root.append(this.#strip.element, this.#question.element, this.#codeNotice.element, main, this.#status);
    followSurroundings([this.#slot, this.#place], () => this.#sendSurroundings());
    followLength(this.#place, this.#slot, this.#call.element);
  }

  /** Again until there is an answer: what VS Code sends while it loads a page anew can be lost. */
  start(): void {
    this.#unanswered = setTimeout(() => this.start(), answerMs);
    this.#sendSurroundings();
    const ready = { jsonrpc: '2.0', method: 'ui/notifications/sandbox-proxy-ready', params: {} };
    this.#extension.send({ type: 'message', text: JSON.stringify(ready) });
  }

  #receive(message: AppToPanel): void {
    // What is said of typing is no answer.
    if (message.type === 'app' || message.type === 'message') clearTimeout(this.#unanswered);
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
    if (!isAboutSandbox(message)) return this.#frame?.post(message);
    const { method, params } = message;
    if (method !== 'ui/notifications/sandbox-resource-ready' || !isRecord(params)) return;
    const document = readDocument(params);
    if (document === undefined) return;
    this.#removeFrame();
    const frame = new AppFrame(document, isString(params['allow']) ? params['allow'] : '', {
      tell: (said) => this.#passUp(said),
      onPress: (isUp) => this.#keyboard?.notePress(isUp),
      onLeaveKey: () => this.#keyboard?.leave(),
    });
    this.#frame = frame;
    frame.setTheme(themeOfPage());
    this.#keyboard = new KeyboardWatch({
      frame: frame.element,
      home: () => this.#question.heading ?? this.#strip.title,
      onTaken: (wasHere) => this.#keyboardTaken(wasHere),
      onAskAgain: () => this.#say('Click again to type in the app.'),
    });
    this.#slot.replaceChildren(frame.element, ...this.#keyboard.elements);
    this.#place.classList.remove('is-long');
    this.#height = undefined;
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

  #passUp(message: AppFromPanel): void {
    const { type } = message;
    if (type === 'left' || type === 'unreachable' || (type === 'dropped' && message.isOver)) this.#removeFrame();
    // Messages of the app about the sandbox would be taken for this page's.
    if (type === 'message' && isAboutSandbox(JSON.parse(message.text))) return;
    this.#extension.send(message);
  }

  #sendSurroundings(): void {
    const surroundings = measureSurroundings(this.#slot, this.#room());
    this.#frame?.setTheme(surroundings.theme);
    this.#extension.send({ type: 'surroundings', surroundings });
  }

  /** How high an app can be without a scroll bar. What comes and goes above it counts as gone: the app need not follow that. */
  #room(): number {
    const { marginTop, marginBottom } = getComputedStyle(this.#slot);
    const edges = Number.parseFloat(marginTop) + Number.parseFloat(marginBottom);
    const borders = this.#slot.offsetHeight - this.#slot.clientHeight;
    const above = this.#strip.element.offsetHeight + this.#call.closedHeight;
    return Math.max(0, Math.floor(window.innerHeight - above - edges - borders));
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
    this.#codeNotice.show(isShown && view.isKeptFromCode);
    this.#place.hidden = !isShown;
    this.#slot.classList.toggle('has-border', hasBorder);
    this.#place.classList.toggle('is-inline', !isFilling);
    this.#isFilling = isFilling;
    this.#setHeight();
    this.#call.show(isFilling ? undefined : call);
    if (this.#frame !== undefined) this.#frame.element.title = `App ${title}`;
    this.#card.hidden = isShown;
    this.#showCard({ server: view.server, state, reach: view.reach, notices: isShown ? [] : view.notices });
  }

  #setHeight(): void {
    this.#frame?.setHeight(this.#isFilling ? undefined : this.#height);
  }

  #cardElements({ server, state, reach, notices }: Card): Child {
    const card = (title: string, text: string, action?: HTMLElement): Child => [
      element('h2', { text: title }),
      element('p', {}, inlineText(text)),
      action,
    ];
    const act = (label: string, name = 'refresh', type: 'reload' | 'show' = 'reload'): HTMLElement =>
      button({ label, icon: name, onClick: () => this.#extension.send({ type }) });
    switch (state.kind) {
      case 'shown':
        return undefined;
      case 'loading':
        return card('Loading the app', state.text);
      case 'asking':
        return this.#questionElements(state, reach, notices);
      case 'failed':
        return card('The app cannot be shown', state.text, act('Try Again'));
      case 'ended':
        return card('The app has ended', state.text, act('Show Again'));
      case 'restored': {
        const text = state.isChanged
          ? `The definition of “${server}” has changed since this was opened. The app starts empty: what it showed belongs to the earlier definition.`
          : state.hasCall
            ? 'Nothing runs yet. The app is shown with its last call from the history, without calling the tool again.'
            : 'Nothing runs yet. What the app showed was not kept. Call its tool again to fill it.';
        return card('This app was open before the window was reloaded', text, act('Show App', 'window', 'show'));
      }
    }
  }

  #questionElements(
    { id, isChanged, isCode }: Extract<AppState, { readonly kind: 'asking' }>,
    { places, permissions }: Card['reach'],
    notices: Card['notices'],
  ): Child {
    const decide = (type: 'allow' | 'refuse') => (): void => {
      if (this.#guard.isEnabled && this.#guard.hasInteraction) this.#extension.send({ type, id });
    };
    this.#deciding.push(
      button({ label: isCode ? 'Allow for This App' : 'Allow This', kind: 'primary', onClick: decide('allow') }),
      button({ label: 'Show Without', onClick: decide('refuse') }),
    );
    const lines = [...places, ...permissions].map((line) => element('li', {}, inlineText(line)));
    const { title, hint } = isCode ? codeWords(isChanged) : reachWords(isChanged, places.length > 0);
    const about = 'An app is a page of its server. It runs apart from the editor and your files. It asks for:';
    return [
      element('h2', { text: title }),
      element('p', { text: about }),
      element('ul', { class: 'reach' }, lines),
      element('p', { class: 'hint', text: hint }),
      notices.map((notice) => element('p', { class: 'hint' }, inlineText(notice))),
      element('div', { class: 'decisions' }, this.#deciding),
    ];
  }
}

function reachWords(isChanged: boolean, hasPlaces: boolean) {
  const hint = hasPlaces
    ? 'What its server sends it and what you type can be sent there.'
    : 'This applies while the app is open.';
  return {
    hint,
    title: isChanged ? 'This app wants to reach other places than before' : 'This app asks for permissions',
  };
}

function codeWords(isChanged: boolean) {
  return {
    title: isChanged ? 'This app has changed and wants to run generated code' : 'This app wants to run generated code',
    hint: 'Maps, PDF viewers and 3D scenes often need this. It gives the app access to no other places. You are asked again when the page of the app changes.',
  };
}

/**
 * Says that the app was kept from code that it makes, and leads to the question about it, which stands where the app is not. The app
 * can make this come, so its button waits as those of questions do.
 */
function createCodeNotice(onAsk: () => void) {
  const allow = button({
    label: 'Allow for This App…',
    kind: 'secondary',
    onClick: () => guard.isEnabled && guard.hasInteraction && onAsk(),
  });
  const text = 'This app was not allowed to run generated code.';
  const notice = element(
    'p',
    { class: 'notice', role: 'status', hidden: true },
    icon('shield'),
    element('span', { text }),
    allow,
  );
  const guard = createDecisionGuard(
    (isEnabled) => (allow.disabled = !isEnabled),
    () => notice,
  );
  return {
    element: notice,
    show(isShown: boolean): void {
      if (notice.hidden !== isShown) return;
      notice.hidden = !isShown;
      if (isShown) guard.reset();
    },
  };
}

function isAboutSandbox(message: unknown): message is UnknownRecord {
  const method = isRecord(message) ? message['method'] : undefined;
  return isString(method) && method.startsWith('ui/notifications/sandbox-');
}

function readDocument({ html, address, proof }: UnknownRecord): AppDocument | undefined {
  if (isString(html)) return { html };
  return isString(address) && isString(proof) ? { address, proof } : undefined;
}

/**
 * Gives a place a column for its scroll bar once its content is longer, until the place has another size: that of the window, or
 * without a question above it. A column that comes and goes with its content would change the width of an app, and so its height,
 * again and again.
 */
function followLength(place: HTMLElement, ...contents: readonly HTMLElement[]): void {
  let size = '';
  const look = (): void => {
    const now = `${place.offsetWidth} ${place.offsetHeight}`;
    if (now !== size) place.classList.remove('is-long');
    size = now;
    if (place.scrollHeight > place.clientHeight) place.classList.add('is-long');
  };
  const observer = new ResizeObserver(look);
  for (const each of [place, ...contents]) observer.observe(each);
}

/** The call of an app in words, folded: what the server said, beside what its app makes of it. */
function createCallSection() {
  const line = element('span', { class: 'call-line' });
  const body = element('div', { class: 'call-body' });
  const summary = element('summary', {}, 'Call and result as text ', line);
  const details = element('details', { class: 'call', hidden: true }, summary, body);
  const draw = drawChanges(({ args, result }: AppCallView) => {
    const running = element('p', { class: 'muted', text: 'The call is running.' });
    fill(line, inlineText(args));
    fill(
      body,
      element('h2', { text: 'Arguments' }),
      exactText(args, 'exact code'),
      element('h2', { text: 'Result' }),
      result === undefined ? running : exactText(result, 'exact code'),
    );
  });
  const show = (call: AppCallView | undefined): void => {
    details.hidden = call === undefined;
    if (call !== undefined) draw(call);
  };
  return {
    element: details,
    show,
    /** What it takes where it is not open. */
    get closedHeight(): number {
      return details.hidden ? 0 : summary.offsetHeight + details.offsetHeight - details.clientHeight;
    },
  };
}
