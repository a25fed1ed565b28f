import { isRecord, isString } from '../../base/json.ts';
import { type AppFromPanel, appReportKinds } from '../../shared/appMessages.ts';
import { element } from '../dom.ts';
import { createMessageGate, maximumMessage } from './messageGate.ts';

/** The document of an app: a text, or what an address of its own origin shows, which says the proof first. */
export type AppDocument = { readonly html: string } | { readonly address: string; readonly proof: string };

export interface AppFrameEvents {
  /**
   * What the app says, or what became of it. A message is JSON; a link and a report are what the script in its frame says,
   * unchecked. After `left`, `unreachable` and too many messages its frame is gone.
   */
  readonly tell: (message: AppFromPanel) => void;
  /** A person has pressed in the app, as the browser confirms. @param isUp the pointer is up again, as the app says */
  readonly onPress: (isUp: boolean) => void;
  /** A key of the person asks for the way out of the app; the app could make this up. */
  readonly onLeaveKey: () => void;
}

/** A message with what the browser knows of its sender (`includeUserActivation`), where it does. */
interface ConfirmedEvent extends MessageEvent<unknown> {
  readonly userActivation?: UserActivation;
}

/** Characters of one text of the script in the frame. */
const maximumOwn = 4_000;

/** Milliseconds in which a served document has to show that it is the right one. */
const proofMs = 4_000;

/** Of one byte in JSON, as a member with a number. */
const charactersOfByte = 10;

/**
 * The frame of one app. A document that is a text has an opaque origin: it reaches neither this page nor the window, and
 * has no storage. A served one has the origin of its address, which must be none of those around it.
 */
export class AppFrame {
  readonly element: HTMLIFrameElement;
  readonly #events: AppFrameEvents;
  /** `undefined` for an opaque one. */
  readonly #origin: string | undefined;
  readonly #gate: ReturnType<typeof createMessageGate>;
  readonly #receive = (event: MessageEvent<unknown>): void => this.#receiveEvent(event);
  readonly #proofTimer: ReturnType<typeof setTimeout> | undefined;
  /** What the document has still to say first. */
  #proof: string | undefined;
  #loads = 0;
  #theme: 'light' | 'dark' | undefined;

