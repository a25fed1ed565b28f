import type { Clock } from '../../base/clock.ts';
import { CancelledError } from '../../base/errors.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { AnswerDecision, ConsentSession, RequestDecision, SamplingReview } from '../../client/sampling/ports.ts';
import type { SecretFinder } from '../../client/sampling/secretMarks.ts';
import type { ModelAnswer } from '../../models/modelGateway.ts';
import type { SamplingRequest } from '../../protocol/mcp/sampling.ts';
import type { ConsentApproval, ConsentFromPanel, ConsentToPanel } from '../../shared/consentMessages.ts';
import { readConsentMessage } from '../../shared/consentMessages.ts';
import { type Question, QuestionQueue, type QuestionQueuePorts, type QuestionSlot } from './questionQueue.ts';
import { toRuleTerms } from './ruleTerms.ts';
import { toAnswerView } from './samplingAnswer.ts';
import {
  applyConsentEdits,
  layOutRequest,
  replaceText,
  type RequestLayout,
  toConsentView,
  toModelsView,
} from './samplingView.ts';

/**
 * Between two updates of a streaming answer in the panel. Each has all of the text, so that the time grows with it: what is
 * posted in a second stays the same.
 */
const streamInterval = { milliseconds: 50, characters: 100_000 };

type SamplingMessage = Exclude<ConsentFromPanel, { readonly type: 'ready' }>;

/** The queue of requests for a model. A refused question declines the request, or withholds its answer. */
export type SamplingQueue = QuestionQueue<ConsentToPanel, SamplingMessage, SamplingReview, SamplingQuestion>;

/** What the questions need beside the panel. */
export interface SamplingPorts {
  readonly clock: Clock;
  /** See {@link SecretFinder.mask}. */
  readonly maskSecrets: SecretFinder['mask'];
  /** Tokens of an answer that its provider did not count. */
  readonly estimateTokens: (text: string) => number;
  /** Lets the person add a model; resolves when they are done, whether they added one or not. */
  readonly addModel: () => Promise<void>;
}

/** Shows requests for a model one after the other: see {@link QuestionQueue}. */
export function createSamplingQueue(ports: QuestionQueuePorts<ConsentToPanel> & SamplingPorts): SamplingQueue {
  return new QuestionQueue(ports, {
    read: readConsentMessage,
    create: (slot, review) => new SamplingQuestion(slot, review, ports),
  });
}

/** The phase of one request. `running`: approved, the model generates. `over`: decided or cancelled, nothing can follow. */
type Phase = 'request' | 'running' | 'answer' | 'over';

/**
 * The state of one request in the consent panel, independent of the panel. Each decision is taken once, in its own phase;
 * other messages of the panel are ignored, except a refusal, which always holds.
 */
export class SamplingQuestion implements ConsentSession, Question<SamplingMessage> {
  readonly id: number;
  readonly isAnswered = false;
  readonly #slot: QuestionSlot<ConsentToPanel>;
  readonly #ports: SamplingPorts;
  readonly #stop = new AbortController();
  #review: SamplingReview;
  #phase: Phase = 'request';
  /** The id of the model that answers. */
  #model: string | undefined;
  #isAddingModel = false;
  #answerText = '';
  #failure: string | undefined;
  #drawing: Disposable | undefined;
  /** Made when it is shown first. The request stays the same. */
  #layout: RequestLayout | undefined;
  #answer: ModelAnswer | undefined;
  #resolveRequest: ((decision: RequestDecision) => void) | undefined;
  #resolveAnswer: ((decision: AnswerDecision) => void) | undefined;
  /** A decision after a failure was shown, and before `askRequest` was called again. */
  #earlyDecision: RequestDecision | undefined;

  constructor(slot: QuestionSlot<ConsentToPanel>, review: SamplingReview, ports: SamplingPorts) {
    this.id = slot.id;
    this.#slot = slot;
    this.#review = review;
    this.#ports = ports;
  }

  get server(): string {
    return this.#review.server;
  }

  get stopped(): AbortSignal {
    return this.#stop.signal;
  }

