import { checkAnswer } from '../../client/elicitation/answerCheck.ts';
import type { ElicitationDecision, ElicitationReview, ElicitationSession } from '../../client/elicitation/ports.ts';
import type { SchemaValidator } from '../../client/validation/schemaValidator.ts';
import type { FieldFinding, FormContent } from '../../schema/flatForm.ts';
import { looksLikeSecretName } from '../../secrets/secretNames.ts';
import {
  type ElicitationFromPanel,
  type ElicitationToPanel,
  type ElicitationView,
  readElicitationMessage,
} from '../../shared/elicitationMessages.ts';
import { type Question, QuestionQueue, type QuestionQueuePorts, type QuestionSlot } from './questionQueue.ts';
import { fromSent } from '../../shared/exactMessages.ts';

type ElicitationMessage = Exclude<ElicitationFromPanel, { readonly type: 'ready' }>;

interface ElicitationPorts {
  readonly validator: SchemaValidator;
  /** Opens an address in the person's browser. Resolves to whether that worked. */
  readonly openAddress: (href: string) => Promise<boolean>;
}

export type ElicitationQueue = ReturnType<typeof createElicitationQueue>;

/** The queue of elicitations. A refused question cancels its elicitation. */
export function createElicitationQueue(ports: QuestionQueuePorts & ElicitationPorts) {
  const create = (slot: QuestionSlot<ElicitationToPanel>, review: ElicitationReview): ElicitationQuestion =>
    new ElicitationQuestion(slot, review, ports);
  return new QuestionQueue(ports, readElicitationMessage, create);
}

/**
 * The phase of one elicitation. `opened`: the address is open in the browser, and a request waits for the end of the visit.
 * `answered`: the server has its answer, and the person is on the page. `over`: nothing can follow.
 */
type Phase = 'question' | 'opened' | 'answered' | 'over';

/** The state of one elicitation in its panel, independent of the panel. `decision` and `left` each settle once. */
class ElicitationQuestion implements ElicitationSession, Question<ElicitationMessage> {
  readonly id: number;
  readonly decision: Promise<ElicitationDecision>;
  readonly left: ElicitationSession['left'];
  readonly #slot: QuestionSlot<ElicitationToPanel>;
  readonly #review: ElicitationReview;
  readonly #ports: ElicitationPorts;
  #resolveDecision: (decision: ElicitationDecision) => void = () => {};
  #resolveLeft: (how: 'done' | 'cancelled') => void = () => {};
  #phase: Phase;
  #isOpening = false;

  constructor(slot: QuestionSlot<ElicitationToPanel>, review: ElicitationReview, ports: ElicitationPorts) {
    this.id = slot.id;
    this.#slot = slot;
    this.#review = review;
    this.#ports = ports;
    // A person who was on the page already need not open it again.
    this.#phase = review.kind === 'visit' && review.isRequired && review.wasVisited ? 'opened' : 'question';
    this.decision = new Promise((resolve) => {
      this.#resolveDecision = resolve;
    });
    this.left = new Promise((resolve) => {
      this.#resolveLeft = resolve;
    });
  }

  get server(): string {
    return this.#review.server;
  }

  get isAnswered(): boolean {
    return this.#phase === 'answered';
  }

  present(waiting: number, lookAlike: string | undefined): void {
    const view = toElicitationView(this.#review, waiting, lookAlike);
    this.#slot.post({ type: 'show', id: this.id, view });
    if (this.#phase !== 'question') this.#slot.post({ type: 'opened', id: this.id, isOpen: true });
  }

  receive(message: ElicitationMessage): void {
    switch (message.type) {
      case 'send':
        return void this.#send(fromSent(message.content));
      case 'check':
        return void this.#check(fromSent(message.content));
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
    const review = this.#review;
    // A request that waits for the visit can go on. A visit that the person did not agree to is no longer needed.
    const isMade = this.#phase !== 'question' || (review.kind === 'visit' && review.isRequired);
    this.#end(isMade ? { kind: 'accept', content: undefined } : { kind: 'cancel' });
  }

  refuse(): void {
    // While the person is on the page, the panel only says so: closing it cancels nothing.
    this.#end(this.#phase === 'answered' ? { kind: 'accept', content: undefined } : { kind: 'cancel' });
  }

  /** An answered question stays in the panel, since the person may still be on the page. */
  dispose(): void {
    if (this.#phase !== 'answered') this.refuse();
  }

  async #check(content: FormContent): Promise<void> {
    const findings = await this.#find(content);
    this.#slot.post({ type: 'checked', id: this.id, findings, isReturned: false });
  }

  async #send(content: FormContent): Promise<void> {
    const review = this.#review;
    // The page asks for these fields only: others cannot come from it.
    if (review.kind !== 'form' || !Object.keys(content).every((name) => Object.hasOwn(review.schema.properties, name)))
      return this.#end({ kind: 'cancel' });
    const findings = await this.#find(content);
    if (findings.some(({ problems }) => problems.length > 0))
      this.#slot.post({ type: 'checked', id: this.id, findings, isReturned: true });
    else this.#end({ kind: 'accept', content });
  }

  async #find(content: FormContent): Promise<readonly FieldFinding[]> {
    const review = this.#review;
    return review.kind === 'form' ? checkAnswer(this.#ports.validator, review.server, review.schema, content) : [];
  }

  async #open(): Promise<void> {
    const review = this.#review;
    if (review.kind !== 'visit' || this.#isOpening) return;
    this.#isOpening = true;
    const isOpen = await this.#ports.openAddress(review.address.href).catch(() => false);
    this.#isOpening = false;
    this.#slot.post({ type: 'opened', id: this.id, isOpen: isOpen || this.#phase !== 'question' });
    if (!isOpen || this.#phase !== 'question') return;
    this.#phase = review.isRequired ? 'opened' : 'answered';
    if (review.isRequired) return;
    this.#resolveDecision({ kind: 'accept', content: undefined });
    this.#slot.answered();
  }

  #end(decision: ElicitationDecision): void {
    if (this.#phase === 'over') return;
    const isPlainVisit = this.#phase === 'answered';
    this.#phase = 'over';
    // No effect if it was decided before.
    this.#resolveDecision(decision);
    this.#resolveLeft(isPlainVisit && decision.kind === 'cancel' ? 'cancelled' : 'done');
    this.#slot.ended();
  }
}

function toElicitationView(review: ElicitationReview, waiting: number, lookAlike: string | undefined): ElicitationView {
  if (review.kind === 'visit') return { ...review, waiting, lookAlike };
  const secretFields = Object.entries(review.schema.properties)
    .filter(([name, { title = '' }]) => looksLikeSecretName(name) || looksLikeSecretName(title))
    .map(([name]) => name);
  return { ...review, waiting, lookAlike, secretFields };
}
