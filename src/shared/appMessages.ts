import { isRecord, isString, type UnknownRecord } from '../base/json.ts';

/** An app as its page shows it. All texts but the notices are the server's. */
export interface AppView {
  readonly server: string;
  readonly tool: string;
  readonly title: string;
  readonly state: AppState;
  /** What the app may reach, a line each; empty if nothing. */
  readonly reach: readonly string[];
  /** Sentences of Patchbay, for instance on what was declared and is not given. */
  readonly notices: readonly string[];
  /** What its policy has blocked, a line each: what the app says, not what is known. */
  readonly blocked: readonly string[];
  /** The call it shows was invented by the person who tries it. */
  readonly isInvented: boolean;
  /** The call it shows, in words; above an app that is shown inline. */
  readonly call: AppCallView | undefined;
  readonly question: AppQuestionView | undefined;
  /** Drawn with a border. */
  readonly hasBorder: boolean;
  /** It fills its tab; otherwise it is as high as it says, below its call. */
  readonly isFilling: boolean;
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
  /** It wants to reach more than nothing, or more than before. */
  | { readonly kind: 'asking'; readonly isChanged: boolean; readonly id: number }
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

/** What surrounds an app, as its page measures it. */
export interface Surroundings {
  readonly theme: 'light' | 'dark';
  /** CSS variables of the specification, with their values now. */
  readonly variables: Readonly<Record<string, string>>;
  /** Pixels of the place for the app. */
  readonly width: number;
  readonly height: number;
  readonly hasTouch: boolean;
  readonly hasHover: boolean;
  readonly timeZone: string;
}

export type AppToPanel =
  | { readonly type: 'app'; readonly view: AppView; readonly memory: AppMemory }
  /** A JSON-RPC message for the app, or `ui/notifications/sandbox-resource-ready` for the page. */
  | { readonly type: 'message'; readonly message: object }
  /** How high the app wants to be, in pixels. */
  | { readonly type: 'size'; readonly height: number }
  /** The person has typed in a text editor, or in another page; the page sees no key outside itself. */
  | { readonly type: 'typed' }
  /** Removes the app's frame. */
  | { readonly type: 'unload' };

/** What the script in an app's frame tells of it: its policy has blocked something, or a script of it failed. */
export const appReportKinds = ['blocked', 'failed'] as const;

export type AppReportKind = (typeof appReportKinds)[number];

/** What the person can do beside the app. */
const plain = ['reload', 'more', 'show'] as const;

export type AppFromPanel =
  | { readonly type: (typeof plain)[number] }
  /** Of the question that was on the page, what the app may reach. */
  | { readonly type: 'allow' | 'refuse'; readonly id: number }
  /** The person has answered a question; without a choice, it is a no. */
  | { readonly type: 'answer'; readonly id: number; readonly choice: string | undefined }
  /** A JSON-RPC message of the app as JSON, or `ui/notifications/sandbox-proxy-ready` of the page. */
  | { readonly type: 'message'; readonly text: string }
  | { readonly type: 'surroundings'; readonly surroundings: Surroundings }
  /** A link in the app was clicked. */
  | { readonly type: 'link'; readonly href: string }
  /** Messages of the app were not passed on; with `isOver`, it sent so many that its frame was removed. */
  | { readonly type: 'dropped'; readonly count: number; readonly isOver: boolean }
  /** The app could have made this up. */
  | { readonly type: 'report'; readonly kind: AppReportKind; readonly text: string }
  /** The app has taken the keyboard: its frame was removed. `wasHere`: the page around it had the keyboard before. */
  | { readonly type: 'keyboardTaken'; readonly wasHere: boolean }
  /** The app has left its document: its frame was removed. */
  | { readonly type: 'left' }
  /** The address of the app's own origin cannot be reached from this window: its frame was removed. */
  | { readonly type: 'unreachable' };

/** Checks a message from the page of an app. @returns `undefined` for an invalid message, which callers ignore */
export function readAppMessage(value: unknown): AppFromPanel | undefined {
  if (!isRecord(value)) return undefined;
  const { type, text, href, kind, id, choice, count, isOver, wasHere, surroundings } = value;
  const simple = plain.find((each) => each === type);
  if (simple !== undefined) return { type: simple };
  switch (type) {
    case 'message':
      return isString(text) ? { type, text } : undefined;
    case 'answer':
      return Number.isSafeInteger(id)
        ? { type, id: Number(id), choice: isString(choice) ? choice : undefined }
        : undefined;
    case 'allow':
    case 'refuse':
      return Number.isSafeInteger(id) ? { type, id: Number(id) } : undefined;
    case 'link':
      return isString(href) ? { type, href } : undefined;
    case 'report': {
      const known = appReportKinds.find((each) => each === kind);
      return known !== undefined && isString(text) ? { type, kind: known, text } : undefined;
    }
    case 'dropped':
      return Number.isSafeInteger(count) ? { type, count: Number(count), isOver: isOver === true } : undefined;
    case 'keyboardTaken':
      return { type, wasHere: wasHere === true };
    case 'left':
    case 'unreachable':
      return { type };
    case 'surroundings': {
      const read = isRecord(surroundings) ? readSurroundings(surroundings) : undefined;
      return read && { type, surroundings: read };
    }
    default:
      return undefined;
  }
}

function readSurroundings(value: UnknownRecord): Surroundings | undefined {
  const { theme, variables, width, height, hasTouch, hasHover, timeZone } = value;
  if (typeof width !== 'number' || typeof height !== 'number' || !isString(timeZone) || !isRecord(variables))
    return undefined;
  const named = Object.entries(variables).filter((entry): entry is [string, string] => isString(entry[1]));
  return {
    theme: theme === 'light' ? 'light' : 'dark',
    variables: Object.fromEntries(named),
    width,
    height,
    hasTouch: hasTouch === true,
    hasHover: hasHover === true,
    timeZone,
  };
}

/** Checks what a page kept of its app. */
export function readAppMemory(value: unknown): AppMemory | undefined {
  if (!isRecord(value)) return undefined;
  const { server, tool, occurrence, identity, call } = value;
  if (!isString(server) || !isString(tool) || !Number.isSafeInteger(occurrence)) return undefined;
  const text = (each: unknown): string | undefined => (isString(each) ? each : undefined);
  return { server, tool, occurrence: Number(occurrence), identity: text(identity), call: text(call) };
}
