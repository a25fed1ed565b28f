import { isStringRecord } from '../base/json.ts';
import {
  checked,
  createMessageReader,
  type MessageOf,
  number,
  objectOf,
  oneOf,
  optional,
  type Read,
  readValue,
  text,
  truth,
  wholeNumber,
} from './messageReader.ts';

/** An app as its page shows it. All texts but the notices are the server's. */
export interface AppView {
  readonly server: string;
  readonly tool: string;
  readonly title: string;
  readonly state: AppState;
  /** What the app may reach and do, a line each. */
  readonly reach: Readonly<Record<'places' | 'permissions', readonly string[]>>;
  /** Sentences of Patchbay, for instance on what was declared and is not given. */
  readonly notices: readonly string[];
  /** What its policy has blocked, a line each: what the app says, not what is known. */
  readonly blocked: readonly string[];
  /** What of it is refused without a question, a line each, as the person has refused several in a row. */
  readonly muted: readonly string[];
  /** It says that it was kept from running code that it makes, and the person has not answered whether it may. */
  readonly isKeptFromCode: boolean;
  /** What it has logged last, and which of its scripts failed: what the app says. */
  readonly logged: readonly string[];
  /** The call it shows was invented by the person who tries it. */
  readonly isInvented: boolean;
  /** The call it shows, in words; above an app that is shown inline. */
  readonly call: AppCallView | undefined;
  readonly question: AppQuestionView | undefined;
  readonly hasBorder: boolean;
  /** It fills its tab; otherwise it is as high as it says, below its call. */
  readonly isFilling: boolean;
  /** It has a tab of its own column, or a window: there is no need to make it wider. */
  readonly isWide: boolean;
}

/** A question about what the app has asked for, above its frame. All texts are plain; those of the app are bounded. */
export interface AppQuestionView {
  readonly id: number;
  readonly message: string;
  /** Paragraphs. */
  readonly detail: readonly string[];
  /** What it is about, whole: arguments, an address, a message. */
  readonly body: string | undefined;
  /** Answers it with a no. */
  readonly safe: string;
  readonly actions: readonly string[];
}

/** A call as text, bounded. */
export interface AppCallView {
  /** JSON. */
  readonly args: string;
  /** `undefined` while the call runs. */
  readonly result: string | undefined;
}

/** What the page shows in place of the app, or the app. */
export type AppState =
  | { readonly kind: 'loading'; readonly text: string }
  /** It wants to reach more than nothing, or more than before; or, with `isCode`, to run code that it makes. */
  | { readonly kind: 'asking'; readonly isChanged: boolean; readonly isCode: boolean; readonly id: number }
  | { readonly kind: 'shown' }
  /** It is gone, and can be loaded again. */
  | { readonly kind: 'ended'; readonly text: string }
  | { readonly kind: 'failed'; readonly text: string }
  /**
   * The window was reloaded: nothing was read or called. `hasCall`: the call that it showed is kept; `isChanged`: another
   * server has the label now, so the app is shown without it.
   */
  | { readonly kind: 'restored'; readonly hasCall: boolean; readonly isChanged: boolean };

export interface AppTarget {
  readonly server: string;
  readonly tool: string;
  /** The index among tools of that name. */
  readonly occurrence: number;
}

/** What a page keeps of its app over a reload of the window. */
export interface AppMemory extends AppTarget {
  /** Who the server was: see `Server.identity`; absent before the app was read. */
  readonly identity?: string | undefined;
  /** The id of the call that it shows in the history, if it is kept there. */
  readonly call?: string | undefined;
}

const surroundings = objectOf({
  theme: oneOf('light', 'dark'),
  /** CSS variables of the specification, with their values now. */
  variables: checked(isStringRecord),
  /** Rules for the fonts of the window; empty where it has none by name. */
  fonts: text,
  /** Pixels of the place for the app. */
  width: number,
  height: number,
  /** How high an app can be without a scroll bar. */
  room: number,
  hasTouch: truth,
  hasHover: truth,
  timeZone: text,
});

/** What surrounds an app, as its page measures it. */
export type Surroundings = Read<typeof surroundings>;

export type AppToPanel =
  | { readonly type: 'app'; readonly view: AppView; readonly memory: AppMemory }
  /** A JSON-RPC message for the app, or `ui/notifications/sandbox-resource-ready` for the page. */
  | { readonly type: 'message'; readonly message: object }
  /** How high the app wants to be, in pixels. */
  | { readonly type: 'size'; readonly height: number }
  /** The person has typed in a text editor, or in another page; the page sees no key outside itself. */
  | { readonly type: 'typed' }
  | { readonly type: 'unload' };

/** What the script in an app's frame tells of it: its policy has blocked something, or a script of it failed. */
export const appReportKinds = ['blocked', 'failed'] as const;

export type AppReportKind = (typeof appReportKinds)[number];

const question = { id: wholeNumber() };

/** Checks a message from the page of an app. @returns `undefined` for an invalid message, which callers ignore */
export const readAppMessage = createMessageReader({
  // What the person can do beside the app.
  reload: {},
  more: {},
  show: {},
  /** To give the app a whole tab, or its place beside again. */
  widen: {},
  /** To call its tool. */
  call: {},
  /** To be asked whether the app may run code that it makes. */
  askCode: {},
  /** Of the question that was on the page, what the app may reach or run. */
  allow: question,
  refuse: question,
  /** The person has answered a question; without a choice, it is a no. */
  answer: { ...question, choice: optional(text) },
  /** A JSON-RPC message of the app as JSON, or `ui/notifications/sandbox-proxy-ready` of the page. */
  message: { text },
  surroundings: { surroundings },
  link: { href: text },
  /** Messages of the app were not passed on; with `isOver`, it sent so many that its frame was removed. */
  dropped: { count: wholeNumber(), isOver: truth },
  /** The app could have made this up. */
  report: { kind: oneOf(...appReportKinds), text },
  /** The app has taken the keyboard: its frame was removed. `wasHere`: the page around it had the keyboard before. */
  keyboardTaken: { wasHere: truth },
  /** The app has left its document: its frame was removed. */
  left: {},
  /** The address of the app's own origin cannot be reached from this window: its frame was removed. */
  unreachable: {},
});

export type AppFromPanel = MessageOf<typeof readAppMessage>;

const memory = objectOf({
  server: text,
  tool: text,
  occurrence: wholeNumber(),
  identity: optional(text),
  call: optional(text),
});

/** Checks what a page kept of its app. */
export function readAppMemory(value: unknown): AppMemory | undefined {
  return readValue(memory, value);
}
