import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { SharedStore } from '../../base/sharedStore.ts';
import type { AuditEntry, AuditLog } from '../auditLog.ts';
import {
  isAlive,
  reservedTokens,
  type RuledRequest,
  type RuleTerms,
  type SamplingRule,
  settleRule,
  spendRule,
  whyNotCovered,
} from './samplingRules.ts';

/** A request that a rule lets through, from before it is sent until it is over. */
export interface RuleUsage {
  readonly rule: SamplingRule;
  /** Aborted when the rule is revoked meanwhile. */
  readonly revoked: AbortSignal;
  /** It is over. @param tokens what it took; `undefined` if it is not known: what was reserved counts */
  end(tokens: number | undefined): void;
}

/** Rules that a window can have: more could not be looked through. */
const maximumRules = 100;

type Rules = readonly SamplingRule[];

/**
 * The rules of a window: those that are kept, which windows share, and its own. That one was made, changed or revoked is in
 * the audit log; that the time of one is over is not.
 */
export class RuleBook implements Disposable {
  readonly #store: SharedStore<Rules>;
  readonly #clock: Clock;
  readonly #audit: AuditLog;
  readonly #didChange = new Emitter<void>();
  readonly #running = new Set<{ readonly id: string; readonly abort: AbortController }>();
  /** Those of the store, as they were last seen, then those of this window only. */
  #rules: Rules = [];
  /** Those that are being stored: a server that stops meanwhile ends them too. */
  readonly #adding = new Set<SamplingRule>();
  /** Their ids: a store that could not be written must not bring one back. */
  readonly #revoked = new Set<string>();
  /** The latest time that was seen: a clock that is set back must not bring back a rule that has ended. */
  #latest = 0;
  #work: Promise<unknown> = Promise.resolve();

  /** Fires when a rule was made, changed, used or revoked. */
  readonly onDidChange = this.#didChange.event;

  /** @param store of those that are kept */
  constructor(store: SharedStore<Rules>, clock: Clock, audit: AuditLog) {
    this.#store = store;
    this.#clock = clock;
    this.#audit = audit;
  }

  /** Those that have not ended; the newest last. */
  get rules(): Rules {
    return this.#usable(this.#rules);
  }

  /** Requests that rules let through now. */
  get running(): number {
    return this.#running.size;
  }

  /** Reads what is kept, if it can be read. */
  async load(): Promise<void> {
    try {
      await this.#change((rules) => rules);
    } catch {
      // What cannot be read allows nothing.
      this.#rules = this.#rules.filter(({ isKept }) => !isKept);
      this.#didChange.fire();
    }
  }

  /**
   * The rule that covers a request, or why none does, as a sentence; `undefined` if the server has none. Uses nothing up.
   */
  find(request: RuledRequest): { readonly rule: SamplingRule } | { readonly because: string } | undefined {
    const now = this.#now();
    const candidates = this.rules.filter(({ server }) => server === request.server).toReversed();
    const rule = candidates.find((one) => whyNotCovered(one, request, now) === undefined);
    if (rule !== undefined) return { rule };
    const [latest] = candidates;
    const because = latest && whyNotCovered(latest, request, now);
    return because === undefined ? undefined : { because };
  }

  /**
   * Takes a use from the rule before the request is sent.
   * @returns `undefined` if the rule has ended, or is used up, meanwhile
   * @throws what the store throws
   */
  async use(rule: SamplingRule, request: RuledRequest): Promise<RuleUsage | undefined> {
    const { id } = rule;
    // Before anything is waited for: a rule that is revoked meanwhile aborts this request too.
    const running = { id, abort: new AbortController() };
    this.#running.add(running);
    let isSpent = false;
    try {
      await this.#change((rules) => {
        const spent = spendRule(rules, id, request, this.#now());
        isSpent = spent !== undefined;
        return spent ?? rules;
      });
    } catch (error) {
      this.#running.delete(running);
      throw error;
    }
    if (!isSpent || running.abort.signal.aborted) {
      this.#running.delete(running);
      return undefined;
    }
    const end = (tokens: number | undefined): void => {
      if (!this.#running.delete(running)) return;
      this.#didChange.fire();
      if (tokens === undefined) return;
      const reserved = reservedTokens(request.facts);
      this.#change((rules) => settleRule(rules, id, reserved, tokens)).catch(() => {});
    };
    return { rule, revoked: running.abort.signal, end };
  }

