import { expect } from 'vitest';
import type { RequestDecision, SamplingReview } from '../../../../src/client/sampling/ports.ts';
import { rulePeriodMs, type RuleTerms } from '../../../../src/client/sampling/samplingRules.ts';
import type { SamplingRequest } from '../../../../src/protocol/mcp/sampling.ts';
import { createManualClock, type ManualClock } from '../../../fixtures/manualClock.ts';
import {
  answering,
  KeptState,
  createSamplingHost,
  editsOf,
  send,
  type SamplingHost,
} from '../../../fixtures/samplingHost.ts';

/** What a server asks for. */
export interface SentRequest {
  readonly server: 'a' | 'b';
  readonly definition: 'd1' | 'd2';
  /** Characters of its text, 1 to 5. */
  readonly length: number;
  readonly maxTokens: number;
  readonly extra: 'none' | 'image' | 'tools' | 'context' | 'prompt' | 'secret';
}

/** What the person does with what they are shown. */
export interface Answer {
  readonly kind: 'approve' | 'decline' | 'withhold';
  readonly rule: (Omit<RuleTerms, 'expiresAt'> & { readonly hours: number }) | undefined;
}

/** One step of a sequence. */
export type Step =
  | { readonly kind: 'requests'; readonly requests: readonly SentRequest[]; readonly answer: Answer }
  /** The clock may also be set back. */
  | { readonly kind: 'time'; readonly minutes: number }
  | { readonly kind: 'restart' }
  | { readonly kind: 'serverStops'; readonly server: 'a' | 'b' }
  | { readonly kind: 'revoke' }
  | { readonly kind: 'budget'; readonly dailyTokens: number };

/** A rule as the person made it, with an account of its own. */
interface MadeRule extends RuleTerms {
  readonly server: string;
  readonly definition: string;
  readonly seen: SentRequest;
  isOver: boolean;
  /** When a request was let through, and the tokens that it took. */
  readonly uses: { readonly at: number; tokens: number }[];
}

/** What a rule may cover. */
const ruledExtras: readonly SentRequest['extra'][] = ['none', 'prompt'];

const mark = { kind: 'keyFormat', what: 'a key', value: 'key', places: [], isMaskable: true } as const;

/** The model takes as many tokens, of its request and answer together. */
const takenTokens = 8;

/**
 * Runs a sequence, with an account that shares no code with the policy. Fails where a request reaches the model that neither
 * the person nor a rule of theirs allowed, and where a request has not exactly one outcome and one entry in the record.
 */
export async function runSequence(steps: readonly Step[]): Promise<void> {
  const run = new SequenceRun();
  for (const step of steps) await run.take(step);
}

class SequenceRun {
  readonly #kept = new KeptState();
  readonly #clock = movableClock();
  readonly #rules: MadeRule[] = [];
  readonly #sent = new WeakMap<SamplingRequest, SentRequest>();
  #host: SamplingHost;
  #answer: Answer = { kind: 'decline', rule: undefined };
  #dailyTokens = 1_000_000;
  /** The latest time that was ever seen. */
  #latest = 0;
  /** The latest time since the window opened. */
  #latestHere = 0;
  /** Of the latest day. */
  #today = { day: '', tokens: 0 };
  #asked = 0;
  /** An error that a model throws would be shown to the person. */
  readonly #violations: string[] = [];

  constructor() {
    this.#host = this.#open();
  }

