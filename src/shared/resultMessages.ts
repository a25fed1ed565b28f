import { isRecord, isString } from '../base/json.ts';
import type { JsonPreview } from '../base/jsonPreview.ts';
import type { ContentView, MessageView } from './content.ts';

/** A button above a result. `icon` is the name of a codicon. */
export interface ResultAction {
  readonly id: string;
  readonly label: string;
  readonly icon: string;
}

/** The result of a prompt or a tool, or another text of a server, as the result panel shows it. */
export interface ResultView {
  readonly title: string;
  readonly server: string;
  readonly description: string | undefined;
  /** The arguments of the call, if known. */
  readonly arguments?: JsonPreview;
  /** Milliseconds from the request to the result. */
  readonly durationMs?: number;
  /** The size of the result as JSON, in characters, approximately. */
  readonly size?: number;
  readonly body: ResultBody;
  /** The result as JSON, `_meta` included, long texts cut. */
  readonly raw?: { readonly json: JsonPreview; readonly isCut: boolean };
  /** Sentences about the result, for instance that a text was cut. */
  readonly notices: readonly string[];
  readonly actions: readonly ResultAction[];
  /** The panel can open links to resources. */
  readonly opensResources: boolean;
}

/** The main part of a result. */
export type ResultBody =
  | { readonly kind: 'messages'; readonly messages: readonly MessageView[] }
  | {
      readonly kind: 'toolResult';
      readonly isError: boolean;
      readonly content: readonly ContentView[];
      readonly structured: JsonPreview | undefined;
    }
  /** One text, drawn as Markdown. */
  | { readonly kind: 'text'; readonly text: string };

/** Messages to the result panel. */
export type ResultToPanel = { readonly type: 'show'; readonly view: ResultView };

/** Messages from the result panel. */
export type ResultFromPanel =
  | { readonly type: 'ready' }
  | { readonly type: 'action'; readonly id: string }
  /** A web address; the extension checks it again before it opens it. */
  | { readonly type: 'openLink'; readonly uri: string }
  | { readonly type: 'openResource'; readonly uri: string }
  /** Saves the block with that index as a file. */
  | { readonly type: 'save'; readonly index: number };

/** The button for a result that is shown only in part. */
export const openWholeAction: ResultAction = { id: 'openWhole', label: 'Open Whole as File', icon: 'go-to-file' };

/** Checks a message from the result panel. @returns `undefined` for an invalid message, which callers ignore */
export function readResultMessage(value: unknown): ResultFromPanel | undefined {
  if (!isRecord(value)) return undefined;
  const { type, id, uri, index } = value;
  switch (type) {
    case 'ready':
      return { type };
    case 'action':
      return isString(id) ? { type, id } : undefined;
    case 'openLink':
    case 'openResource':
      return isString(uri) ? { type, uri } : undefined;
    case 'save':
      return typeof index === 'number' ? { type, index } : undefined;
    default:
      return undefined;
  }
}

/** True for an absolute `http:` or `https:` address. Links in a server's text may open no others. */
export function isWebAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol } = new URL(text);
  return protocol === 'https:' || protocol === 'http:';
}
