import { isString } from '../base/json.ts';
import { getOrMake } from '../base/memoize.ts';
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
  /** Milliseconds since the epoch; see {@link auditPeriods}. */
  readonly since: number | undefined;
  readonly isModelOnly: boolean;
}

const hourMs = 3_600_000;

/** The periods that can be listed: when each began, in milliseconds since the epoch. A day begins at midnight of this machine. */
export const auditPeriods = {
  all: () => undefined,
  hour: (now) => now - hourMs,
  today: (now) => new Date(now).setHours(0, 0, 0, 0),
  week: (now) => now - 7 * 24 * hourMs,
} satisfies Readonly<Record<string, (now: number) => number | undefined>>;

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
  ['roots', 'Shared folders'],
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
  const subjects = [action === 'app' && message, tool, prompt, resource, uri, cause, action === 'rule' && model];
  return subjects.find(isString) ?? '';
}

const deciderNames: ReadonlyMap<string, string> = new Map([
  ['person', 'You'],
  ['rule', 'A rule'],
  ['limit', 'A limit'],
  ['budget', 'The budget'],
  ['server', 'The server'],
  ['file', 'A file of saved calls'],
]);

/** Who decided, in words; empty where the record does not say. */
export function deciderName(row: AuditRow): string {
  return deciderNames.get(deciderOf(row)) ?? deciderOf(row);
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

/** The sum of requests for a model. */
export type AuditSum = ReturnType<typeof sumOf>;

export interface NamedSum extends AuditSum {
  readonly name: string;
}

/** Sums up the requests for a model among `rows`; also for each model and each server, the ones with the most requests first. */
export function sumUp(rows: readonly AuditRow[]) {
  const requests = rows.filter(isModelRequest);
  return {
    ...sumOf(requests),
    models: sumsBy(requests, modelOf),
    servers: sumsBy(requests, ({ server }) => server),
  };
}

function sumsBy(rows: readonly AuditRow[], nameOf: (row: AuditRow) => string): readonly NamedSum[] {
  const groups = new Map<string, AuditRow[]>();
  for (const row of rows) getOrMake(groups, nameOf(row), () => []).push(row);
  groups.delete('');
  const sums = [...groups].map(([name, group]) => ({ name, ...sumOf(group) }));
  return sums.toSorted((a, b) => b.requests - a.requests || (a.name < b.name ? -1 : 1));
}

/** Tokens and cost (US dollars) are of requests that a model answered, and for which they are known. */
function sumOf(rows: readonly AuditRow[]) {
  const allowed = rows.filter((row) => outcomeGroup(row) === 'allowed');
  const answered = rows.filter(isAnswered);
  const byPerson = count(allowed, (row) => deciderOf(row) === 'person');
  const byRule = count(allowed, (row) => deciderOf(row) === 'rule');
  const withCost = count(answered, (row) => amountOf(row, 'cost') !== undefined);
  return {
    requests: rows.length,
    byPerson,
    byRule,
    /** Allowed, and the record does not say by whom. */
    byOther: allowed.length - byPerson - byRule,
    refused: count(rows, (row) => outcomeGroup(row) === 'refused'),
    failed: count(rows, (row) => outcomeGroup(row) === 'failed'),
    inputTokens: total(answered, 'inputTokens'),
    outputTokens: total(answered, 'outputTokens'),
    isEstimated: answered.some(({ detail }) => detail['tokensAreEstimated'] === true),
    /** Answers whose tokens are not known. */
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
  return rows.filter(isCounted).length;
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