  async take(step: Step): Promise<void> {
    switch (step.kind) {
      case 'requests':
        this.#answer = step.answer;
        return this.#send(step.requests);
      case 'time':
        return this.#clock.move(step.minutes * 60_000);
      case 'restart':
        for (const rule of this.#rules) rule.isOver ||= !rule.isKept;
        this.#latestHere = 0;
        this.#host = this.#open();
        return;
      case 'serverStops':
        for (const rule of this.#rules) rule.isOver ||= rule.server === step.server && !rule.isKept;
        // The window looks at the clock for it.
        this.#latestHere = Math.max(this.#latestHere, this.#clock.now());
        this.#host.handler.serverStopped(step.server);
        return;
      case 'revoke':
        for (const rule of this.#rules) rule.isOver = true;
        await this.#host.handler.rules.load();
        await this.#host.handler.rules.revoke(() => true, 'by the person');
        return;
      case 'budget':
        this.#dailyTokens = step.dailyTokens;
    }
  }

  #open(): SamplingHost {
    const readDailyTokens = (): number => this.#dailyTokens;
    return createSamplingHost({
      kept: this.#kept,
      clock: this.#clock,
      limits: {
        maximumOpen: 5,
        get dailyTokens() {
          return readDailyTokens();
        },
      },
      findSecrets: (request) => Promise.resolve(/^secret/i.test(textOf(request)) ? [mark] : []),
      request: (review) => this.#decide(review),
      answer: (answer) => (this.#answer.kind === 'withhold' ? { kind: 'withhold' } : send(answer)),
      generate: async (id, request, onText, signal) => {
        this.#reachesModel(request);
        const answer = await answering('answer')(id, request, onText, signal);
        return { ...answer, usage: { inputTokens: 1, outputTokens: takenTokens - 1 } };
      },
    });
  }

  #sentAs(request: SamplingRequest): SentRequest {
    const sent = this.#sent.get(request);
    if (sent === undefined) throw new Error('a request that nobody sent');
    return sent;
  }

  #decide(review: SamplingReview): RequestDecision {
    this.#asked += 1;
    const { kind, rule } = this.#answer;
    const sent = this.#sentAs(review.request);
    const { server, definition } = sent;
    if (kind === 'decline') return { kind: 'decline' };
    // An approved request is told by its edit, which keeps its length.
    const messages = editsOf(review.request).messages.map((texts) => texts.map((text) => text?.toUpperCase()));
    const edits = editsOf(review.request, { messages });
    const decision = { kind: 'approve', edits, model: 'm1', remembersModel: false } as const;
    if (rule === undefined) return decision;
    const { hours, ...amounts } = rule;
    const terms: RuleTerms = { ...amounts, expiresAt: this.#clock.now() + hours * rulePeriodMs };
    // A rule counts when the answer was sent, which follows without a pause.
    if (kind === 'approve' && ruledExtras.includes(sent.extra))
      this.#rules.push({ ...terms, server, definition, seen: sent, isOver: false, uses: [] });
    return { ...decision, rule: terms };
  }

  #reachesModel(request: SamplingRequest): void {
    this.#latest = Math.max(this.#latest, this.#clock.now());
    const day = new Date(this.#latest).toISOString().slice(0, 10);
    if (day > this.#today.day) this.#today = { day, tokens: 0 };
    const reserved = reservedFor(request);
    const wasApproved = /^[A-Z]/.test(textOf(request));
    if (!wasApproved) {
      const rule = this.#rules.find((one) => this.#allows(one, this.#sentAs(request), reserved));
      if (rule === undefined) this.#violations.push('a request that nobody allowed reached the model');
      if (this.#today.tokens + reserved > this.#dailyTokens) this.#violations.push('more than the tokens of the day');
      rule?.uses.push({ at: Math.max(this.#latestHere, rule.uses.at(-1)?.at ?? 0), tokens: takenTokens });
    }
    this.#today.tokens += takenTokens;
  }

  #allows(rule: MadeRule, sent: SentRequest, reserved: number): boolean {
    const now = Math.max(this.#latestHere, rule.uses.at(-1)?.at ?? 0);
    const recent = rule.uses.filter(({ at }) => at > now - rulePeriodMs);
    return (
      !rule.isOver &&
      now < rule.expiresAt &&
      rule.server === sent.server &&
      rule.definition === sent.definition &&
      ruledExtras.includes(sent.extra) &&
      rule.seen.extra === sent.extra &&
      sent.length <= rule.seen.length &&
      sent.maxTokens <= rule.seen.maxTokens &&
      recent.length < rule.requestsPerHour &&
      recent.reduce((total, { tokens }) => total + tokens, 0) + reserved <= rule.tokensPerHour
    );
  }

  /** A rule takes the place of the one before for the same server and definition, when its request is over. */
  #endReplaced(): void {
    const newest = new Map(this.#rules.map((rule) => [`${rule.server} ${rule.definition}`, rule]));
    for (const rule of this.#rules) rule.isOver ||= ![...newest.values()].includes(rule);
  }

  async #send(requests: readonly SentRequest[]): Promise<void> {
    const { handler, audit, generated } = this.#host;
    this.#latestHere = Math.max(this.#latestHere, this.#clock.now());
    const before = { audit: audit.length, generated: generated.length, asked: this.#asked };
    const outcomes = await Promise.allSettled(
      requests.map((sent) => {
        const request = toRequest(sent);
        this.#sent.set(request, sent);
        const context = { server: sent.server, definition: () => Promise.resolve(sent.definition), cause: undefined };
        return handler.handle(request, { ...context, signal: new AbortController().signal });
      }),
    );
    expect(this.#violations).toEqual([]);
    const entries = audit.slice(before.audit);
    expect(entries, 'one entry for each request').toHaveLength(requests.length);
    const fulfilled = outcomes.filter(({ status }) => status === 'fulfilled').length;
    const allowed = entries.filter(({ outcome }) => /^(approved|allowed by a rule)/.test(outcome));
    expect(allowed, 'an entry says what happened').toHaveLength(fulfilled);
    this.#endReplaced();
    // Nobody was asked, so a rule decided, and the entry names it.
    const byRule = entries.filter(({ detail }) => detail['by'] === 'rule');
    expect(requests.length - (this.#asked - before.asked)).toBe(byRule.length);
    if (this.#answer.kind === 'decline') expect(generated.length - before.generated).toBe(byRule.length);
  }
}

function toRequest({ length, maxTokens, extra }: SentRequest): SamplingRequest {
  const text = { type: 'text', text: (extra === 'secret' ? 'secret' : 'x').padEnd(length, 'x') } as const;
  const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' } as const;
  return {
    messages: [{ role: 'user', content: extra === 'image' ? [text, image] : [text] }],
    maxTokens,
    ...(extra === 'tools' && { tools: [{ name: 't', inputSchema: {} }] }),
    ...(extra === 'context' && { includeContext: 'thisServer' }),
    ...(extra === 'prompt' && { systemPrompt: 'p' }),
  };
}

function textOf({ messages }: SamplingRequest): string {
  const [block] = messages[0]?.content ?? [];
  return block?.type === 'text' ? block.text : '';
}

function reservedFor(request: SamplingRequest): number {
  const { systemPrompt = '', maxTokens } = request;
  return textOf(request).length + systemPrompt.length + maxTokens;
}

/** A clock that a person may set back. */
function movableClock(): ManualClock & { move(milliseconds: number): Promise<void> } {
  const clock = createManualClock();
  let offset = 1_000_000_000_000;
  return {
    ...clock,
    now: () => clock.now() + offset,
    get waiting() {
      return clock.waiting;
    },
    move(milliseconds) {
      offset += milliseconds;
      return Promise.resolve();
    },
  };
}
