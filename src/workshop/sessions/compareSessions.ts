import { isRecord, isString, type UnknownRecord } from '../../base/json.ts';
import { firstDifference, isSameJson } from '../../base/jsonDifference.ts';
import { jsonPath } from '../../base/jsonPath.ts';
import { visibleText } from '../../base/visibleText.ts';
import type { RecordedSession } from '../../transport/replay/recordedSession.ts';
import { describeRequest, exactKey, subjectOf } from '../../transport/replay/requestMatch.ts';
import { createScript, type ScriptedRequest } from '../../transport/replay/sessionScript.ts';
import type { CheckSubject } from '../checks/checkResult.ts';
import { type ServerList, serverLists } from '../checks/serverLists.ts';
import { changeKinds, compareSchemas, type ReportChange, type SessionChangeKind, short } from './compareSchemas.ts';

export interface SessionChange {
  readonly kind: SessionChangeKind;
  readonly subject: CheckSubject;
  /** A sentence. It may hold names of the server, made visible and cut. */
  readonly message: string;
}

export interface SessionDifference {
  /** What broke first, then what was added, then wording; each in the order of the old recording. */
  readonly changes: readonly SessionChange[];
  /** Pairs of requests that were compared. */
  readonly compared: number;
}

/** Of one comparison. */
const maximumChanges = 5_000;

/** Says what changed for a client between two recordings of one server. Both may be hostile. */
export function compareSessions(older: RecordedSession, newer: RecordedSession): SessionDifference {
  const [before, after] = [createScript(older).requests, createScript(newer).requests];
  const changes: SessionChange[] = [];
  const reportOf = (subject: CheckSubject): ReportChange => {
    return (kind, message) => void (changes.length < maximumChanges && changes.push({ kind, subject, message }));
  };
  for (const list of serverLists) compareList(list, before, after, reportOf);
  const pairs = new Map<string, ScriptedRequest>();
  for (const request of after) if (!isList(request)) pairs.set(exactKey(request), request);
  let compared = 0;
  for (const [key, request] of new Map(before.map((each) => [exactKey(each), each]))) {
    const other = pairs.get(key);
    if (isList(request) || other === undefined) continue;
    compared += 1;
    compareAnswers(request, other, reportOf(subjectFor(request)));
  }
  return { changes: changeKinds.flatMap((kind) => changes.filter((change) => change.kind === kind)), compared };
}

function isList({ method }: ScriptedRequest): boolean {
  return serverLists.some((list) => list.method === method);
}

function subjectFor(request: ScriptedRequest): CheckSubject {
  const name = subjectOf(request);
  const list = serverLists.find(({ method }) => method.split('/')[0] === request.method.split('/')[0]);
  return name === undefined || list === undefined ? { kind: 'server' } : { kind: list.subject, name };
}

function compareList(
  { method, kind, key, subject }: ServerList,
  before: readonly ScriptedRequest[],
  after: readonly ScriptedRequest[],
  reportOf: (subject: CheckSubject) => ReportChange,
): void {
  const [old, now] = [before, after].map((requests) => entriesOf(requests, method, kind, key));
  // A list that one of both did not read says nothing.
  if (old === undefined || now === undefined) return;
  for (const [name, entry] of old) {
    const report = reportOf({ kind: subject, name });
    const other = now.get(name);
    if (other === undefined) report('breaking', 'It is gone.');
    else compareEntries(entry, other, report);
  }
  for (const name of now.keys()) if (!old.has(name)) reportOf({ kind: subject, name })('added', 'It is new.');
}

/** @returns what was listed, later answers over earlier ones; `undefined` where it was not listed */
function entriesOf(requests: readonly ScriptedRequest[], method: string, member: string, key: string) {
  let entries: Map<string, UnknownRecord> | undefined;
  for (const request of requests) {
    const result = request.method === method ? request.answer?.['result'] : undefined;
    const list = isRecord(result) ? result[member] : undefined;
    if (!Array.isArray(list)) continue;
    // A list that is read again begins without a cursor.
    if (entries === undefined || !isString(request.params['cursor'])) entries = new Map();
    for (const entry of list) if (isRecord(entry) && isString(entry[key])) entries.set(entry[key], entry);
  }
  return entries;
}

function compareEntries(before: UnknownRecord, after: UnknownRecord, report: ReportChange): void {
  compareSchemas(before['inputSchema'], after['inputSchema'], 'input', report);
  const [output, nowOutput] = [before['outputSchema'], after['outputSchema']];
  if (output === undefined && nowOutput !== undefined) report('added', 'It has an output schema now.');
  else if (output !== undefined && nowOutput === undefined) report('breaking', 'Its output schema is gone.');
  else compareSchemas(output, nowOutput, 'output', report);
  compareArguments(before['arguments'], after['arguments'], report);
  if (before['mimeType'] !== after['mimeType']) report('breaking', 'Its kind of content (mimeType) is another one.');
  const hints = compareHints(before['annotations'], after['annotations'], report);
  const changed = ['title', 'description', 'annotations', 'icons'].filter(
    (name) => !(name === 'annotations' && hints > 0) && !isSameJson(before[name], after[name]),
  );
  if (changed.length > 0) report('wording', `It changed in ${changed.join(', ')}.`);
}