  /**
   * @param document with the app's own policy; that of this page holds too for a text
   * @param allow for permissions that a person has given
   */
  constructor(document: AppDocument, allow: string, events: AppFrameEvents) {
    this.#events = events;
    this.#origin = 'html' in document ? undefined : new URL(document.address).origin;
    this.#gate = createMessageGate((count, isOver) => {
      if (isOver) this.remove();
      events.tell({ type: 'dropped', count, isOver });
    });
    const sandbox = this.#origin === undefined ? 'allow-scripts' : 'allow-scripts allow-same-origin';
    this.element = element('iframe', { class: 'app', sandbox, title: 'App' });
    if (allow !== '') this.element.allow = allow;
    this.element.addEventListener('load', () => this.#loaded());
    window.addEventListener('message', this.#receive);
    if ('html' in document) {
      this.element.srcdoc = document.html;
      return;
    }
    this.#proof = document.proof;
    this.#proofTimer = setTimeout(() => this.#giveUp(), proofMs);
    // With the origin of a page around it, the app could do all that this page can.
    if (originsAround().includes(this.#origin)) this.#giveUp();
    else this.element.src = document.address;
  }

  post(message: object): void {
    if (this.#proof === undefined) this.element.contentWindow?.postMessage(message, this.#origin ?? '*');
  }

  /** An app that has not connected follows the theme too, by what it asks the browser. */
  setTheme(theme: 'light' | 'dark'): void {
    if (theme === this.#theme) return;
    this.#theme = theme;
    this.#tellTheme();
  }

  /** Again once the document is there: until then, nothing takes it. */
  #tellTheme(): void {
    if (this.#theme !== undefined) this.post({ patchbay: 'theme', theme: this.#theme });
  }

  /** Sets the height that the app wants; `undefined` fills the place. */
  setHeight(pixels: number | undefined): void {
    const { style } = this.element;
    style.height = pixels === undefined ? '' : `${Math.max(40, pixels)}px`;
    style.flex = pixels === undefined ? '' : 'none';
  }

  remove(): void {
    window.removeEventListener('message', this.#receive);
    clearTimeout(this.#proofTimer);
    this.#gate.end();
    this.element.remove();
  }

  #giveUp(): void {
    this.remove();
    this.#events.tell({ type: 'unreachable' });
  }

  /** The first document is the app's; any other is one that it went to. */
  #loaded(): void {
    this.#loads += 1;
    if (this.#loads === 1) return this.#tellTheme();
    this.remove();
    this.#events.tell({ type: 'left' });
  }

  #receiveEvent(event: MessageEvent<unknown>): void {
    if (event.source === null || event.source !== this.element.contentWindow) return;
    // Without one of its own, the origin says nothing: every frame without one is "null".
    if (this.#origin !== undefined && event.origin !== this.#origin) return;
    if (!this.#gate.passes(event.timeStamp)) return;
    const { data } = event;
    if (this.#proof !== undefined) return this.#prove(data);
    if (isRecord(data) && data['patchbay'] === 'press') return this.#receivePress(event, data['isUp'] === true);
    if (isRecord(data) && isString(data['patchbay'])) return this.#receiveOwn(data);
    if (!this.#gate.takes((most) => costOf(data, most), event.timeStamp)) return;
    const text = toText(data);
    if (text === undefined) this.#gate.drop();
    else this.#events.tell({ type: 'message', text });
  }

  #prove(data: unknown): void {
    if (!isRecord(data) || data['proof'] !== this.#proof) return;
    this.#proof = undefined;
    clearTimeout(this.#proofTimer);
    this.#tellTheme();
  }

  /** Browsers that confirm nothing of the sender say it of this page, which is in use where its frame is. */
  #receivePress({ userActivation = navigator.userActivation }: ConfirmedEvent, isUp: boolean): void {
    if (userActivation.isActive) this.#events.onPress(isUp);
  }

  /** What the script in the frame says, or the app in its place. */
  #receiveOwn({ patchbay, href, text }: Readonly<Record<string, unknown>>): void {
    // An address that is cut leads to another page.
    if (patchbay === 'link' && isString(href))
      return href.length > maximumOwn ? this.#gate.drop() : this.#events.tell({ type: 'link', href });
    const kind = appReportKinds.find((each) => each === patchbay);
    if (kind !== undefined && isString(text))
      return this.#events.tell({ type: 'report', kind, text: text.slice(0, maximumOwn) });
    if (patchbay === 'key') this.#events.onLeaveKey();
  }
}

/** Those of this page and of all pages that it is in. */
function originsAround(): readonly (string | undefined)[] {
  // Not every browser tells them.
  const ancestors = 'ancestorOrigins' in location ? location.ancestorOrigins : [];
  return [self.origin, ...ancestors];
}

/**
 * Counts members and characters, as they would be in JSON: one part of a small message may stand in many places of it.
 * @returns more than `most` where there are more; the rest is not looked at
 */
function costOf(message: unknown, most: number): number {
  let cost = 0;
  const open: unknown[] = [message];
  while (open.length > 0 && cost + open.length <= most) {
    const value = open.pop();
    cost += isString(value) ? value.length + 1 : 1;
    if (ArrayBuffer.isView(value)) cost += value.byteLength * charactersOfByte;
    else if (Array.isArray(value)) {
      if (value.length > most) return most + 1;
      for (const member of value) open.push(member);
    } else if (isRecord(value)) {
      for (const name of Object.keys(value)) {
        cost += name.length;
        open.push(value[name]);
      }
    }
  }
  return cost + open.length;
}

/** @returns the message as JSON; `undefined` for what is none, or too long */
function toText(data: unknown): string | undefined {
  try {
    const text: unknown = isRecord(data) || Array.isArray(data) ? JSON.stringify(data) : undefined;
    return isString(text) && text.length <= maximumMessage ? text : undefined;
  } catch {
    return undefined;
  }
}
