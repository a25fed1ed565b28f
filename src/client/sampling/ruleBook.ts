import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { RuleTerms } from './ports.ts';
import {
  isAlive,
  reservedTokens,
  type RuledRequest,
  type SamplingRule,
  settleRule,
  spendRule,
  whyNotCovered,
} from './samplingRules.ts';

/**
 * Port that keeps rules when the window closes. Windows may share it: a change is made of what is there at that moment, and
 * is stored when the promise resolves.
 */
export interface RuleStore {
  /**
   * @param change may be called again, with what another window has stored meanwhile
   * @returns the rules afterwards
   * @throws an error where they cannot be stored: the change is not made then
   */
  update(change: (rules: readonly SamplingRule[]) => readonly SamplingRule[]): Promise<readonly SamplingRule[]>;
}

/** A request that a rule lets through, from before it is sent until it is over. */
export interface RuleUsage {
  readonly rule: SamplingRule;
  /** Aborted when the rule is revoked meanwhile. */
  readonly revoked: AbortSignal;
  /** It is over. @param tokens what it took; `undefined` if nobody knows: what was reserved counts */
  end(tokens: number | undefined): void;
}

/** The rules of a window. */
export interface RuleBook extends Disposable {
  /** Those that have not ended; the newest last. */
  readonly rules: readonly SamplingRule[];
  /** Requests that rules let through now. */
  readonly running: number;
  /** Fires when a rule was made, changed, used or revoked. */
  readonly onDidChange: Event<void>;
  /** Reads what is kept, if it can be read. */
  load(): Promise<void>;
  /**
   * The rule that covers a request, or why none does, as a sentence; `undefined` if the server has none. Uses nothing up.
   */
  find(request: RuledRequest): { readonly rule: SamplingRule } | { readonly because: string } | undefined;
  /**
   * Takes a use from the rule before the request is sent.
   * @returns `undefined` if the rule has ended, or is used up, meanwhile
   */
  use(rule: SamplingRule, request: RuledRequest): Promise<RuleUsage | undefined>;
  /** Adds a rule; it takes the place of one for the same server, definition and model. */
  add(rule: SamplingRule): Promise<void>;
  /** Changes the terms of a rule. What was seen when it was made stays its limit. */
  edit(id: string, terms: Partial<RuleTerms>): Promise<void>;
  /**
   * Ends rules, and aborts what they let through now.
   * @param because why, for the audit log
   * @returns how many there were
   */
  revoke(isChosen: (rule: SamplingRule) => boolean, because?: string): Promise<number>;
}

/** Rules that a window can have: more could not be looked through. */
const maximumRules = 100;

/** @param store of those that are kept */
export function createRuleBook(store: RuleStore, clock: Clock): RuleBook {
  return new StoredRuleBook(store, clock);
}

class StoredRuleBook implements RuleBook {
  readonly #store: RuleStore;
  readonly #clock: Clock;
  readonly #didChange = new Emitter<void>();
  readonly #running = new Set<{ readonly id: string; readonly abort: AbortController }>();
  /** Those of this window only. */
  #own: readonly SamplingRule[] = [];
  /** Those of the store, as they were last seen. */
  #kept: readonly SamplingRule[] = [];
  /** Their ids: a store that could not be written must not bring one back. */
  readonly #revoked = new Set<string>();

  /** The latest time that was seen: a clock that is set back must not bring back a rule that has ended. */
  #latest = 0;

  readonly onDidChange = this.#didChange.event;

