import { memoizeAsync } from '../../base/sharedPromise.ts';
import type { Event } from '../../base/event.ts';
import type { AuditedRules } from './ruleAudit.ts';
import { isThere } from './sharedFile.ts';

/** What is there of the rules before their code is loaded. */
export interface LazyRules {
  /** True once {@link rules} was called, or a request has come: from then on there may be rules of this window. */
  readonly isLoaded: boolean;
  /** Loads the code. */
  rules(): Promise<AuditedRules>;
  /** See `RuleBook.onDidChange`; fires too when the code was loaded. */
  readonly onDidChangeRules: Event<void>;
}

/** The rules for those who show them: nothing is loaded while there can be none. */
export interface RuleSource {
  /** @returns `undefined` where there can be no rule yet; else the rules, those that are kept included */
  find(): Promise<AuditedRules | undefined>;
  readonly onDidChange: Event<void>;
}

/** @param path of the file with the rules that are kept, which is there only if there are any */
export function createRuleSource(lazy: LazyRules, path: string): RuleSource {
  const load = memoizeAsync(async () => {
    const rules = await lazy.rules();
    await rules.load();
    return rules;
  });
  return {
    find: async () => (lazy.isLoaded || (await isThere(path)) ? load() : undefined),
    onDidChange: lazy.onDidChangeRules,
  };
}
