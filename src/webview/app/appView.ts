import { isRecord, isString } from '../../base/json.ts';
import { element } from '../dom.ts';

/** What the page around an app gets of it. */
export interface AppFrameEvents {
  /** A message as JSON. */
  readonly onMessage: (text: string) => void;
  readonly onLink: (href: string) => void;
  readonly onDropped: (count: number, isOver: boolean) => void;
  /** The frame shows another document than the app's. */
  readonly onLeft: () => void;
}

/** The frame of one app. */
export interface AppFrame {
  readonly element: HTMLIFrameElement;
  post(message: object): void;
  /** Sets the height that the app wants; `undefined` fills the place. */
  setHeight(pixels: number | undefined): void;
  remove(): void;
}

/**
 * An app may send this many messages at once, and this many a second; beyond, they are dropped. After `over` drops in a second
 * its frame is removed: each message costs the window time, even to drop it.
 */
const rate = { burst: 200, perSecond: 100, over: 2_000, characters: 5_000_000 };

/** Milliseconds between two reports of what was dropped. */
const reportMs = 1_000;

/**
 * Creates the frame of an app. Its origin is opaque: it reaches neither this page nor the window, and has no storage.
 * @param html with the app's own policy; that of this page holds too
 * @param allow for permissions that a person has given
 */
export function createAppFrame(html: string, allow: string, events: AppFrameEvents): AppFrame {
  const frame = element('iframe', { class: 'app', sandbox: 'allow-scripts', title: 'App' });
  if (allow !== '') frame.allow = allow;
  const gate = createGate((count, isOver) => {
    if (isOver) remove();
    events.onDropped(count, isOver);
  });
  const receive = (event: MessageEvent<unknown>): void => {
    // The origin says nothing: every frame without one is "null".
    if (event.source === null || event.source !== frame.contentWindow || !gate.passes(event.timeStamp)) return;
    const { data } = event;
    if (isRecord(data) && isString(data['patchbay'])) return receiveOwn(data);
    const text = toText(data);
    if (text === undefined) gate.drop();
    else events.onMessage(text);
  };
  const receiveOwn = ({ patchbay, href, key, shiftKey }: Readonly<Record<string, unknown>>): void => {
    if (patchbay === 'link' && isString(href)) events.onLink(href);
    // Only while the person is using the app: otherwise it would be the app that presses keys.
    if (patchbay === 'key' && (key === 'F1' || key === 'F6') && navigator.userActivation.isActive)
      window.dispatchEvent(new KeyboardEvent('keydown', { ...keys[key], shiftKey: shiftKey === true, bubbles: true }));
  };
  let loads = 0;
  frame.addEventListener('load', () => {
    loads += 1;
    if (loads === 1) return;
    remove();
    events.onLeft();
  });
  window.addEventListener('message', receive);
  function remove(): void {
    window.removeEventListener('message', receive);
    gate.end();
    frame.remove();
  }
  frame.srcdoc = html;
  return {
    element: frame,
    post: (message) => frame.contentWindow?.postMessage(message, '*'),
    setHeight: (pixels) => (frame.style.height = pixels === undefined ? '' : `min(100%, ${Math.max(40, pixels)}px)`),
    remove,
  };
}

const keys = {
  F1: { key: 'F1', code: 'F1', keyCode: 112 },
  F6: { key: 'F6', code: 'F6', keyCode: 117 },
};

/** @returns the message as JSON; `undefined` for what is none, or too long */
function toText(data: unknown): string | undefined {
  try {
    const text: unknown = isRecord(data) || Array.isArray(data) ? JSON.stringify(data) : undefined;
    return isString(text) && text.length <= rate.characters ? text : undefined;
  } catch {
    return undefined;
  }
}

interface Gate {
  /** @param now milliseconds */
  passes(now: number): boolean;
  drop(): void;
  end(): void;
}

function createGate(report: (count: number, isOver: boolean) => void): Gate {
  let left = rate.burst;
  let last = 0;
  let dropped = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tell = (isOver: boolean): void => {
    clearTimeout(timer);
    timer = undefined;
    const count = dropped;
    dropped = 0;
    report(count, isOver);
  };
  const drop = (): void => {
    dropped += 1;
    if (dropped >= rate.over) return tell(true);
    timer ??= setTimeout(() => tell(false), reportMs);
  };
  return {
    drop,
    passes(now) {
      left = Math.min(rate.burst, left + ((now - last) / 1_000) * rate.perSecond);
      last = now;
      if (left < 1) {
        drop();
        return false;
      }
      left -= 1;
      return true;
    },
    end: () => clearTimeout(timer),
  };
}
