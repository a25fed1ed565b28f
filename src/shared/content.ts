import type { ShownJson } from '../base/shownJson.ts';

/** Content as the panels draw it: plain data, checked on the host side before it gets here. */
export type ContentView = BlockView & {
  /** Absent where the server says nothing of the kind. */
  readonly annotations?: AnnotationsView;
  /** The result panel offers to save the block as a file. */
  readonly canSave?: true;
};

/** What a server says of a block beside the block itself: hints, in words. */
export interface AnnotationsView {
  /** Meant for the model, and not for the person who reads it. */
  readonly isForAssistantOnly: boolean;
  readonly texts: readonly string[];
}

export type BlockView =
  | { readonly kind: 'text'; readonly text: string }
  /** `source` is a `data:` URI of an allowed media type. */
  | { readonly kind: 'image'; readonly source: string; readonly mimeType: string }
  | { readonly kind: 'audio'; readonly source: string; readonly mimeType: string }
  | ResourceView
  | LinkView
  | { readonly kind: 'toolUse'; readonly name: string; readonly input: ShownJson }
  | {
      readonly kind: 'toolResult';
      readonly isError: boolean;
      readonly content: readonly ContentView[];
      readonly structured: ShownJson | undefined;
    }
  /** Anything else. */
  | { readonly kind: 'json'; readonly json: ShownJson }
  /** Media that is there but cannot be drawn; `reason` is a sentence for people. */
  | { readonly kind: 'omitted'; readonly mimeType: string; readonly bytes: number; readonly reason: string };

/** A pointer to a resource, with what the server says of it. */
export interface LinkView {
  readonly kind: 'link';
  readonly uri: string;
  readonly title: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly bytes?: number;
  /** `data:` URIs of pictures that were checked, for each kind of theme. */
  readonly icon?: { readonly light: string; readonly dark: string };
}

/** One embedded resource. */
export interface ResourceView {
  readonly kind: 'resource';
  readonly uri: string;
  readonly mimeType: string;
  /** Absent where the resource is binary. */
  readonly text: string | undefined;
  readonly bytes: number;
  /** The picture or sound itself, where it is one that can be drawn. */
  readonly media?: Extract<BlockView, { readonly kind: 'image' | 'audio' }>;
}

export interface MessageView {
  readonly role: 'user' | 'assistant';
  readonly content: readonly ContentView[];
}
