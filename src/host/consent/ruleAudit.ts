import type { AuditEntry, AuditLog } from '../../client/auditLog.ts';
import type { RuleTerms } from '../../client/sampling/ports.ts';
import type { RuleBook } from '../../client/sampling/ruleBook.ts';
import type { SamplingRule } from '../../client/sampling/samplingRules.ts';

/** Rules whose making, changing and revoking is in the audit log. That the time of a rule is over is not. */
export interface AuditedRules extends RuleBook {
  /** See `RuleBook.edit`. */
  edit(id: string, terms: Partial<RuleTerms>): Promise<void>;
  /** See `RuleBook.revoke`. @param because why, in a few words for the audit log */
  revoke(isChosen: (rule: SamplingRule) => boolean, because?: string): Promise<number>;
}

/** Records what is done with the rules of a book. */
export function createAuditedRules(book: RuleBook, audit: AuditLog): AuditedRules {
  const record = (rule: SamplingRule, outcome: string, detail: AuditEntry['detail']): void =>
    audit.record({ server: rule.server, action: 'rule', outcome, detail: { rule: rule.id, ...detail } });
  return {
    get rules() {
      return book.rules;
    },
    get running() {
      return book.running;
    },
    onDidChange: book.onDidChange,
    load: () => book.load(),
    find: (request) => book.find(request),
    use: (rule, request) => book.use(rule, request),
    async add(rule) {
      const before = idsOf(book);
      await book.add(rule);
      const after = idsOf(book);
      const replaced = [...before].filter((id) => !after.has(id)).length;
      record(rule, 'made', { ...factsOf(rule), ...(replaced > 0 && { replaced }) });
    },
    async edit(id, terms) {
      const before = book.rules.find((rule) => rule.id === id);
      await book.edit(id, terms);
      const after = book.rules.find((rule) => rule.id === id);
      if (before === undefined || after === undefined) return;
      const changes = changesOf(termsOf(before), termsOf(after));
      if (Object.keys(changes).length > 0) record(after, 'changed', changes);
    },
    async revoke(isChosen, because) {
      const chosen = book.rules.filter(isChosen);
      const recordAll = (detail: AuditEntry['detail']): void => {
        for (const rule of chosen)
          record(rule, 'revoked', { model: rule.model.name, ...(because !== undefined && { because }), ...detail });
      };
      try {
        await book.revoke(isChosen);
      } catch (error) {
        // It has ended in this window, but is still in the file.
        recordAll({ stored: false });
        throw error;
      }
      recordAll({});
      return chosen.length;
    },
    dispose: () => book.dispose(),
  };
}

function idsOf({ rules }: RuleBook): ReadonlySet<string> {
  return new Set(rules.map(({ id }) => id));
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

type Terms = Readonly<Record<string, string | number | boolean>>;

function termsOf({ requestsPerHour, tokensPerHour, expiresAt, reviewsAnswer, isKept }: RuleTerms): Terms {
  return { requestsPerHour, tokensPerHour, until: new Date(expiresAt).toISOString(), reviewsAnswer, kept: isKept };
}

function changesOf(before: Terms, after: Terms): Terms {
  return Object.fromEntries(Object.entries(after).filter(([name, value]) => before[name] !== value));
}
