import { isRecord, jsonLength, type UnknownRecord } from '../../base/json.ts';
import type { NextSlice } from '../../base/slices.ts';
import { classifyMessage, ErrorCodes, type JsonRpcErrorBody, type RequestId } from '../../protocol/jsonRpc.ts';
import type { RecordedSession } from './recordedSession.ts';
import { describeRequest, differenceOf, exactKey, mostLike, type ReplayedRequest, subjectOf } from './requestMatch.ts';

/** A request of the client, as it was recorded. */
export interface ScriptedRequest extends ReplayedRequest {
  readonly kind: 'request';
  readonly line: number;
  readonly id: RequestId;
  /** Its index in the steps; -1: it has no place, see {@link SessionScript.free}. */
  readonly at: number;
  /** The index of its answer. */
  answerAt?: number;
  /** The index where it was no longer open: of its answer, or where the client cancelled it. */
  closedAt?: number;
  answer?: UnknownRecord;
}

/** One thing that happens in a recording, batches taken apart. */
export type Step =
  | ScriptedRequest
  /** What the client must have sent before the recording continues. */
  | { readonly kind: 'initialized' }
  | { readonly kind: 'answered'; readonly id: RequestId }
  /** A line of the server's log. */
  | { readonly kind: 'log'; readonly text: string }
  | { readonly kind: 'server'; readonly message: UnknownRecord; readonly answers?: ScriptedRequest };

export interface SessionScript {
  readonly steps: readonly Step[];
  readonly requests: readonly ScriptedRequest[];
  /** Requests that a client sends when it likes: they hold up nothing, and are answered at once. */
  readonly free: ReadonlyMap<string, ScriptedRequest>;
}

export const freeMethods = ['ping', 'server/discover'];

export function createScript({ entries }: RecordedSession): SessionScript {
  const steps: Step[] = [];
  const requests: ScriptedRequest[] = [];
  const free = new Map<string, ScriptedRequest>();
  const open = new Map<RequestId, ScriptedRequest>();
  for (const entry of entries) {
    if (entry.kind === 'log') steps.push({ kind: 'log', text: entry.text });
    if (entry.kind !== 'message') continue;
    const messages: readonly unknown[] = Array.isArray(entry.message) ? entry.message : [entry.message];
    for (const message of messages) {
      if (!isRecord(message)) continue;
      const read = classifyMessage(message);
      if (entry.from === 'server') {
        const answered =
          (read.kind === 'result' || read.kind === 'error') && read.id !== undefined ? open.get(read.id) : undefined;
        if (answered === undefined) {
          steps.push({ kind: 'server', message });
          continue;
        }
        open.delete(answered.id);
        answered.answer = message;
        if (answered.at === -1) continue;
        answered.answerAt = steps.length;
        answered.closedAt ??= steps.length;
        steps.push({ kind: 'server', message, answers: answered });
      } else if (read.kind === 'request') {
        const { id, method, params } = read;
        const isFree = freeMethods.includes(method);
        const at = isFree ? -1 : steps.length;
        const request: ScriptedRequest = { kind: 'request', line: entry.line, id, method, params, at };
        open.set(id, request);
        if (isFree) {
          if (!free.has(method)) free.set(method, request);
          continue;
        }
        requests.push(request);
        steps.push(request);
      } else if (read.kind === 'notification') {
        const cancelled = read.method === 'notifications/cancelled' && open.get(read.params['requestId'] as RequestId);
        if (cancelled) cancelled.closedAt ??= steps.length - 1;
        if (read.method === 'notifications/initialized') steps.push({ kind: 'initialized' });
      } else if (read.id !== undefined) steps.push({ kind: 'answered', id: read.id });
    }
  }
  return { steps, requests, free };
}

/**
 * What is compared one by one with a request that is sent, in one turn of the event loop: requests, and characters of both sides of all of
 * them. `looked`: requests that are looked at for the nearest one, by so many characters of their names.
 */
const most = { compared: 500, characters: 200_000, looked: 10_000, name: 200 };

/** Finds the recorded request for one that is sent. */
export interface RequestFinder {
  /** @returns the request, or why there is none */
  find(sent: ReplayedRequest): ScriptedRequest | JsonRpcErrorBody;
}

/** In recorded order, with equal params. Requests that were open at the same time may come in any order. */
export function createStrictFinder(requests: readonly ScriptedRequest[]): RequestFinder {
  const taken = new Set<ScriptedRequest>();
  let next = 0;
  return {
    find(sent) {
      for (let first = requests[next]; first !== undefined && taken.delete(first); first = requests[next]) next += 1;
      const expected = requests[next];
      if (expected === undefined) return unmatched(sent, requests, 'The recorded session has ended.');
      const found = comparable(openWith(requests, next, taken), sent).find((request) => isSame(request, sent));
      if (found !== undefined) {
        taken.add(found);
        return found;
      }
      const difference = expected.method === sent.method ? differenceOf(expected, sent) : undefined;
      const what = `Line ${expected.line} of the recording has ${describeRequest(expected)} next`;
      const how = difference === undefined ? '.' : `, and ${difference}.`;
      return unmatched(sent, requests, what + how);
    },
  };
}

