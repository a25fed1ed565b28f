import type { ShownJson } from '../base/shownJson.ts';

/** Content as the panels draw it: plain data, checked on the host side before it gets here. */
export type ContentView =
  | { readonly kind: 'text'; readonly text: string }
  /** `source` is a `data:` URI of an allowed media type. */
  | { readonly kind: 'image'; readonly source: string; readonly mimeType: string }
  | { readonly kind: 'audio'; readonly source: string; readonly mimeType: string }
  | ResourceView
  | { readonly kind: 'link'; readonly uri: string; readonly title: string }
  | { readonly kind: 'toolUse'; readonly name: string; readonly input: ShownJson }
  | { readonly kind: 'toolResult'; readonly isError: boolean; readonly content: readonly ContentView[] }
  /** Anything else. */
  | { readonly kind: 'json'; readonly json: ShownJson }
  /** Media that is there but cannot be drawn; `reason` is a sentence for people. */
  | { readonly kind: 'omitted'; readonly mimeType: string; readonly bytes: number; readonly reason: string };

/** One embedded resource. */
export interface ResourceView {
  readonly kind: 'resource';
  readonly uri: string;
  readonly mimeType: string;
  /** Absent where the resource is binary. */
  readonly text: string | undefined;
  readonly bytes: number;
  /** The picture or sound itself, where it is one that can be drawn. */
  readonly media?: Extract<ContentView, { readonly kind: 'image' | 'audio' }>;
}

export interface MessageView {
  readonly role: 'user' | 'assistant';
  readonly content: readonly ContentView[];
}
