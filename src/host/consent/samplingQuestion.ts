import type { Clock } from '../../base/clock.ts';
import { CancelledError } from '../../base/errors.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { AnswerDecision, ConsentSession, RequestDecision, SamplingReview } from '../../client/sampling/ports.ts';
import type { RuleTerms } from '../../client/sampling/samplingRules.ts';
import type { ModelAnswer, ModelInfo } from '../../models/modelGateway.ts';
import {
  type ConsentFromPanel,
  type ConsentToPanel,
  type ConsentView,
  readConsentMessage,
  type RuleEnd,
  ruleEnds,
  type RuleOffer,
} from '../../shared/consentMessages.ts';
import { type Question, QuestionQueue, type QuestionQueuePorts, type QuestionSlot } from './questionQueue.ts';
import { replaceText, toAnswerView, toConsentView, toModelsView } from './samplingView.ts';

/**
 * Between two updates of a streaming answer in the panel. Each has all of the text, so that the time grows with it: what is
 * posted in a second stays the same.
 */
const streamInterval = { milliseconds: 50, characters: 100_000 };

type SamplingMessage = Exclude<ConsentFromPanel, { readonly type: 'ready' }>;

interface SamplingPorts {
  readonly clock: Clock;
  /** Tokens of an answer that its provider did not count. */
  readonly estimateTokens: (text: string) => number;
  /** Lets the person add a model; resolves when they are done, whether they added one or not. */
  readonly addModel: () => Promise<void>;
}

export type SamplingQueue = ReturnType<typeof createSamplingQueue>;

/** The queue of requests for a model. A refused question declines the request, or withholds its answer. */
export function createSamplingQueue(ports: QuestionQueuePorts & SamplingPorts) {
  const create = (slot: QuestionSlot<ConsentToPanel>, review: SamplingReview): SamplingQuestion =>
    new SamplingQuestion(slot, review, ports);
  return new QuestionQueue(ports, readConsentMessage, create);
}

/** The phase of one request. `running`: approved, the model generates. `over`: decided or cancelled, nothing can follow. */
type Phase = 'request' | 'running' | 'answer' | 'over';

/**
 * The state of one request in the consent panel, independent of the panel. Each decision is taken once, in its own phase;
 * other messages of the panel are ignored, except a refusal, which always holds.
 */
class SamplingQuestion implements ConsentSession, Question<SamplingMessage> {
  readonly id: number;
  readonly isAnswered = false;
  readonly #slot: QuestionSlot<ConsentToPanel>;
  readonly #ports: SamplingPorts;
  readonly #stop = new AbortController();
  #review: SamplingReview;
  #phase: Phase = 'request';
  /** The model that answers. */
  #model: ModelInfo | undefined;
  #isAddingModel = false;
  #answerText = '';
  #failure: string | undefined;
  #drawing: Disposable | undefined;
  /** Made when it is shown first, as it takes time. */
  #view: Omit<ConsentView, 'lookAlike' | 'waiting'> | undefined;
  #answer: ModelAnswer | undefined;
  #resolveRequest: ((decision: RequestDecision) => void) | undefined;
  #resolveAnswer: ((decision: AnswerDecision) => void) | undefined;
  /** A decision before `askRequest` was called again. */
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

  askRequest(failure?: string): Promise<RequestDecision> {
    const early = this.#earlyDecision;
    this.#earlyDecision = undefined;
    if (early !== undefined) return Promise.resolve(early);
    if (this.#phase === 'over') return Promise.resolve({ kind: 'decline' });
    this.#stopDrawing();
    this.#phase = 'request';
    this.#failure = failure;
    this.#postFailure();
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
    const { milliseconds, characters } = streamInterval;
    // A model may send thousands of pieces a second: one message for each interval is enough.
    this.#drawing ??= this.#ports.clock.after(Math.floor(milliseconds * (1 + text.length / characters)), () => {
      this.#drawing = undefined;
      if (this.#phase === 'running') this.#slot.post({ type: 'answerText', id: this.id, text: this.#answerText });
    });
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

  present(waiting: number, lookAlike: string | undefined): void {
    this.#slot.post({ type: 'show', id: this.id, view: { ...this.#laidOut(), lookAlike, waiting } });
    if (this.#phase === 'running') {
      this.#postRunning();
      this.#slot.post({ type: 'answerText', id: this.id, text: this.#answerText });
    } else if (this.#phase === 'answer' && this.#answer) this.#slot.post(this.#answerView(this.#answer));
    else this.#postFailure();
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

  #approve({ model, remembersModel, masked, edits, rule }: SamplingMessage & { type: 'approve' }): void {
    if (this.#phase !== 'request') return;
    const { models, marks } = this.#review;
    const chosen = marks.filter((_mark, index) => masked.includes(index));
    const isKnown = models.some(({ id }) => id === model) && chosen.length === masked.length;
    if (!isKnown || this.#laidOut().unreviewable !== undefined) return this.refuse();
    this.#failure = undefined;
    this.#run(model);
    const edited = { ...edits, masked: chosen };
    this.#decideRequest({ kind: 'approve', edits: edited, model, remembersModel, rule: rule && this.#termsOf(rule) });
  }

  #termsOf({ end, ...terms }: RuleOffer): RuleTerms {
    return { ...terms, expiresAt: timeOf(end, this.#ports.clock.now()) };
  }

  #laidOut(): Omit<ConsentView, 'lookAlike' | 'waiting'> {
    this.#view ??= toConsentView(this.#review);
    return this.#view;
  }

  async #addModel(): Promise<void> {
    const { refreshModels } = this.#review;
    if (this.#isAddingModel || refreshModels === undefined) return;
    this.#isAddingModel = true;
    try {
      await this.#ports.addModel();
      const offered = await refreshModels();
      this.#review = { ...this.#review, ...offered };
      const models = toModelsView(offered, this.#review);
      this.#view = { ...this.#laidOut(), ...models };
      this.#slot.post({ type: 'models', id: this.id, models });
    } catch {
      // The command has said what went wrong; the question stays as it is.
    } finally {
      this.#isAddingModel = false;
    }
  }

  #run(model: string): void {
    this.#phase = 'running';
    this.#model = this.#review.models.find(({ id }) => id === model);
    this.#answerText = '';
    this.#postRunning();
  }

  #postFailure(): void {
    if (this.#failure !== undefined) this.#slot.post({ type: 'failure', id: this.id, message: this.#failure });
  }

  #postRunning(): void {
    this.#slot.post({ type: 'running', id: this.id, modelName: this.#model?.name ?? '' });
  }

  #answerView(answer: ModelAnswer) {
    const { estimatedTokens } = this.#review.facts;
    return toAnswerView(this.id, answer, this.#model, estimatedTokens, this.#ports.estimateTokens);
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

/** "end of today" is midnight in the person's time zone. */
function timeOf(end: RuleEnd, now: number): number {
  const minutes = ruleEnds[end];
  return minutes === undefined ? new Date(now).setHours(24, 0, 0, 0) : now + minutes * 60_000;
}
