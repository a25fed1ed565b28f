import type { JsonPreview } from '../base/jsonPreview.ts';

/** A content block as the panels draw it: plain data that the extension has checked. */
export type ContentView = BlockView & {
  readonly annotations?: AnnotationsView;
  /** The result panel offers to save the block as a file. */
  readonly canSave?: true;
  /** The result panel offers to open the block in an editor. */
  readonly canOpen?: true;
};

/** A JSON value as the result panel shows it: as a tree, and the lists of like objects in it as tables too. */
export interface JsonView {
  readonly json: JsonPreview;
  readonly tables: readonly TableView[];
}

/** A list of like objects as a table: its beginning, if it is long. */
export interface TableView {
  /** Keys and indexes from the value to the list. */
  readonly path: readonly (string | number)[];
  readonly columns: readonly string[];
  readonly moreColumns: number;
  readonly rows: readonly (readonly TableCell[])[];
  /** Objects of the list; `rows` may have fewer. */
  readonly total: number;
}

/** One cell: the text of a string, else JSON. Long texts are cut, with an ellipsis. */
export interface TableCell {
  readonly type: 'string' | 'number' | 'boolean' | 'null' | 'json' | 'absent';
  readonly text: string;
}

/** A picture, a sound or a film; `source` is a `data:` URI of an allowed media type. */
export interface MediaView {
  readonly kind: 'image' | 'audio' | 'video';
  readonly source: string;
  readonly mimeType: string;
}

export interface AnnotationsView {
  /** The audience is the assistant alone, not the person. */
  readonly isForAssistantOnly: boolean;
  readonly texts: readonly string[];
}

export type BlockView =
  | TextView
  | MediaView
  | ResourceView
  | LinkView
  | { readonly kind: 'toolUse'; readonly name: string; readonly input: JsonPreview }
  | {
      readonly kind: 'toolResult';
      readonly isError: boolean;
      readonly content: readonly ContentView[];
      readonly structured: JsonPreview | undefined;
    }
  | { readonly kind: 'json'; readonly json: JsonPreview }
  /** Media that cannot be drawn; `reason` is a sentence for people. */
  | { readonly kind: 'omitted'; readonly mimeType: string; readonly bytes: number; readonly reason: string };

export interface TextView {
  readonly kind: 'text';
  readonly text: string;
  /** What the text says, if it is JSON and a result. */
  readonly json?: JsonView;
  /** The structured content of its result says the same. */
  readonly isRepeated?: boolean;
}

export interface LinkView {
  readonly kind: 'link';
  readonly uri: string;
  readonly title: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly bytes?: number;
  /** `data:` URIs of checked images, one for each kind of theme. */
  readonly icon?: { readonly light: string; readonly dark: string };
}

export interface ResourceView {
  readonly kind: 'resource';
  readonly uri: string;
  readonly mimeType: string;
  /** `undefined` if the resource is binary. */
  readonly text: string | undefined;
  readonly bytes: number;
  /** What the text says, if it is JSON and in a result. */
  readonly json?: JsonView;
  /** Present if it can be drawn. */
  readonly media?: MediaView;
}

export interface MessageView {
  readonly role: 'user' | 'assistant';
  readonly content: readonly ContentView[];
}
