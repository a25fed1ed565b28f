import { type FieldFinding, type FlatForm, isFormContent } from '../schema/flatForm.ts';
import { createMessageReader, type MessageOf, wholeNumber } from './messageReader.ts';
import { sentOf } from './exactMessages.ts';

interface ViewBase {
  readonly server: string;
  /** How the server's label could be mistaken for another one, in a few words. */
  readonly lookAlike: string | undefined;
  /** What the person ran, if that led to the question. */
  readonly cause: string | undefined;
  readonly message: string;
  /** Questions that wait for this one. */
  readonly waiting: number;
}

/** Form mode elicitation: a server asks for the values of some fields. */
export interface FormView extends ViewBase {
  readonly kind: 'form';
  /** What is read of the server's schema: nothing else of it reaches the page. */
  readonly schema: FlatForm;
  /** Names of fields that seem to ask for a secret, which a server must not do in a form (2025-11-25, Client / Elicitation). */
  readonly secretFields: readonly string[];
}

/** URL mode elicitation: a server asks for a visit to a page. */
export interface VisitView extends ViewBase {
  readonly kind: 'visit';
  /** `before`, `host` and `after` together are the whole address; `warnings` about it are full sentences. */
  readonly address: Readonly<Record<'before' | 'host' | 'after', string>> & { readonly warnings: readonly string[] };
  /** A request of the person needs the visit, and is sent again after it. */
  readonly isRequired: boolean;
  /** The person has already visited the page for the same request. */
  readonly wasVisited: boolean;
  /** The server can announce the end of the visit (`notifications/elicitation/complete`). */
  readonly isAnnounced: boolean;
  /** The person can still cancel what they ran while they are on the page. */
  readonly canCancel: boolean;
}

export type ElicitationView = FormView | VisitView;

/** Messages to the elicitation panel. `id` is that of the question; the panel ignores messages about other questions. */
export type ElicitationToPanel =
  | { readonly type: 'show'; readonly id: number; readonly view: ElicitationView }
  /** Whether the browser got the address. */
  | { readonly type: 'opened'; readonly id: number; readonly isOpen: boolean }
  /** The result of a `check`, or of a `send` with values that are not valid. */
  | {
      readonly type: 'checked';
      readonly id: number;
      readonly findings: readonly FieldFinding[];
      readonly isReturned: boolean;
    }
  | { readonly type: 'waiting'; readonly id: number; readonly count: number }
  | { readonly type: 'done'; readonly id: number };

const question = { id: wholeNumber() };
const content = sentOf(isFormContent);

/**
 * Checks a message from the elicitation panel.
 * @returns `undefined` for a message that is not valid in all parts; callers treat it as a refusal
 */
export const readElicitationMessage = createMessageReader({
  ready: {},
  /** Checks the values against the schema, as a `send` does. */
  check: { ...question, content },
  send: { ...question, content },
  /** Opens the address, for the first time or again. */
  open: question,
  /** The person says that the visit is over; a request that needs it is sent again. */
  finish: question,
  decline: question,
  cancel: question,
});

export type ElicitationFromPanel = MessageOf<typeof readElicitationMessage>;
