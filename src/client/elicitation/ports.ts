import type { Disposable } from '../../base/disposable.ts';
import type { FlatForm, FormContent } from '../../schema/flatForm.ts';
import type { CheckedUrl } from './checkedUrl.ts';

interface ReviewBase {
  readonly server: string;
  /** What the server was doing for the user, for instance "tool book_table". */
  readonly cause: string | undefined;
  readonly message: string;
}

export interface FormReview extends ReviewBase {
  readonly kind: 'form';
  readonly schema: FlatForm;
}

export interface UrlReview extends ReviewBase {
  readonly kind: 'visit';
  readonly address: CheckedUrl;
  /** The user's own request waits until the visit is complete: see `UrlElicitRequest.isRequired`. */
  readonly isRequired: boolean;
  readonly wasVisited: boolean;
  /** The server can report that the visit is complete. */
  readonly isAnnounced: boolean;
  readonly canCancel: boolean;
}

export type ElicitationReview = FormReview | UrlReview;

/** The person's answer. `content` is absent for a URL. */
export type ElicitationDecision =
  | { readonly kind: 'accept'; readonly content: FormContent | undefined }
  | { readonly kind: 'decline' }
  | { readonly kind: 'cancel' };

/** Port that shows questions to the person: the elicitation panel, or a test. */
export interface ElicitationConsent {
  open(review: ElicitationReview): ElicitationSession;
}

/** One question that is shown. Disposing it removes it; an open decision settles as "cancel". */
export interface ElicitationSession extends Disposable {
  /**
   * Settles once and never rejects; closing the panel is a "cancel". A plain visit is accepted when its URL was opened, a
   * required one when it is complete.
   */
  readonly decision: Promise<ElicitationDecision>;
  /**
   * Settles when the question is no longer shown; for a plain visit this is after the decision.
   * `cancelled`: the person cancelled the request that caused it; never before the decision.
   */
  readonly left: Promise<'done' | 'cancelled'>;
  complete(): void;
}