/** @returns the first request that was not taken, and the others that were sent while it and all between were open */
function openWith(
  requests: readonly ScriptedRequest[],
  from: number,
  taken: ReadonlySet<ScriptedRequest>,
): readonly ScriptedRequest[] {
  const found: ScriptedRequest[] = [];
  let closed = Infinity;
  for (let index = from; found.length < most.compared; index += 1) {
    const request = requests[index];
    if (request === undefined || request.at > closed) break;
    if (taken.has(request)) continue;
    found.push(request);
    closed = Math.min(closed, request.closedAt ?? Infinity);
  }
  return found;
}

/** The first, and as many of the others as there is time for. */
function comparable(requests: readonly ScriptedRequest[], sent: ReplayedRequest): readonly ScriptedRequest[] {
  const ofSent = jsonLength(sent.params);
  let left = most.characters;
  const end = requests.findIndex((request) => (left -= jsonLength(request.params) + ofSent) < 0);
  return requests.slice(0, Math.min(end === -1 ? Infinity : Math.max(end, 1), most.compared));
}

function isSame(request: ScriptedRequest, sent: ReplayedRequest): boolean {
  return request.method === sent.method && differenceOf(request, sent) === undefined;
}

/** What a client wants to be told: it asks for nothing that was recorded, and each client says something else. */
const wishes = ['logging/setLevel', 'subscriptions/listen'];

/** In any order and any number of times, with equal params. Of equal requests, each is taken once before the last one repeats. */
export async function createLenientFinder(
  requests: readonly ScriptedRequest[],
  nextSlice: NextSlice,
): Promise<RequestFinder> {
  const exact = await groupBy(requests, exactKey, nextSlice);
  const alike = await groupBy(requests, subjectKey, nextSlice);
  const taken = new Set<ScriptedRequest>();
  return {
    find(sent) {
      const equal = exact.get(exactKey(sent));
      const next = equal && takeNext(equal);
      if (next !== undefined) {
        taken.add(next);
        return next;
      }
      const compared = comparable(alike.get(subjectKey(sent))?.list ?? [], sent);
      const isWish = wishes.includes(sent.method);
      // A secret was not recorded: params may be equal although their texts are not.
      const fitting = compared.filter((request) => isWish || isSame(request, sent));
      const best = fitting.find((request) => !taken.has(request)) ?? fitting.at(-1);
      if (best === undefined) return unmatched(sent, requests);
      taken.add(best);
      return best;
    },
  };
}

/** Each once, then the last one again. */
function takeNext(group: Group): ScriptedRequest | undefined {
  const request = group.list[group.next];
  if (group.next < group.list.length - 1) group.next += 1;
  return request;
}

interface Group {
  readonly list: ScriptedRequest[];
  next: number;
}

async function groupBy(
  requests: readonly ScriptedRequest[],
  keyOf: (request: ReplayedRequest) => string,
  nextSlice: NextSlice,
) {
  const groups = new Map<string, Group>();
  for (const request of requests) {
    await nextSlice();
    const key = keyOf(request);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { list: [request], next: 0 });
    else group.list.push(request);
  }
  return groups;
}

function subjectKey(request: ReplayedRequest): string {
  return JSON.stringify([request.method, subjectOf(request) ?? null]);
}

function unmatched(
  sent: ReplayedRequest,
  requests: readonly ScriptedRequest[],
  reason = nearest(sent, requests),
): JsonRpcErrorBody {
  const isKnown = requests.some(({ method }) => method === sent.method);
  const message = `The recorded session does not have ${describeRequest(sent)} here. ${reason}`;
  return { code: isKnown ? ErrorCodes.invalidParams : ErrorCodes.methodNotFound, message };
}

function nearest(sent: ReplayedRequest, requests: readonly ScriptedRequest[]): string {
  const near = nearestOf(sent, requests);
  if (near === undefined) return 'It has no requests.';
  const difference = near.method === sent.method ? differenceOf(near, sent) : undefined;
  const how = difference === undefined ? '.' : `: ${difference}.`;
  return `The nearest is ${describeRequest(near)} in line ${near.line}${how}`;
}

function nearestOf(sent: ReplayedRequest, requests: readonly ScriptedRequest[]): ScriptedRequest | undefined {
  const named = (text: string | undefined): string => (text ?? '').slice(0, most.name);
  const sameMethod = requests.filter(({ method }) => method === sent.method).slice(0, most.looked);
  if (sameMethod.length === 0)
    return mostLike(named(sent.method), requests.slice(0, most.looked), ({ method }) => named(method));
  const subject = subjectOf(sent);
  const sameSubject = sameMethod.filter((request) => subjectOf(request) === subject);
  if (sameSubject.length === 0) return mostLike(named(subject), sameMethod, (request) => named(subjectOf(request)));
  return mostLike(exactKey(sent), comparable(sameSubject, sent), exactKey);
}