  constructor(store: RuleStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  get rules(): readonly SamplingRule[] {
    const now = this.#now();
    return [...this.#kept, ...this.#own].filter((rule) => isAlive(rule, now));
  }

  get running(): number {
    return this.#running.size;
  }

  async load(): Promise<void> {
    try {
      await this.#updateKept((rules) => rules);
    } catch {
      // What cannot be read allows nothing.
      this.#kept = [];
      this.#didChange.fire();
    }
  }

  find(request: RuledRequest): { readonly rule: SamplingRule } | { readonly because: string } | undefined {
    const now = this.#now();
    const candidates = this.rules.filter(({ server }) => server === request.server).toReversed();
    const rule = candidates.find((one) => whyNotCovered(one, request, now) === undefined);
    if (rule !== undefined) return { rule };
    const [latest] = candidates;
    const because = latest && whyNotCovered(latest, request, now);
    return because === undefined ? undefined : { because };
  }

  async use(rule: SamplingRule, request: RuledRequest): Promise<RuleUsage | undefined> {
    const { id } = rule;
    const reserved = reservedTokens(request.facts);
    // Before anything is waited for: a rule that is revoked meanwhile aborts this request too.
    const running = { id, abort: new AbortController() };
    this.#running.add(running);
    const isSpent = await this.#spend(rule, request).catch((error: unknown) => {
      this.#running.delete(running);
      throw error;
    });
    if (!isSpent || running.abort.signal.aborted) {
      this.#running.delete(running);
      return undefined;
    }
    this.#didChange.fire();
    return {
      rule,
      revoked: running.abort.signal,
      end: (tokens) => {
        if (!this.#running.delete(running)) return;
        if (tokens === undefined) this.#didChange.fire();
        else void this.#change(rule.isKept, (rules) => settleRule(rules, id, reserved, tokens)).catch(() => {});
      },
    };
  }

  async #spend(rule: SamplingRule, request: RuledRequest): Promise<boolean> {
    let isSpent = false;
    await this.#change(rule.isKept, (rules) => {
      const spent = spendRule(rules, rule.id, request, this.#now());
      isSpent = spent !== undefined;
      return spent ?? rules;
    });
    return isSpent;
  }

  async add(rule: SamplingRule): Promise<void> {
    const isOther = (one: SamplingRule): boolean =>
      one.server !== rule.server || one.definition !== rule.definition || one.model.id !== rule.model.id;
    // In one turn, as two requests may each make a rule at the same time.
    for (const { id } of this.#kept.filter((one) => !isOther(one))) this.#revoked.add(id);
    this.#kept = this.#kept.filter(isOther);
    this.#own = [...this.#own.filter(isOther), ...(rule.isKept ? [] : [rule])].slice(-maximumRules);
    this.#didChange.fire();
    try {
      await this.#updateKept((rules) =>
        [...rules.filter(isOther), ...(rule.isKept ? [rule] : [])].slice(-maximumRules),
      );
    } catch (error) {
      // Whoever is told that there is no rule must not have one.
      this.#own = this.#own.filter(({ id }) => id !== rule.id);
      this.#didChange.fire();
      throw error;
    }
  }

  async edit(id: string, terms: Partial<RuleTerms>): Promise<void> {
    const isIt = (rule: SamplingRule): boolean => rule.id === id;
    const before = this.rules.find(isIt);
    if (before === undefined) return;
    const { isKept } = { ...before, ...terms };
    if (isKept === before.isKept)
      return this.#change(isKept, (rules) => rules.map((rule) => (isIt(rule) ? { ...rule, ...terms } : rule)));
    // What it has let through meanwhile, in this window or another, goes with it.
    let moved = before;
    await this.#change(before.isKept, (rules) => {
      moved = { ...(rules.find(isIt) ?? before), ...terms };
      return rules.filter((rule) => !isIt(rule));
    });
    if (this.#revoked.has(id)) return;
    await this.#change(isKept, (rules) => [...rules.filter((rule) => !isIt(rule)), moved]);
  }

  async revoke(isChosen: (rule: SamplingRule) => boolean): Promise<number> {
    const chosen = this.rules.filter(isChosen);
    const ids = new Set(chosen.map(({ id }) => id));
    for (const { id, abort } of this.#running) if (ids.has(id)) abort.abort();
    if (ids.size === 0) return 0;
    for (const id of ids) this.#revoked.add(id);
    // Here at once, whatever the store does.
    this.#own = this.#own.filter(({ id }) => !ids.has(id));
    const isKept = chosen.some((rule) => rule.isKept);
    this.#kept = this.#kept.filter(({ id }) => !ids.has(id));
    this.#didChange.fire();
    if (isKept) await this.#updateKept((rules) => rules.filter(({ id }) => !ids.has(id)));
    return ids.size;
  }

  dispose(): void {
    for (const { abort } of this.#running) abort.abort();
    this.#didChange.dispose();
  }

  #now(): number {
    this.#latest = Math.max(this.#latest, this.#clock.now());
    return this.#latest;
  }

  async #change(isKept: boolean, change: (rules: readonly SamplingRule[]) => readonly SamplingRule[]): Promise<void> {
    if (isKept) return this.#updateKept(change);
    this.#own = this.#usable(change(this.#usable(this.#own)));
    this.#didChange.fire();
  }

  async #updateKept(change: (rules: readonly SamplingRule[]) => readonly SamplingRule[]): Promise<void> {
    const stored = await this.#store.update((rules) => this.#usable(change(this.#usable(rules))));
    // One may have been revoked while this was stored.
    const kept = this.#usable(stored);
    const ids = new Set(kept.map(({ id }) => id));
    // Another window has revoked those that are gone.
    const gone = new Set(this.#kept.flatMap(({ id }) => (ids.has(id) ? [] : [id])));
    for (const { id, abort } of this.#running) if (gone.has(id)) abort.abort();
    this.#kept = kept;
    this.#didChange.fire();
  }

  #usable(rules: readonly SamplingRule[]): readonly SamplingRule[] {
    const now = this.#now();
    return rules.filter((rule) => isAlive(rule, now) && !this.#revoked.has(rule.id));
  }
}