  askRequest(): Promise<RequestDecision> {
    const early = this.#earlyDecision;
    this.#earlyDecision = undefined;
    if (early !== undefined) return Promise.resolve(early);
    if (this.#phase === 'over') return Promise.resolve({ kind: 'decline' });
    // An early approval may still be masking what the person chose.
    if (this.#phase !== 'running') this.#phase = 'request';
    return new Promise((resolve) => {
      this.#resolveRequest = resolve;
    });
  }

  letThrough(model: string): void {
    if (this.#phase === 'request') this.#run(model);
  }

  showAnswer(text: string): void {
    if (this.#phase !== 'running') return;
    this.#answerText = text;
    // A model may send thousands of pieces a second: one message for each interval is enough.
    this.#drawing ??= this.#ports.clock.after(streamIntervalFor(text), () => {
      this.#drawing = undefined;
      if (this.#phase === 'running') this.#slot.post({ type: 'answerText', id: this.id, text: this.#answerText });
    });
  }

  showFailure(message: string): void {
    if (this.#phase === 'over') return;
    this.#stopDrawing();
    this.#phase = 'request';
    this.#failure = message;
    this.#slot.post({ type: 'failure', id: this.id, message });
  }

  askAnswer(answer: ModelAnswer): Promise<AnswerDecision> {
    if (this.#phase === 'over') return Promise.resolve({ kind: 'withhold' });
    this.#stopDrawing();
    this.#phase = 'answer';
    this.#answer = answer;
    this.#slot.post(this.#answerView(answer));
    return new Promise((resolve) => {
      this.#resolveAnswer = resolve;
    });
  }

  dispose(): void {
    this.refuse();
  }

  present(waiting: number): void {
    const review = this.#review;
    const view = { ...toConsentView(review, this.#layOut()), lookAlike: this.#slot.lookAlike(review.server), waiting };
    this.#slot.post({ type: 'show', id: this.id, view });
    if (this.#phase === 'running') {
      this.#postRunning();
      this.#slot.post({ type: 'answerText', id: this.id, text: this.#answerText });
    } else if (this.#phase === 'answer' && this.#answer) this.#slot.post(this.#answerView(this.#answer));
    else if (this.#failure !== undefined) this.#slot.post({ type: 'failure', id: this.id, message: this.#failure });
  }

  receive(message: SamplingMessage): void {
    switch (message.type) {
      case 'decline':
      case 'withhold':
        return this.refuse();
      case 'approve':
        return void this.#approve(message);
      case 'answer':
        if (this.#phase === 'request') this.#end({ kind: 'answer', text: message.text }, { kind: 'withhold' });
        return;
      case 'addModel':
        return void this.#addModel();
      case 'send':
        return this.#send(message.text);
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

  async #approve(message: ConsentApproval): Promise<void> {
    if (this.#phase !== 'request') return;
    const { model, remembersModel, masked } = message;
    const { request, models, marks } = this.#review;
    const edited = applyConsentEdits(request, message.edits);
    const isKnownModel = models.some(({ id }) => id === model);
    const isKnownMark = masked.every((index) => index < marks.length);
    const isReviewable = this.#layOut().unreviewable === undefined;
    if (edited === undefined || !isKnownModel || !isKnownMark || !isReviewable) return this.refuse();
    this.#failure = undefined;
    this.#run(model);
    const approved = await this.#mask(edited, masked).catch(() => undefined);
    // What could not be masked is not sent.
    if (approved === undefined) return this.refuse();
    const rule = message.rule && toRuleTerms(message.rule, this.#ports.clock.now());
    const decision = { kind: 'approve', request: approved, model, masked: masked.length, remembersModel } as const;
    if (this.#isIn('running')) this.#decideRequest(rule === undefined ? decision : { ...decision, rule });
  }

  #layOut(): RequestLayout {
    this.#layout ??= layOutRequest(this.#review.request);
    return this.#layout;
  }

  #isIn(phase: Phase): boolean {
    return this.#phase === phase;
  }

  /** Masks what the person chose in all of the request: also where the page has no text field for it. */
  async #mask(request: SamplingRequest, indexes: readonly number[]): Promise<SamplingRequest> {
    if (indexes.length === 0) return request;
    const chosen = this.#review.marks.filter((_mark, index) => indexes.includes(index));
    // A text field changes every line break to \n.
    const edited = chosen.map((mark) => ({ ...mark, value: mark.value.replaceAll(/\r\n?/g, '\n') }));
    return this.#ports.maskSecrets(request, [...chosen, ...edited]);
  }

  async #addModel(): Promise<void> {
    const { refreshModels } = this.#review;
    if (this.#isAddingModel || refreshModels === undefined) return;
    this.#isAddingModel = true;
    try {
      await this.#ports.addModel();
      const offered = await refreshModels();
      this.#review = { ...this.#review, ...offered };
      this.#slot.post({ type: 'models', id: this.id, models: toModelsView(offered, this.#review) });
    } catch {
      // Whoever adds the model says what went wrong; the question stays as it is.
    } finally {
      this.#isAddingModel = false;
    }
  }

  #run(model: string): void {
    this.#phase = 'running';
    this.#model = model;
    this.#answerText = '';
    this.#postRunning();
  }

  #postRunning(): void {
    const modelName = this.#review.models.find(({ id }) => id === this.#model)?.name ?? '';
    this.#slot.post({ type: 'running', id: this.id, modelName });
  }

  #answerView(answer: ModelAnswer) {
    const { models, estimatedTokens } = this.#review;
    const model = models.find(({ id }) => id === this.#model);
    const { estimateTokens } = this.#ports;
    return toAnswerView(this.id, answer, { model, inputTokens: estimatedTokens, estimateTokens });
  }

  #send(text: string): void {
    const answer = this.#answer;
    if (this.#phase !== 'answer' || answer === undefined || this.#answerView(answer).isCut) return;
    this.#end({ kind: 'decline' }, { kind: 'send', content: replaceText(answer.result.content, text) });
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
    this.#slot.ended();
  }

  #stopDrawing(): void {
    this.#drawing?.dispose();
    this.#drawing = undefined;
  }
}

function streamIntervalFor({ length }: string): number {
  const { milliseconds, characters } = streamInterval;
  return Math.floor(milliseconds * (1 + length / characters));
}