/** What hosts decide by: the value that lets a call pass without a question, and what counts without one. */
const hints = [
  { name: 'readOnlyHint', careless: true, unset: false },
  { name: 'destructiveHint', careless: false, unset: true },
  { name: 'idempotentHint', careless: true, unset: false },
  { name: 'openWorldHint', careless: false, unset: true },
] as const;

/** A call that a host made without a question may need one now, or is no longer what the person agreed to. @returns how many differ */
function compareHints(before: unknown, after: unknown, report: ReportChange): number {
  const changed = hints.filter(({ name, unset }) => hintOf(before, name, unset) !== hintOf(after, name, unset));
  for (const { name, careless, unset } of changed) {
    const now = hintOf(after, name, unset);
    report(now === careless ? 'added' : 'breaking', `Its annotation ${name} is ${now} now.`);
  }
  return changed.length;
}

function hintOf(annotations: unknown, name: string, unset: boolean): boolean {
  const value = isRecord(annotations) ? annotations[name] : undefined;
  return typeof value === 'boolean' ? value : unset;
}

/** Those of prompts. */
function compareArguments(before: unknown, after: unknown, report: ReportChange): void {
  const [old, now] = [before, after].map(
    (list) =>
      new Map(
        (Array.isArray(list) ? (list as readonly unknown[]) : []).flatMap((each): [string, boolean][] =>
          isRecord(each) && isString(each['name']) ? [[each['name'], each['required'] === true]] : [],
        ),
      ),
  ) as [Map<string, boolean>, Map<string, boolean>];
  for (const [name, isRequired] of old) {
    if (!now.has(name)) report('breaking', `The argument "${short(name)}" is gone.`);
    else if (!isRequired && now.get(name) === true)
      report('breaking', `The argument "${short(name)}" is now required.`);
  }
  for (const [name, isRequired] of now)
    if (!old.has(name)) {
      const what = isRequired ? 'new and required' : 'new';
      report(isRequired ? 'breaking' : 'added', `The argument "${short(name)}" is ${what}.`);
    }
}

function compareAnswers(before: ScriptedRequest, after: ScriptedRequest, report: ReportChange): void {
  const [old, now] = [before.answer, after.answer];
  if (old === undefined && now === undefined) return;
  const what = `${describeRequest(before)} (line ${before.line}, now line ${after.line})`;
  const [failed, fails] = [isFailure(old), isFailure(now)];
  if (failed !== fails) {
    return fails ? report('breaking', `${what} fails now.`) : report('added', `${what} works now.`);
  }
  const [result, newResult] = [old?.['result'], now?.['result']];
  if (failed || !isRecord(result) || !isRecord(newResult)) {
    if (!isSameJson(old?.['error'] ?? result, now?.['error'] ?? newResult))
      report('wording', `${what} fails with other words.`);
    return;
  }
  const shape = firstLost(result, newResult);
  if (shape !== undefined) return report('breaking', `${what} no longer has ${shape} as it was.`);
  const difference = firstDifference(result, newResult);
  if (difference !== undefined)
    report('wording', `${what} has other values, first at ${visibleText(jsonPath(difference.path)).slice(0, 200)}.`);
}

/** No answer counts as a failure. */
function isFailure(answer: UnknownRecord | undefined): boolean {
  const result = answer?.['result'];
  return result === undefined || (isRecord(result) && result['isError'] === true);
}

/** @returns the first member of an object that is gone, or of another type; lists are compared by their first items */
function firstLost(before: unknown, after: unknown, path: readonly string[] = []): string | undefined {
  // Made only for a difference: names may be long, and many.
  const place = (inner = path): string => `"${short(inner.join('.'))}"`;
  if (path.length > 20) return undefined;
  if (isRecord(before)) {
    if (!isRecord(after)) return place();
    for (const name of Object.keys(before)) {
      if (name === '_meta') continue;
      const inner = [...path, name];
      if (!Object.hasOwn(after, name)) return place(inner);
      const lost = firstLost(before[name], after[name], inner);
      if (lost !== undefined) return lost;
    }
    return undefined;
  }
  if (Array.isArray(before)) {
    if (!Array.isArray(after)) return place();
    const [first, other] = [before[0] as unknown, after[0] as unknown];
    return first === undefined || other === undefined ? undefined : firstLost(first, other, [...path, '0']);
  }
  return before !== null && after !== null && typeof before !== typeof after ? place() : undefined;
}
