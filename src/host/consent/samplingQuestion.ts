import { limits } from '../../base/limits.ts';
import type { Clock } from '../../base/clock.ts';
import { CancelledError } from '../../base/errors.ts';
import type { Disposable } from '../../base/disposable.ts';
import type {
  AnswerDecision,
  ConsentSession,
  RequestDecision,
  SamplingReview,
  SessionGrant,
} from '../../client/sampling/ports.ts';
import { metadataText } from '../../client/sampling/samplingPolicy.ts';
import type { SamplingRequest, SamplingResult } from '../../protocol/mcp/sampling.ts';
import type { ConsentFromPanel, ConsentToPanel, GrantOffer, ReviewAnswer } from '../../shared/consentMessages.ts';
import { applyConsentEdits, editableText, replaceText, toConsentView, unreviewableReason } from './samplingView.ts';
import { ContentBudget, toContentView } from '../results/contentView.ts';
import type { Question, QuestionSlot } from './questionQueue.ts';

/** Milliseconds between two drawings of a streaming answer. */
const streamIntervalMs = 50;

type Decision = Exclude<ConsentFromPanel, { readonly type: 'ready' }>;

/** Where one request stands. `running`: approved, the model at work. `over`: decided or gone, nothing can follow. */
type Phase = 'request' | 'running' | 'answer' | 'over';

export interface SamplingQuestionOptions {
  readonly slot: QuestionSlot<ConsentToPanel>;
  readonly review: SamplingReview;
  readonly clock: Clock;
}

/**
 * The state of one request in the consent panel, apart from any panel. A decision is taken once, in the phase it belongs
 * to; anything else a panel says is void, except a no, which always holds.
 */
export class SamplingQuestion implements ConsentSession, Question<Decision> {
  readonly id: number;
  readonly isAnswered = false;
  readonly #options: SamplingQuestionOptions;
  readonly #stop = new AbortController();
  #phase: Phase = 'request';
  #waiting: number;
  #answerText = '';
  #failure: string | undefined;
  #drawing: Disposable | undefined;
  #result: SamplingResult | undefined;
  #takeRequest: ((decision: RequestDecision) => void) | undefined;
  #takeAnswer: ((decision: AnswerDecision) => void) | undefined;
  /** Decided after a failure was shown but before the asker came back. */
  #early: RequestDecision | undefined;

  constructor(options: SamplingQuestionOptions) {
    this.id = options.slot.id;
    this.#options = options;
    this.#waiting = options.review.waiting;
  }

  get server(): string {
    return this.#options.review.server;
  }

  get stopped(): AbortSignal {
    return this.#stop.signal;
  }

  get waiting(): number {
    return this.#waiting;
  }

