import type { Disposable } from '../../base/disposable.ts';
import type { FormContent, FormField } from '../../base/formField.ts';
import type { RequestContext } from '../sampling/ports.ts';
import type { VisitAddress } from './visitAddress.ts';

export interface ElicitationContext extends RequestContext {
  /** Resolves when the server says that the visit it asked for is over; never where it does not say. Absent where it cannot. */
  readonly completed: Promise<void> | undefined;
  /** Aborted when the connection ends, also after the answer. */
  readonly ended?: AbortSignal | undefined;
  /** Cancels what of the user's led to the question. Absent where that is not known. */
  readonly cancelCause?: (() => void) | undefined;
}

interface ReviewBase {
  readonly server: string;
  /** What of the user's was running there, for instance "tool book_table". */
  readonly cause: string | undefined;
  readonly message: string;
}

export interface FormReview extends ReviewBase {
  readonly kind: 'form';
  readonly fields: readonly FormField[];
}

export interface VisitReview extends ReviewBase {
  readonly kind: 'visit';
  readonly address: VisitAddress;
  /** The user's own request waits for the visit to be over: see `UrlElicitRequest.isRequired`. */
  readonly isRequired: boolean;
  /** See `UrlElicitRequest.wasVisited`. */
  readonly wasVisited: boolean;
  /** The server can say that the visit is over. */
  readonly isAnnounced: boolean;
  /** What waits for a plain visit can be cancelled; a required one always can. */
  readonly canCancelCause: boolean;
}

/** Everything the person deciding gets to see. */
export type ElicitationReview = FormReview | VisitReview;

export type ElicitationDecision =
  | { readonly kind: 'accept'; readonly content: FormContent | undefined }
  | { readonly kind: 'decline' }
  | { readonly kind: 'cancel' };

/** Port to whoever decides: the elicitation panel, or a test. */
export interface ElicitationConsent {
  open(review: ElicitationReview): ElicitationSession;
}

/** One question on the screen. Disposing it takes it off; what is undecided then is cancelled. */
export interface ElicitationSession extends Disposable {
  /**
   * Settles once and never rejects; going away is a "cancel". A plain visit is accepted when its address was opened, a
   * required one when it is over.
   */
  readonly decision: Promise<ElicitationDecision>;
  /**
   * Settles when the person is no longer at it, which after a plain visit is long after the decision.
   * `cancelled`: they have given up what they ran; never before the decision.
   */
  readonly left: Promise<'done' | 'cancelled'>;
  /** The server says that the visit is over. */
  complete(): void;
}
