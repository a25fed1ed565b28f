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
  /** The call it shows was invented by the person who tries it. */
  readonly isInvented: boolean;
  /** Drawn with a border. */
  readonly hasBorder: boolean;
  /** It fills its tab; otherwise it is as high as it says, and no higher than the tab. */
  readonly isFilling: boolean;
}

/** What the page shows in place of the app, or the app. */
export type AppState =
  | { readonly kind: 'loading'; readonly text: string }
  /** It wants to reach more than nothing, or more than before. */
  | { readonly kind: 'asking'; readonly isChanged: boolean }
  | { readonly kind: 'shown' }
  /** It is gone, and can be loaded again. */
  | { readonly kind: 'ended'; readonly text: string }
  | { readonly kind: 'failed'; readonly text: string }
  /** The window was reloaded: nothing was read or called. */
  | { readonly kind: 'restored' };

/** What a page kept of its app over a reload of the window. */
export interface AppTarget {
  readonly server: string;
  readonly tool: string;
  /** The index among tools of that name. */
  readonly occurrence: number;
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

/** Messages to the page of an app. */
export type AppToPanel =
  | { readonly type: 'app'; readonly view: AppView; readonly target: AppTarget }
  /** A JSON-RPC message for the app, or `ui/notifications/sandbox-resource-ready` for the page. */
  | { readonly type: 'message'; readonly message: object }
  /** How high the app wants to be, in pixels. */
  | { readonly type: 'size'; readonly height: number }
  /** Removes the app's frame. */
  | { readonly type: 'unload' };

/** What the person can do beside the app. */
const plain = ['reload', 'more', 'show', 'allow', 'refuse', 'start'] as const;

/** Messages from the page of an app. */
export type AppFromPanel =
  | { readonly type: (typeof plain)[number] }
  /** A JSON-RPC message of the app as JSON, or `ui/notifications/sandbox-proxy-ready` of the page. */
  | { readonly type: 'message'; readonly text: string }
  | { readonly type: 'surroundings'; readonly surroundings: Surroundings }
  /** A link in the app was clicked. */
  | { readonly type: 'link'; readonly href: string }
  /** Messages of the app were not passed on; with `isOver`, it sent so many that its frame was removed. */
  | { readonly type: 'dropped'; readonly count: number; readonly isOver: boolean }
  /** The app has left its document: its frame was removed. */
  | { readonly type: 'left' };

/** Checks a message from the page of an app. @returns `undefined` for an invalid message, which callers ignore */
export function readAppMessage(value: unknown): AppFromPanel | undefined {
  if (!isRecord(value)) return undefined;
  const { type, text, href, count, isOver, surroundings } = value;
  const simple = plain.find((each) => each === type);
  if (simple !== undefined) return { type: simple };
  switch (type) {
    case 'message':
      return isString(text) ? { type, text } : undefined;
    case 'link':
      return isString(href) ? { type, href } : undefined;
    case 'dropped':
      return Number.isSafeInteger(count) ? { type, count: Number(count), isOver: isOver === true } : undefined;
    case 'left':
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
export function readAppTarget(value: unknown): AppTarget | undefined {
  if (!isRecord(value)) return undefined;
  const { server, tool, occurrence } = value;
  if (!isString(server) || !isString(tool) || !Number.isSafeInteger(occurrence)) return undefined;
  return { server, tool, occurrence: Number(occurrence) };
}
