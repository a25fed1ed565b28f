import { parseJson } from '../base/json.ts';
import type { JsonPreview } from '../base/jsonPreview.ts';
import type { ContentView, MessageView, TableView } from './content.ts';
import {
  createMessageReader,
  either,
  type MessageOf,
  objectOf,
  oneOf,
  type Read,
  readValue,
  text,
  valuePath,
  wholeNumber,
} from './messageReader.ts';
import type { ShownPlace } from './stackPlaces.ts';

/** A button above a result. `icon` is the name of a codicon. */
export interface ResultAction {
  readonly id: string;
  readonly label: string;
  readonly icon: string;
}

/** One place where the structured content breaks the tool's output schema. */
export interface DifferenceView {
  /** Keys and indexes from the structured content to the place. */
  readonly path: readonly string[];
  /** "must be a number" */
  readonly message: string;
}

/** The result of a prompt or a tool, or another text of a server, as the result panel shows it. */
export interface ResultView {
  readonly title: string;
  readonly server: string;
  readonly description: string | undefined;
  readonly arguments?: JsonPreview;
  /** Milliseconds from the request to the result. */
  readonly durationMs?: number;
  /** The size of the result as JSON, in characters, approximately. */
  readonly size?: number;
  readonly body: ResultBody;
  /** The result as JSON, `_meta` included, long texts cut. */
  readonly raw?: { readonly json: JsonPreview; readonly isCut: boolean };
  /** Where the structured content breaks the tool's output schema; absent if nowhere, or if it was not checked. */
  readonly differences?: readonly DifferenceView[];
  /** Sentences about the result, for instance that a text was cut. */
  readonly notices: readonly string[];
  /** Of a failure: places in files of the workspace, which the page draws as links. */
  readonly places?: readonly ShownPlace[];
  readonly actions: readonly ResultAction[];
  readonly opensResources: boolean;
}

export type ResultBody =
  | { readonly kind: 'messages'; readonly messages: readonly MessageView[] }
  | {
      readonly kind: 'toolResult';
      readonly isError: boolean;
      readonly content: readonly ContentView[];
      readonly structured: JsonPreview | undefined;
      /** Lists of like objects in the structured content. */
      readonly tables?: readonly TableView[];
      /** The structured content says nothing but what the texts say. */
      readonly isStructuredRepeated?: true;
    }
  /** One text, drawn as its type says. */
  | { readonly kind: 'text'; readonly text: string; readonly mimeType?: string };

const textStyle = oneOf('text', 'markdown');

/** How a person wants to see texts without a type of their own, and those that are Markdown by their type. */
export type TextStyle = Read<typeof textStyle>;

export function isTextStyle(value: unknown): value is TextStyle {
  return textStyle(value) === value;
}

/** Messages to the result panel. Without a `textStyle`, texts are drawn by their type. */
export type ResultToPanel = {
  readonly type: 'show';
  readonly view: ResultView;
  readonly textStyle?: TextStyle | undefined;
  /** The page shows this document already, and stays where the person has scrolled to. */
  readonly isUpdate?: true | undefined;
};

/** What a person does with a result, on each page that shows one. */
export const resultMessages = {
  ready: {},
  action: { id: text },
  /** A web address; the extension checks it again before it opens it. */
  openLink: { uri: text },
  openResource: { uri: text },
  openPlace: { index: wholeNumber() },
  copy: { text },
  /** The page shows texts in this way from now on. */
  showTextAs: { style: textStyle },
  save: { index: wholeNumber() },
  open: { index: wholeNumber() },
};

/** Checks a message from the result panel. @returns `undefined` for an invalid message, which callers ignore */
export const readResultMessage = createMessageReader(resultMessages);

export type ResultFromPanel = MessageOf<typeof readResultMessage>;

export const openWholeAction: ResultAction = { id: 'openWhole', label: 'Open Full Content', icon: 'go-to-file' };

export const saveWholeAction: ResultAction = { id: 'saveWhole', label: 'Save Whole As…', icon: 'save-as' };

export const exchangeAction: ResultAction = { id: 'exchange', label: 'Show Exchange', icon: 'arrow-swap' };

/** For a call that failed: the log often says why. */
export const logAction: ResultAction = { id: 'log', label: 'Show Log', icon: 'output' };

/** What the extension copies for the page, which has only a part of it. */
const copyRequest = objectOf({
  /** `value` as JSON, a string as it is; `table` as CSV. */
  what: oneOf('value', 'table'),
  source: either(oneOf('structured', 'arguments', 'raw'), wholeNumber()),
  path: valuePath,
});

export type CopyRequest = Read<typeof copyRequest>;

/** A JSON value in a result: structured content, arguments, the result itself, or the JSON of the block with that index. */
export type JsonSource = CopyRequest['source'];

const copyPrefix = 'copy:';

/** The id of the action that copies something whole. */
export function copyActionId({ what, source, path }: CopyRequest): string {
  return `${copyPrefix}${JSON.stringify([what, source, path])}`;
}

/** Reads {@link copyActionId}. @returns `undefined` for the id of another action, or of none */
export function readCopyAction(id: string): CopyRequest | undefined {
  if (!id.startsWith(copyPrefix)) return undefined;
  const value = parseJson(id.slice(copyPrefix.length));
  if (!Array.isArray(value)) return undefined;
  const [what, source, path] = value as readonly unknown[];
  return readValue(copyRequest, { what, source, path });
}

/** True for an absolute `http:` or `https:` address. Links in a server's text may open no others. */
export function isWebAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol } = new URL(address);
  return protocol === 'https:' || protocol === 'http:';
}
