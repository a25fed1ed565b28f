import { exactEntries, exactMember, stringifyExactly, withMembers } from '../../base/exactIntegers.ts';
import { isRecord, isString, toJsonText, type UnknownRecord } from '../../base/json.ts';
import { firstDifference } from '../../base/jsonDifference.ts';
import { jsonPath } from '../../base/jsonPath.ts';
import { truncateWithEllipsis } from '../../base/truncate.ts';
import { visibleText } from '../../base/visibleText.ts';
import { secretMask } from '../../secrets/secretNames.ts';

export interface ReplayedRequest {
  readonly method: string;
  readonly params: UnknownRecord;
}

/** Requests that open a session: each client says something else of itself there. */
const opening = ['initialize', 'server/discover'];

/** What a request is about: the name or address of one entry. @returns `undefined` for requests about the whole server */
export function subjectOf({ params }: ReplayedRequest): string | undefined {
  const { ref } = params;
  const of = isRecord(ref) ? ref : params;
  return [of['name'], of['uri'], of['taskId']].find(isString);
}

/** What has to be equal: all but what belongs to one connection. */
function comparedParams({ method, params }: ReplayedRequest): object {
  const kept = opening.includes(method) ? [] : exactEntries(params).filter(([name]) => name !== '_meta');
  return withMembers({}, kept);
}

/** The same text for requests that are equal, but for secrets. */
export function exactKey(request: ReplayedRequest): string {
  return `${request.method} ${stringifyExactly(comparedParams(request))}`;
}

/** @returns where a request differs from a recorded one, as a clause; `undefined` where it does not */
export function differenceOf(recorded: ReplayedRequest, sent: ReplayedRequest): string | undefined {
  const before = comparedParams(recorded);
  const found = firstDifference(before, hideAsRecorded(comparedParams(sent), before));
  if (found === undefined) return undefined;
  const { path, left, right } = found;
  return `at ${visibleText(jsonPath(path))} it has ${short(left)} instead of ${short(right)}`;
}

/** A secret was not recorded, so any text or number is equal to it. */
function hideAsRecorded(sent: unknown, recorded: unknown): unknown {
  if (isString(recorded) && recorded.includes(secretMask))
    return isString(sent) || typeof sent === 'number' || typeof sent === 'bigint' ? recorded : sent;
  if (typeof sent !== 'object' || sent === null || typeof recorded !== 'object' || recorded === null) return sent;
  const members = exactEntries(sent).map(([key, member]): [string, unknown] => {
    return [key, hideAsRecorded(member, exactMember(recorded, key))];
  });
  return withMembers(Array.isArray(sent) ? [] : {}, members);
}

function short(value: unknown): string {
  return value === undefined ? 'nothing' : visibleText(truncateWithEllipsis(toJsonText(value, 100), 80));
}

/** A request in words, such as `tools/call of "echo"`. */
export function describeRequest(request: ReplayedRequest): string {
  const subject = subjectOf(request);
  const method = visibleText(truncateWithEllipsis(request.method, 80));
  return subject === undefined ? method : `${method} of "${visibleText(truncateWithEllipsis(subject, 80))}"`;
}

/** Of several names the one that is most like another: by how they begin and how they end. */
export function mostLike<T>(name: string, candidates: readonly T[], nameOf: (candidate: T) => string): T | undefined {
  let [best, most] = [candidates[0], -1];
  for (const candidate of candidates) {
    const likeness = sharedCharacters(name, nameOf(candidate));
    if (likeness > most) [best, most] = [candidate, likeness];
  }
  return best;
}

function sharedCharacters(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  let before = 0;
  while (before < length && left[before] === right[before]) before += 1;
  let after = 0;
  while (after < length - before && left.at(-1 - after) === right.at(-1 - after)) after += 1;
  return before + after;
}
