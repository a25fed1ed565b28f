import { formatCount } from '../base/truncate.ts';

// The audit log as a person reads it: pure, for the panel and for the export.

/** A record of the audit log. Its texts may come from a server, or from a newer version of Patchbay. */
export interface AuditRow {
  /** ISO 8601. */
  readonly time: string;
  /** Empty for what no server did. */
  readonly server: string;
  readonly action: string;
  readonly outcome: string;
  readonly detail: Readonly<Record<string, string | number | boolean>>;
}

/** What became of something: it was done or let through, a person or a limit stopped it, or it did not work. */
export type OutcomeGroup = 'allowed' | 'refused' | 'failed';

/** Which records are listed. An empty text stands for all. */
export interface AuditFilter {
  /** Words, all of which a record contains. */
  readonly text: string;
  readonly server: string;
  readonly action: string;
  readonly outcome: OutcomeGroup | '';
  /** Milliseconds since the epoch; see {@link periodStart}. */
  readonly since: number | undefined;
  readonly isModelOnly: boolean;
}

export type AuditPeriod = 'all' | 'hour' | 'today' | 'week';

const hourMs = 3_600_000;

/** @returns when a period began, in milliseconds since the epoch; a day begins at midnight of this machine */
export function periodStart(period: AuditPeriod, now: number): number | undefined {
  switch (period) {
    case 'all':
      return undefined;
    case 'hour':
      return now - hourMs;
    case 'today':
      return new Date(now).setHours(0, 0, 0, 0);
    case 'week':
      return now - 7 * 24 * hourMs;
  }
}

/** The records that pass the filter, in their order. */
export function filterAudit<Row extends AuditRow>(rows: readonly Row[], filter: AuditFilter): readonly Row[] {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter((row) => passes(row, filter) && hasWords(row, words));
}

function passes(row: AuditRow, { server, action, outcome, since, isModelOnly }: AuditFilter): boolean {
  if (server !== '' && row.server !== server) return false;
  if (action !== '' && row.action !== action) return false;
  if (isModelOnly && !isModelRequest(row)) return false;
  if (outcome !== '' && outcomeGroup(row) !== outcome) return false;
  // A time that cannot be read is in no period.
  return since === undefined || Date.parse(row.time) >= since;
}

function hasWords(row: AuditRow, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const { time, server, action, outcome, detail } = row;
  const text = [time, server, action, actionName(action), outcome, ...Object.values(detail)].join('\n').toLowerCase();
  return words.every((word) => text.includes(word));
}

/** True for what asked a language model, or would have. */
export function isModelRequest({ action }: Pick<AuditRow, 'action'>): boolean {
  return action === 'sampling';
}

const refusals =
  /^(declined|refused|rejected|withheld|denied|blocked|stopped|cancelled|canceled|muted|unasked|invalid arguments|change declined)\b/i;
const failures = /^(failed|tool error|error|lost|interrupted|timed out|expired|done, but)\b/i;

/** How a record ended, by the first words of its outcome. */
export function outcomeGroup({ outcome }: Pick<AuditRow, 'outcome'>): OutcomeGroup {
  if (refusals.test(outcome)) return 'refused';
  return failures.test(outcome) ? 'failed' : 'allowed';
}

const actionNames: ReadonlyMap<string, string> = new Map([
  ['sampling', 'Request for a model'],
  ['elicitation', 'Question'],
  ['mute', 'Muting'],
  ['rule', 'Rule for a model'],
  ['roots', 'Folders given'],
  ['toolCall', 'Tool call'],
  ['app', 'App'],
  ['definition', 'Changed definition'],
  ['task', 'Task'],
  ['resourceRead', 'Resource read'],
  ['prompt', 'Prompt'],
  ['signIn', 'Sign-in'],
  ['signOut', 'Sign-out'],
  ['log', 'Audit log'],
]);

/** An action in words; one that this version does not know as it is. */
export function actionName(action: string): string {
  return actionNames.get(action) ?? action;
}

/** What an action was about, if its detail says so: a tool, a prompt, an address, the model of a rule. */
export function subjectOf({ action, detail }: Pick<AuditRow, 'action' | 'detail'>): string {
  const { tool, prompt, resource, uri, cause, model, message } = detail;
  const subject = [action === 'app' && message, tool, prompt, resource, uri, cause, action === 'rule' && model].find(
    (value) => typeof value === 'string',
  );
  return typeof subject === 'string' ? subject : '';
}

const deciderNames: ReadonlyMap<string, string> = new Map([
  ['person', 'You'],
  ['rule', 'A rule'],
  ['limit', 'A limit'],
  ['budget', 'The budget'],
  ['server', 'The server'],
]);

/** Who decided, in words; empty where the record does not say. */
export function deciderName(row: AuditRow): string {
  const decider = deciderOf(row);
  return deciderNames.get(decider) ?? decider;
}

/** Records of older versions have it in the outcome. */
function deciderOf(row: AuditRow): string {
  const { by } = row.detail;
  if (typeof by === 'string') return by;
  if (!isModelRequest(row) || outcomeGroup(row) === 'failed') return '';
  if (row.outcome.startsWith('allowed')) return 'rule';
  return /^(approved|answered|declined)/.test(row.outcome) ? 'person' : '';
}

