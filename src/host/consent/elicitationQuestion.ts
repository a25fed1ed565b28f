import { contentProblem, type FormContent } from '../../base/formField.ts';
import type { PatternCheck } from '../../client/elicitation/patternCheck.ts';
import type { ElicitationDecision, ElicitationReview, ElicitationSession } from '../../client/elicitation/ports.ts';
import { looksLikeSecretName } from '../../config/secretDetection.ts';
import type { ElicitationFromPanel, ElicitationToPanel, ElicitationView } from '../../shared/elicitationMessages.ts';
import type { Question, QuestionSlot } from './questionQueue.ts';

export type ElicitationMessage = Exclude<ElicitationFromPanel, { readonly type: 'ready' }>;

export interface ElicitationQuestionOptions {
  readonly slot: QuestionSlot<ElicitationToPanel>;
  readonly review: ElicitationReview;
  readonly checkPatterns: PatternCheck;
  /** Hands the address to the person's own browser. Resolves to whether it was opened. */
  readonly openAddress: (href: string) => Promise<boolean>;
}

/**
 * Where a question stands. `opened`: the browser has the address, and a request waits for the visit to be over.
 * `answered`: the server has its answer, and the person is on the page. `over`: nothing can follow.
 */
type Phase = 'question' | 'opened' | 'answered' | 'over';

/** The state of one question in the elicitation panel, apart from any panel. It is decided once, and left once. */
export class ElicitationQuestion implements ElicitationSession, Question<ElicitationMessage> {
  readonly id: number;
  readonly waiting = 0;
  readonly decision: Promise<ElicitationDecision>;
  readonly left: ElicitationSession['left'];
  readonly #options: ElicitationQuestionOptions;
  #decide: (decision: ElicitationDecision) => void = () => {};
  #leave: (how: 'done' | 'cancelled') => void = () => {};
  #phase: Phase;
  #isOpening = false;

  constructor(options: ElicitationQuestionOptions) {
    this.id = options.slot.id;
    this.#options = options;
    const { review } = options;
    // Who has been there need not open the page again.
    this.#phase = review.kind === 'visit' && review.isRequired && review.wasVisited ? 'opened' : 'question';
    this.decision = new Promise((resolve) => {
      this.#decide = resolve;
    });
    this.left = new Promise((resolve) => {
      this.#leave = resolve;
    });
  }

  get server(): string {
    return this.#options.review.server;
  }

  get isAnswered(): boolean {
    return this.#phase === 'answered';
  }

  present(waiting: number): void {
    const { slot, review } = this.#options;
    slot.post({ type: 'show', id: this.id, view: toElicitationView(review, waiting, slot.lookAlike(review.server)) });
    if (this.#phase !== 'question') slot.post({ type: 'opened', id: this.id, isOpen: true });
  }

  receive(message: ElicitationMessage): void {
    switch (message.type) {
      case 'send':
        return void this.#send(message.content);
      case 'check':
        return void this.#check(message.content);
      case 'open':
        return void this.#open();
      case 'finish':
        if (this.#phase !== 'question') this.#end({ kind: 'accept', content: undefined });
        return;
      case 'decline':
      case 'cancel':
        return this.#end({ kind: message.type });
    }
  }

  complete(): void {
    const { review } = this.#options;
    // What waits can go on, wherever the visit was made; a visit nobody has agreed to is no longer needed.
    const isMade = this.#phase !== 'question' || (review.kind === 'visit' && review.isRequired);
    this.#end(isMade ? { kind: 'accept', content: undefined } : { kind: 'cancel' });
  }

  refuse(): void {
    // Closing what says only that the person is on a page cancels nothing.
    this.#end(this.#phase === 'answered' ? { kind: 'accept', content: undefined } : { kind: 'cancel' });
  }

  /** What the server has its answer for stays on the screen: the person may still be on the page. */
  dispose(): void {
    if (this.#phase !== 'answered') this.refuse();
  }

  async #check(content: FormContent): Promise<void> {
    const { slot, checkPatterns } = this.#options;
    slot.post({ type: 'checked', id: this.id, findings: await checkPatterns(content), isReturned: false });
  }

  async #send(content: FormContent): Promise<void> {
    const { slot, review, checkPatterns } = this.#options;
    const fields = review.kind === 'form' ? review.fields : [];
    const names = new Set(fields.map(({ name }) => name));
    const fits = Object.keys(content).every((name) => names.has(name)) && contentProblem(fields, content) === undefined;
    // The page checks the same before it sends: what does not fit was not made by it.
    if (review.kind !== 'form' || !fits) return this.#end({ kind: 'cancel' });
    const findings = await checkPatterns(content);
    if (findings.some(({ problem }) => problem !== undefined))
      slot.post({ type: 'checked', id: this.id, findings, isReturned: true });
    else this.#end({ kind: 'accept', content });
  }

  async #open(): Promise<void> {
    const { slot, review, openAddress } = this.#options;
    if (review.kind !== 'visit' || this.#isOpening) return;
    this.#isOpening = true;
    const isOpen = await openAddress(review.address.href).catch(() => false);
    this.#isOpening = false;
    slot.post({ type: 'opened', id: this.id, isOpen: isOpen || this.#phase !== 'question' });
    if (!isOpen || this.#phase !== 'question') return;
    this.#phase = review.isRequired ? 'opened' : 'answered';
    if (review.isRequired) return;
    this.#decide({ kind: 'accept', content: undefined });
    slot.answered();
  }

  #end(decision: ElicitationDecision): void {
    if (this.#phase === 'over') return;
    const isPlainVisit = this.#phase === 'answered';
    this.#phase = 'over';
    // Of no effect where it was decided before.
    this.#decide(decision);
    this.#leave(isPlainVisit && decision.kind === 'cancel' ? 'cancelled' : 'done');
    this.#options.slot.ended();
  }
}

function toElicitationView(review: ElicitationReview, waiting: number, lookAlike: string | undefined): ElicitationView {
  const { server, cause, message } = review;
  const asked = { server, lookAlike, cause, message, waiting };
  if (review.kind === 'visit') {
    const { before, host, after, warnings } = review.address;
    const { isRequired, wasVisited, isAnnounced, canCancelCause } = review;
    const canCancel = isRequired || canCancelCause;
    return { kind: 'visit', ...asked, before, host, after, warnings, isRequired, wasVisited, isAnnounced, canCancel };
  }
  const { fields } = review;
  const isSecret = ({ name, title = '' }: (typeof fields)[number]): boolean =>
    looksLikeSecretName(name) || looksLikeSecretName(title);
  const secretFields = fields.filter(isSecret).map(({ name }) => name);
  return { kind: 'form', ...asked, fields, secretFields };
}