  askRequest(): Promise<RequestDecision> {
    const early = this.#early;
    this.#early = undefined;
    if (early !== undefined) return Promise.resolve(early);
    if (this.#phase === 'over') return Promise.resolve({ kind: 'decline' });
    this.#phase = 'request';
    return new Promise((resolve) => {
      this.#takeRequest = resolve;
    });
  }

  showAnswer(text: string): void {
    if (this.#phase !== 'running') return;
    this.#answerText = text;
    // One drawing at a time: a model may send thousands of pieces a second.
    this.#drawing ??= this.#options.clock.after(streamIntervalMs, () => {
      this.#drawing = undefined;
      if (this.#phase === 'running')
        this.#options.slot.post({ type: 'answerText', id: this.id, text: this.#answerText });
    });
  }

  showFailure(message: string): void {
    if (this.#phase === 'over') return;
    this.#stopDrawing();
    this.#phase = 'request';
    this.#failure = message;
    this.#options.slot.post({ type: 'failure', id: this.id, message });
  }

  askAnswer(result: SamplingResult): Promise<AnswerDecision> {
    if (this.#phase === 'over') return Promise.resolve({ kind: 'withhold' });
    this.#stopDrawing();
    this.#phase = 'answer';
    this.#result = result;
    this.#options.slot.post(this.#reviewMessage(result));
    return new Promise((resolve) => {
      this.#takeAnswer = resolve;
    });
  }

  setWaiting(count: number): void {
    this.#waiting = count;
    this.#options.slot.changedWaiting();
  }

  dispose(): void {
    this.refuse();
  }

  present(waiting: number): void {
    const { slot, review } = this.#options;
    const view = { ...toConsentView(review), lookAlike: slot.lookAlike(review.server), waiting };
    this.#options.slot.post({ type: 'show', id: this.id, view });
    if (this.#phase === 'running') this.#options.slot.post({ type: 'answerText', id: this.id, text: this.#answerText });
    else if (this.#phase === 'answer' && this.#result) this.#options.slot.post(this.#reviewMessage(this.#result));
    else if (this.#failure !== undefined)
      this.#options.slot.post({ type: 'failure', id: this.id, message: this.#failure });
  }

  receive(message: Decision): void {
    switch (message.type) {
      case 'decline':
      case 'withhold':
        return this.refuse();
      case 'approve':
        return this.#approve(message);
      case 'answer':
        if (this.#phase === 'request') this.#end({ kind: 'answer', text: message.text }, { kind: 'withhold' });
        return;
      case 'send':
        if (this.#phase !== 'answer' || this.#result === undefined) return;
        return this.#end(
          { kind: 'decline' },
          { kind: 'send', content: replaceText(this.#result.content, message.text) },
        );
      case 'retry':
        if (this.#phase !== 'answer') return;
        this.#phase = 'request';
        this.#failure = undefined;
        this.#takeAnswer?.({ kind: 'retry' });
    }
  }

  /** A no, whatever is open: the person's own, the panel's closing, or the asker's going away. */
  refuse(): void {
    this.#end({ kind: 'decline' }, { kind: 'withhold' });
  }

  #approve(message: Extract<ConsentFromPanel, { readonly type: 'approve' }>): void {
    if (this.#phase !== 'request') return;
    const { review } = this.#options;
    const request = applyConsentEdits(review.request, message.edits);
    const isKnownModel = review.models.some((model) => model.id === message.model);
    const isReviewable = unreviewableReason(review.request) === undefined;
    if (request === undefined || !isKnownModel || !isReviewable) return this.refuse();
    const decision: RequestDecision = {
      kind: 'approve',
      request,
      model: message.model,
      ...(message.grant && { grant: this.#grant(message.grant, message.model, request) }),
    };
    this.#phase = 'running';
    this.#answerText = '';
    this.#failure = undefined;
    this.#decideRequest(decision);
  }

  /** @param request as it was approved: what is granted goes no further than it */
  #grant({ minutes, ...amounts }: GrantOffer, model: string, request: SamplingRequest): SessionGrant {
    const { systemPrompt = '' } = request;
    const expiresAt = this.#options.clock.now() + minutes * 60_000;
    return { ...amounts, model, systemPrompt, metadata: metadataText(request), expiresAt };
  }

  #decideRequest(decision: RequestDecision): void {
    if (this.#takeRequest === undefined) this.#early = decision;
    this.#takeRequest?.(decision);
    this.#takeRequest = undefined;
  }

  #end(request: RequestDecision, answer: AnswerDecision): void {
    if (this.#phase === 'over') return;
    this.#phase = 'over';
    this.#stopDrawing();
    this.#decideRequest(request);
    this.#takeAnswer?.(answer);
    if (answer.kind === 'withhold' && request.kind === 'decline') this.#stop.abort(new CancelledError());
    this.#options.slot.ended();
  }

  #stopDrawing(): void {
    this.#drawing?.dispose();
    this.#drawing = undefined;
  }

  #reviewMessage(result: SamplingResult): ReviewAnswer {
    const room = new ContentBudget(limits.shown.review);
    const extra = result.content.filter((block) => block.type !== 'text');
    return {
      type: 'reviewAnswer',
      id: this.id,
      text: editableText(result.content),
      model: result.model,
      stopReason: result.stopReason,
      extra:
        extra.length === 0
          ? undefined
          : { role: result.role, content: room.blocks(extra).map((block) => toContentView(block, room)) },
    };
  }
}