/** The model of the answer, as the provider calls it where it says so; empty where none was asked. */
export function modelOf({ detail: { model, modelName } }: Pick<AuditRow, 'detail'>): string {
  if (typeof modelName === 'string' && modelName !== '') return modelName;
  return typeof model === 'string' && model !== byHand ? model : '';
}

/** In place of a model, where the person wrote the answer. */
const byHand = 'human';

/** A number of a record: `undefined` for one that is missing or cannot be. */
export function amountOf({ detail }: Pick<AuditRow, 'detail'>, name: string): number | undefined {
  const value = detail[name];
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** The sum of requests for a model. Tokens and cost are of those that a model answered, and for which they are known. */
export interface AuditSum {
  readonly requests: number;
  readonly byPerson: number;
  readonly byRule: number;
  /** Allowed, and the record does not say by whom. */
  readonly byOther: number;
  readonly refused: number;
  readonly failed: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Some of the tokens are an estimate. */
  readonly isEstimated: boolean;
  /** Answers whose tokens are not known. */
  readonly withoutTokens: number;
  /** US dollars. */
  readonly cost: number;
  /** Answers whose cost is known, and those whose cost is not. */
  readonly withCost: number;
  readonly withoutCost: number;
}

export interface NamedSum extends AuditSum {
  readonly name: string;
}

/** The sum of all, for each model and for each server. */
export interface AuditTotals extends AuditSum {
  /** The ones with the most requests first. */
  readonly models: readonly NamedSum[];
  readonly servers: readonly NamedSum[];
}

/** Sums up the requests for a model among `rows`. */
export function sumUp(rows: readonly AuditRow[]): AuditTotals {
  const requests = rows.filter(isModelRequest);
  return {
    ...sumOf(requests),
    models: sumsBy(requests, modelOf),
    servers: sumsBy(requests, ({ server }) => server),
  };
}

function sumsBy(rows: readonly AuditRow[], nameOf: (row: AuditRow) => string): readonly NamedSum[] {
  const groups = new Map<string, AuditRow[]>();
  for (const row of rows) {
    const name = nameOf(row);
    const group = groups.get(name);
    if (group !== undefined) group.push(row);
    else if (name !== '') groups.set(name, [row]);
  }
  const sums = [...groups].map(([name, group]) => ({ name, ...sumOf(group) }));
  return sums.toSorted((a, b) => b.requests - a.requests || (a.name < b.name ? -1 : 1));
}

function sumOf(rows: readonly AuditRow[]): AuditSum {
  const allowed = rows.filter((row) => outcomeGroup(row) === 'allowed');
  const answered = rows.filter(isAnswered);
  const byPerson = count(allowed, (row) => deciderOf(row) === 'person');
  const byRule = count(allowed, (row) => deciderOf(row) === 'rule');
  const withCost = count(answered, (row) => amountOf(row, 'cost') !== undefined);
  return {
    requests: rows.length,
    byPerson,
    byRule,
    byOther: allowed.length - byPerson - byRule,
    refused: count(rows, (row) => outcomeGroup(row) === 'refused'),
    failed: count(rows, (row) => outcomeGroup(row) === 'failed'),
    inputTokens: total(answered, 'inputTokens'),
    outputTokens: total(answered, 'outputTokens'),
    isEstimated: answered.some(({ detail }) => detail['tokensAreEstimated'] === true),
    withoutTokens: count(answered, (row) => !hasTokens(row)),
    cost: total(answered, 'cost'),
    withCost,
    withoutCost: answered.length - withCost,
  };
}

/** A model was asked and may have to be paid, also where the answer was withheld. */
function isAnswered(row: AuditRow): boolean {
  if (hasTokens(row) || amountOf(row, 'cost') !== undefined) return true;
  return outcomeGroup(row) === 'allowed' && modelOf(row) !== '';
}

function hasTokens(row: AuditRow): boolean {
  return amountOf(row, 'inputTokens') !== undefined || amountOf(row, 'outputTokens') !== undefined;
}

function count(rows: readonly AuditRow[], isCounted: (row: AuditRow) => boolean): number {
  return rows.reduce((sum, row) => sum + (isCounted(row) ? 1 : 0), 0);
}

function total(rows: readonly AuditRow[], name: string): number {
  return rows.reduce((sum, row) => sum + (amountOf(row, name) ?? 0), 0);
}

/** US dollars, with as many digits as a small amount needs: `$12.50`, `$0.0042`. */
export function formatCost(dollars: number): string {
  if (dollars === 0) return '$0';
  if (dollars < 0.000_001) return 'less than $0.000001';
  const digits = dollars >= 1 ? 2 : Math.min(6, 1 - Math.floor(Math.log10(dollars)));
  const [whole = '', fraction = ''] = dollars.toFixed(Math.max(2, digits)).split('.');
  return `$${formatCount(Number(whole))}.${fraction}`;
}
