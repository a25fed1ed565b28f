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
import { readConsentMessage } from '../../shared/consentMessages.ts';
import { applyConsentEdits, editableText, replaceText, toConsentView, unreviewableReason } from './samplingView.ts';
import { ContentBudget, toContentView } from '../results/contentView.ts';
import { type Question, QuestionQueue, type QuestionQueuePorts, type QuestionSlot } from './questionQueue.ts';

/** Milliseconds between two updates of a streaming answer in the panel. */
const streamIntervalMs = 50;

type SamplingMessage = Exclude<ConsentFromPanel, { readonly type: 'ready' }>;

/** The queue of requests for a model. A refused question declines the request, or withholds its answer. */
export type SamplingQueue = QuestionQueue<ConsentToPanel, SamplingMessage, SamplingReview, SamplingQuestion>;

/** Shows requests for a model one after the other: see {@link QuestionQueue}. */
export function createSamplingQueue(
  ports: QuestionQueuePorts<ConsentToPanel> & Pick<SamplingQuestionOptions, 'clock'>,
): SamplingQueue {
  const { clock } = ports;
  return new QuestionQueue(ports, {
    read: readConsentMessage,
    create: (slot, review) => new SamplingQuestion({ slot, review, clock }),
  });
}

/** The phase of one request. `running`: approved, the model generates. `over`: decided or cancelled, nothing can follow. */
type Phase = 'request' | 'running' | 'answer' | 'over';

interface SamplingQuestionOptions {
  readonly slot: QuestionSlot<ConsentToPanel>;
  readonly review: SamplingReview;
  readonly clock: Clock;
}

/**
 * The state of one request in the consent panel, independent of the panel. Each decision is taken once, in its own phase;
 * other messages of the panel are ignored, except a refusal, which always holds.
 */
export class SamplingQuestion implements ConsentSession, Question<SamplingMessage> {
  readonly id: number;
  readonly isAnswered = false;
  readonly #options: SamplingQuestionOptions;
  readonly #stop = new AbortController();
  #phase: Phase = 'request';
  #answerText = '';
  #failure: string | undefined;
  #drawing: Disposable | undefined;
  #result: SamplingResult | undefined;
  #resolveRequest: ((decision: RequestDecision) => void) | undefined;
  #resolveAnswer: ((decision: AnswerDecision) => void) | undefined;
  /** A decision after a failure was shown, and before `askRequest` was called again. */
  #earlyDecision: RequestDecision | undefined;

  constructor(options: SamplingQuestionOptions) {
    this.id = options.slot.id;
    this.#options = options;
  }

  get server(): string {
    return this.#options.review.server;
  }

  get stopped(): AbortSignal {
    return this.#stop.signal;
  }

  askRequest(): Promise<RequestDecision> {
    const early = this.#earlyDecision;
    this.#earlyDecision = undefined;
    if (early !== undefined) return Promise.resolve(early);
    if (this.#phase === 'over') return Promise.resolve({ kind: 'decline' });
    this.#phase = 'request';
    return new Promise((resolve) => {
      this.#resolveRequest = resolve;
    });
  }

  showAnswer(text: string): void {
    if (this.#phase !== 'running') return;
    this.#answerText = text;
    // A model may send thousands of pieces a second: one message for each interval is enough.
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
      this.#resolveAnswer = resolve;
    });
  }

  dispose(): void {
    this.refuse();
  }

  present(waiting: number): void {
    const { slot, review } = this.#options;
    const view = { ...toConsentView(review), lookAlike: slot.lookAlike(review.server), waiting };
    slot.post({ type: 'show', id: this.id, view });
    if (this.#phase === 'running') slot.post({ type: 'answerText', id: this.id, text: this.#answerText });
    else if (this.#phase === 'answer' && this.#result) slot.post(this.#reviewMessage(this.#result));
    else if (this.#failure !== undefined) slot.post({ type: 'failure', id: this.id, message: this.#failure });
  }

  receive(message: SamplingMessage): void {
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
        this.#resolveAnswer?.({ kind: 'retry' });
    }
  }

  /** A refusal in any phase: by the person, because the panel closed, or because the server cancelled its request. */
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

  /** @param request as it was approved, which is what the grant is limited to */
  #grant(
    { minutes, requests, maxTokens, maxCharacters }: GrantOffer,
    model: string,
    request: SamplingRequest,
  ): SessionGrant {
    const { systemPrompt = '' } = request;
    const expiresAt = this.#options.clock.now() + minutes * 60_000;
    return {
      requests,
      maximumTokens: maxTokens,
      maximumCharacters: maxCharacters,
      model,
      systemPrompt,
      metadata: metadataText(request),
      expiresAt,
    };
  }

  #decideRequest(decision: RequestDecision): void {
    if (this.#resolveRequest === undefined) this.#earlyDecision = decision;
    this.#resolveRequest?.(decision);
    this.#resolveRequest = undefined;
  }

  #end(request: RequestDecision, answer: AnswerDecision): void {
    if (this.#phase === 'over') return;
    this.#phase = 'over';
    this.#stopDrawing();
    this.#decideRequest(request);
    this.#resolveAnswer?.(answer);
    if (answer.kind === 'withhold' && request.kind === 'decline') this.#stop.abort(new CancelledError());
    this.#options.slot.ended();
  }

  #stopDrawing(): void {
    this.#drawing?.dispose();
    this.#drawing = undefined;
  }

  #reviewMessage(result: SamplingResult): ReviewAnswer {
    const budget = new ContentBudget(limits.shown.review);
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
          : { role: result.role, content: budget.blocks(extra).map((block) => toContentView(block, budget)) },
    };
  }
}
