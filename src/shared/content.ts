import type { JsonPreview } from '../base/jsonPreview.ts';

/** A content block as the panels draw it: plain data that the extension has checked. */
export type ContentView = BlockView & {
  /** The server's annotations, if any. */
  readonly annotations?: AnnotationsView;
  /** The result panel offers to save the block as a file. */
  readonly canSave?: true;
};

/** The annotations of a block, in words. */
export interface AnnotationsView {
  /** The audience is the assistant alone, not the person. */
  readonly isForAssistantOnly: boolean;
  readonly texts: readonly string[];
}

/** The block itself, without its annotations. */
export type BlockView =
  | { readonly kind: 'text'; readonly text: string }
  /** `source` is a `data:` URI of an allowed media type. */
  | { readonly kind: 'image'; readonly source: string; readonly mimeType: string }
  | { readonly kind: 'audio'; readonly source: string; readonly mimeType: string }
  | ResourceView
  | LinkView
  | { readonly kind: 'toolUse'; readonly name: string; readonly input: JsonPreview }
  | {
      readonly kind: 'toolResult';
      readonly isError: boolean;
      readonly content: readonly ContentView[];
      readonly structured: JsonPreview | undefined;
    }
  /** A block of an unknown kind. */
  | { readonly kind: 'json'; readonly json: JsonPreview }
  /** Media that cannot be drawn; `reason` is a sentence for people. */
  | { readonly kind: 'omitted'; readonly mimeType: string; readonly bytes: number; readonly reason: string };

/** A link to a resource, with its metadata. */
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

/** One embedded resource. */
export interface ResourceView {
  readonly kind: 'resource';
  readonly uri: string;
  readonly mimeType: string;
  /** `undefined` if the resource is binary. */
  readonly text: string | undefined;
  readonly bytes: number;
  /** The image or audio, if it can be drawn. */
  readonly media?: Extract<BlockView, { readonly kind: 'image' | 'audio' }>;
}

/** A message of a prompt or of a sampling request. */
export interface MessageView {
  readonly role: 'user' | 'assistant';
  readonly content: readonly ContentView[];
}
