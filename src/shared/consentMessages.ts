import type { MessageView } from './content.ts';

/** A tool that the model may answer with. The schemas are JSON. */
export interface ConsentTool {
  readonly name: string;
  /** What the server calls it for people. */
  readonly titles: readonly string[];
  /** A sentence on what the server says of its effects; absent where it says nothing. */
  readonly claims: string | undefined;
  readonly description: string;
  readonly schema: string;
  readonly outputSchema: string | undefined;
}

/** A server's request for a language model, as the consent panel shows it. */
export interface ConsentView {
  readonly server: string;
  /** How its label could be taken for another, in a few words. */
  readonly lookAlike: string | undefined;
  readonly cause: string | undefined;
  readonly messages: readonly MessageView[];
  readonly systemPrompt: string;
  readonly maxTokens: number;
  readonly temperature: number | undefined;
  readonly stopSequences: readonly string[];
  readonly includeContext: string | undefined;
  readonly tools: readonly ConsentTool[];
  readonly toolChoice: string | undefined;
  /** JSON that goes to the model's provider. */
  readonly metadata: string | undefined;
  readonly preferences: readonly string[];
  readonly models: readonly { readonly id: string; readonly name: string; readonly detail: string }[];
  readonly suggestedModel: string | undefined;
  readonly suggestedBecause: string | undefined;
  readonly waiting: number;
  /** In the system prompt and the text of the messages. */
  readonly textCharacters: number;
  /** Why nobody can be asked to approve this, as a sentence; the request can then only be declined or answered by hand. */
  readonly unreviewable: string | undefined;
}

/** Only text blocks can be edited; `text[i][j]` replaces block `j` of message `i`, `undefined` keeps what is not text. */
export interface ConsentEdits {
  readonly messages: readonly (readonly (string | undefined)[])[];
  readonly systemPrompt: string;
  readonly maxTokens: number;
}

/** A yes for more than one request, before the host turns it into a grant. */
export interface GrantOffer {
  readonly requests: number;
  /** The most tokens one request may ask for. */
  readonly maxTokens: number;
  /** The most characters one request may have. */
  readonly maxCharacters: number;
  readonly minutes: number;
}

/** What the offer may hold, both ends included. `maxTokens` is bounded by the request itself. */
export const grantLimits = {
  requests: { minimum: 1, maximum: 100 },
  characters: { minimum: 1, maximum: 2_000_000 },
  minutes: { minimum: 1, maximum: 480 },
} as const;

/** The model's whole answer. `text` can be edited; `extra` is what is not text and goes along unchanged. */
export interface ReviewAnswer {
  readonly type: 'reviewAnswer';
  readonly id: number;
  readonly text: string;
  readonly model: string;
  readonly stopReason: string | undefined;
  readonly extra: MessageView | undefined;
}

/** `id` names the request; messages about another one than is shown are void. */
export type ConsentToPanel =
  | { readonly type: 'show'; readonly id: number; readonly view: ConsentView }
  | { readonly type: 'answerText'; readonly id: number; readonly text: string }
  | ReviewAnswer
  | { readonly type: 'failure'; readonly id: number; readonly message: string }
  | { readonly type: 'waiting'; readonly id: number; readonly count: number }
  | { readonly type: 'done'; readonly id: number };

/** Exactly one of `approve`, `answer` and `decline` settles a request; `send`, `retry` or `withhold` its answer. */
export type ConsentFromPanel =
  | { readonly type: 'ready' }
  | {
      readonly type: 'approve';
      readonly id: number;
      readonly edits: ConsentEdits;
      readonly model: string;
      readonly grant: GrantOffer | undefined;
    }
  | { readonly type: 'answer'; readonly id: number; readonly text: string }
  | { readonly type: 'decline'; readonly id: number }
  | { readonly type: 'send'; readonly id: number; readonly text: string }
  | { readonly type: 'retry'; readonly id: number }
  | { readonly type: 'withhold'; readonly id: number };