  /** Adds a rule; it takes the place of one for the same server, definition and model. @throws what the store throws */
  async add(rule: SamplingRule): Promise<void> {
    const isOther = (one: SamplingRule): boolean =>
      one.server !== rule.server || one.definition !== rule.definition || one.model.id !== rule.model.id;
    const replaced = this.rules.filter((one) => !isOther(one));
    // At once, also if the new one cannot be stored: it may be narrower.
    for (const { id } of replaced) this.#revoked.add(id);
    this.#adding.add(rule);
    try {
      await this.#change((rules) => [...rules.filter(isOther), rule]);
    } catch (error) {
      const because = 'a new rule could not be stored';
      for (const one of replaced) this.#record(one, 'revoked', { model: one.model.name, because });
      this.#rules = this.rules;
      this.#didChange.fire();
      throw error;
    } finally {
      this.#adding.delete(rule);
    }
    // Its server may have stopped meanwhile.
    if (this.#revoked.has(rule.id)) return;
    this.#record(rule, 'made', { ...factsOf(rule), ...(replaced.length > 0 && { replaced: replaced.length }) });
  }

  /** Changes the terms of a rule. What was seen when it was made stays its limit. @throws what the store throws */
  async edit(id: string, terms: Partial<RuleTerms>): Promise<void> {
    const before = this.rules.find((rule) => rule.id === id);
    await this.#change((rules) => rules.map((rule) => (rule.id === id ? { ...rule, ...terms } : rule)));
    const after = this.rules.find((rule) => rule.id === id);
    if (before === undefined || after === undefined) return;
    const known = termsOf(before);
    const changes = Object.entries(termsOf(after)).filter(([name, value]) => known[name] !== value);
    if (changes.length > 0) this.#record(after, 'changed', Object.fromEntries(changes));
  }

  /**
   * The server has another name: its rules that are kept follow. They are for the same definition as before.
   * @throws what the store throws
   */
  async rename(server: string, name: string): Promise<void> {
    const isIts = (rule: SamplingRule): boolean => rule.isKept && rule.server === server;
    const moved = this.rules.filter(isIts);
    if (moved.length === 0) return;
    await this.#change((rules) => rules.map((rule) => (isIts(rule) ? { ...rule, server: name } : rule)));
    for (const rule of moved) this.#record(rule, 'changed', { server: name });
  }

  /**
   * Ends rules, and aborts what they let through now.
   * @param because why, in a few words for the audit log
   * @throws what the store throws: they have ended in this window, and are still stored
   */
  async revoke(isChosen: (rule: SamplingRule) => boolean, because: string): Promise<void> {
    const chosen = this.#usable([...this.#rules, ...this.#adding]).filter(isChosen);
    if (chosen.length === 0) return;
    const ids = new Set(chosen.map(({ id }) => id));
    for (const { id, abort } of this.#running) if (ids.has(id)) abort.abort();
    for (const id of ids) this.#revoked.add(id);
    this.#rules = this.rules;
    this.#didChange.fire();
    let stored: { readonly stored?: false } = { stored: false };
    try {
      if (chosen.some(({ isKept }) => isKept)) await this.#change((rules) => rules);
      stored = {};
    } finally {
      for (const rule of chosen) this.#record(rule, 'revoked', { model: rule.model.name, because, ...stored });
    }
  }

  dispose(): void {
    for (const { abort } of this.#running) abort.abort();
    this.#didChange.dispose();
  }

  #now(): number {
    this.#latest = Math.max(this.#latest, this.#clock.now());
    return this.#latest;
  }

  #usable(rules: Rules): Rules {
    const now = this.#now();
    return rules.filter((rule) => isAlive(rule, now) && !this.#revoked.has(rule.id));
  }

  /** Changes all rules, as they are in the store and in this window at that moment: one change after the other. */
  #change(change: (rules: Rules) => Rules): Promise<void> {
    const done = this.#work.then(async () => {
      let changed: Rules = [];
      await this.#store.update((kept) => {
        const own = this.#rules.filter(({ isKept }) => !isKept);
        changed = this.#usable(change(this.#usable([...kept, ...own]))).slice(-maximumRules);
        return changed.filter(({ isKept }) => isKept);
      });
      // Another window has revoked those that are gone.
      const ids = new Set(changed.map(({ id }) => id));
      const gone = new Set(this.rules.flatMap(({ id, isKept }) => (isKept && !ids.has(id) ? [id] : [])));
      for (const { id, abort } of this.#running) if (gone.has(id)) abort.abort();
      this.#rules = this.#usable(changed).toSorted((a, b) => Number(b.isKept) - Number(a.isKept));
      this.#didChange.fire();
    });
    this.#work = done.catch(() => {});
    return done;
  }

  #record(rule: SamplingRule, outcome: string, detail: AuditEntry['detail']): void {
    this.#audit.record({ server: rule.server, action: 'rule', outcome, detail: { rule: rule.id, ...detail } });
  }
}

function factsOf(rule: SamplingRule): AuditEntry['detail'] {
  const { model, seen, definition } = rule;
  return {
    model: model.name,
    ...(model.destination !== undefined && { destination: model.destination }),
    ...termsOf(rule),
    definition,
    seenCharacters: seen.characters,
    seenMaxTokens: seen.maxTokens,
  };
}

function termsOf({
  requestsPerHour,
  tokensPerHour,
  expiresAt,
  reviewsAnswer,
  isKept,
}: RuleTerms): AuditEntry['detail'] {
  return { requestsPerHour, tokensPerHour, until: new Date(expiresAt).toISOString(), reviewsAnswer, kept: isKept };
}
