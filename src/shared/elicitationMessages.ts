import { isFormContent, type FormContent, type FormField, type PatternFinding } from '../base/formField.ts';
import { isRecord } from '../base/json.ts';

interface ViewBase {
  readonly server: string;
  /** How its label could be taken for another, in a few words. */
  readonly lookAlike: string | undefined;
  readonly cause: string | undefined;
  readonly message: string;
  readonly waiting: number;
}

/** A server asks for the values of some fields. */
export interface FormView extends ViewBase {
  readonly kind: 'form';
  readonly fields: readonly FormField[];
  /** Names of fields that seem to ask for a secret, which servers must not do in a form. */
  readonly secretFields: readonly string[];
}

/** A server asks for a visit to a page. The three parts of the address together are all of it. */
export interface VisitView extends ViewBase {
  readonly kind: 'visit';
  readonly before: string;
  readonly host: string;
  readonly after: string;
  /** Full sentences. */
  readonly warnings: readonly string[];
  /** A request of the person waits for the visit, and is sent again after it. */
  readonly isRequired: boolean;
  /** The person was there before for the same request. */
  readonly wasVisited: boolean;
  /** The server can say that the visit is over. */
  readonly isAnnounced: boolean;
  /** While the person is on the page, what they ran can be cancelled. */
  readonly canCancel: boolean;
}

export type ElicitationView = FormView | VisitView;

/** `id` names the question; messages about another one than is shown are void. */
export type ElicitationToPanel =
  | { readonly type: 'show'; readonly id: number; readonly view: ElicitationView }
  /** The browser has the address, or did not get it. */
  | { readonly type: 'opened'; readonly id: number; readonly isOpen: boolean }
  /** What came of a `check` or, where the patterns do not let it go to the server, of a `send`. */
  | {
      readonly type: 'checked';
      readonly id: number;
      readonly findings: readonly PatternFinding[];
      readonly isReturned: boolean;
    }
  | { readonly type: 'waiting'; readonly id: number; readonly count: number }
  | { readonly type: 'done'; readonly id: number };

export type ElicitationFromPanel =
  | { readonly type: 'ready' }
  /** Tries the values on the patterns of their fields. */
  | { readonly type: 'check'; readonly id: number; readonly content: FormContent }
  | { readonly type: 'send'; readonly id: number; readonly content: FormContent }
  /** Opens the address, for the first time or again. */
  | { readonly type: 'open'; readonly id: number }
  /** The visit is over, as far as the person is concerned; a request that waits for it is tried again. */
  | { readonly type: 'finish'; readonly id: number }
  | { readonly type: 'decline'; readonly id: number }
  | { readonly type: 'cancel'; readonly id: number };

/**
 * Checks a message the elicitation panel sent.
 * @returns `undefined` for anything not understood in full, which callers take as a no
 */
export function readElicitationMessage(value: unknown): ElicitationFromPanel | undefined {
  if (!isRecord(value)) return undefined;
  const { type, id, content } = value;
  if (type === 'ready') return { type };
  if (typeof id !== 'number' || !Number.isSafeInteger(id)) return undefined;
  switch (type) {
    case 'open':
    case 'finish':
    case 'decline':
    case 'cancel':
      return { type, id };
    case 'check':
    case 'send':
      return isFormContent(content) ? { type, id, content } : undefined;
    default:
      return undefined;
  }
}
