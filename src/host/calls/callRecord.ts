import { join } from 'node:path';
import { exactMember, stringifyExactly } from '../../base/exactIntegers.ts';
import { isIndex } from '../../base/jsonPath.ts';
import {
  type ExactValue,
  isRecord,
  isString,
  jsonLength,
  type JsonObject,
  type JsonValue,
  parseJson,
  toJsonText,
} from '../../base/json.ts';
import { formatCount, truncate, truncateWithEllipsis } from '../../base/truncate.ts';
import type { SentRequest } from '../../client/trace/sentRequest.ts';
import { isRequestId } from '../../protocol/jsonRpc.ts';
import { type CallToolResult, readCallToolResult } from '../../protocol/mcp/tools.ts';
import type { CallOutcome } from '../../shared/toolMessages.ts';
import { readPlainFile } from '../platform/plainFiles.ts';

export interface EndedCall {
  /** The label of the server, and the name of the tool. */
  readonly server: string;
  /** Who the server was: see `Server.identity`. Calls of another server with the label are not its own. */
  readonly identity: string;
  readonly tool: string;
  /** Which of several tools of that name; absent for the first. */
  readonly occurrence?: number | undefined;
  /** Of the tool's definition. */
  readonly digest?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Absent if nothing was sent. */
  readonly durationMs?: number | undefined;
  readonly outcome: CallOutcome;
  readonly args: JsonObject;
  readonly answer?: CallAnswer | undefined;
  /** Its requests in the traffic; absent if there were none. */
  readonly sent?: readonly SentRequest[] | undefined;
  /** The messages of the call as text, secrets hidden; absent if there were none. */
  readonly exchange?: string | undefined;
}

/** What the server answered: a result, or an error of the protocol or of the connection. */
export type CallAnswer =
  | { readonly kind: 'result'; readonly result: CallToolResult }
  | {
      readonly kind: 'error';
      /** As it is kept: no stack, no cause. The code is that of a JSON-RPC error. */
      readonly error: {
        readonly message: string;
        readonly code?: number | undefined;
        readonly data?: JsonValue | undefined;
      };
    };

export interface PastCall extends Omit<EndedCall, 'args' | 'answer' | 'exchange'> {
  readonly id: string;
  /** `undefined` if they were not kept; {@link PastCall.omitted} says why. */
  readonly args: JsonObject | undefined;
  /** Why arguments or answer are not there, in whole sentences. */
  readonly omitted: readonly string[];
  /** Why its messages are not there, in a sentence, if that is known. */
  readonly omittedExchange?: string | undefined;
}

export interface WholePastCall extends PastCall {
  readonly answer: CallAnswer | undefined;
  readonly exchange?: string | undefined;
}

/** What is too long to be kept: characters of JSON. */
const recordLimits = { args: 256 * 1024, result: 1024 * 1024, error: 64 * 1024, exchange: 256 * 1024 } as const;

export interface RecordRules {
  readonly keepsResults: boolean;
  /** True for text that holds a secret that Patchbay knows. Such text is not kept. */
  readonly hasSecret: (text: string) => Promise<boolean> | boolean;
}

/**
 * What of a call is kept, as text. Nothing but the exchange is shortened: a part is there as it was sent, or not at all.
 * @returns the texts for its files; one is `undefined` where there is none, or it is not kept
 */
export async function writeCall(call: EndedCall, rules: RecordRules) {
  const { answer, args, exchange, ...rest } = call;
  const keptArgs = await keep(args, recordLimits.args, rules);
  const keptAnswer = await keepAnswer(answer, rules);
  const omitted = [
    ...(keptArgs.reason === undefined ? [] : [`The arguments were not kept: ${keptArgs.reason}.`]),
    ...(keptAnswer.reason === undefined ? [] : [`The result was not kept: ${keptAnswer.reason}.`]),
  ];
  const keptExchange = await keepExchange(exchange, rules);
  const omittedExchange = keptExchange.reason && `The messages of this call were not kept: ${keptExchange.reason}.`;
  const head = JSON.stringify({ version: 1, ...rest, omitted, omittedExchange });
  // The arguments are JSON already, and need not be written once more.
  const withArgs = keptArgs.text === undefined ? head : `${head.slice(0, -1)},"args":${keptArgs.text}}`;
  return { head: withArgs, result: keptAnswer.text, exchange: keptExchange.text };
}

interface Kept {
  readonly text?: string;
  /** Why there is no text, as the end of a sentence. */
  readonly reason?: string;
}

async function keepAnswer(answer: CallAnswer | undefined, rules: RecordRules): Promise<Kept> {
  if (answer === undefined) return {};
  if (answer.kind === 'error') return keep(answer, recordLimits.error, rules);
  if (!rules.keepsResults) return { reason: resultsOff };
  return keep({ kind: 'result', result: toWire(answer.result) }, recordLimits.result, rules);
}

const resultsOff = 'the setting "patchbay.history.results" is off';

/** Cut at the end of a line where it is long. All of it is searched for secrets: half of one may be in what is kept. */
async function keepExchange(exchange: string | undefined, { keepsResults, hasSecret }: RecordRules): Promise<Kept> {
  if (exchange === undefined) return {};
  if (!keepsResults) return { reason: resultsOff };
  if (await hasSecret(exchange)) return { reason: secretInIt };
  if (exchange.length <= recordLimits.exchange) return { text: exchange };
  const kept = truncate(exchange, recordLimits.exchange);
  const whole = kept.slice(0, kept.lastIndexOf('\n') + 1) || `${kept}\n`;
  return { text: `${whole}… ${formatCount(exchange.length - whole.length)} more characters were not kept\n` };
}

const secretInIt = 'a known secret was found';

/** Content of an unknown type is wrapped when it is read: it is kept as the server sent it. */
function toWire(result: CallToolResult): object {
  return { ...result, content: result.content.map((block) => (block.type === 'unknown' ? block.original : block)) };
}

async function keep(value: object, maximum: number, { hasSecret }: RecordRules): Promise<Kept> {
  try {
    // Before it is written: a result may be a hundred times as long.
    if (jsonLength(value) > maximum) return { reason: 'too large' };
    const text = stringifyExactly(value);
    if (text.length > maximum) return { reason: 'too large' };
    return (await hasSecret(text)) ? { reason: secretInIt } : { text };
  } catch {
    // Stack overflow.
    return { reason: 'nested too deeply' };
  }
}

const outcomes: readonly unknown[] = ['done', 'toolError', 'error', 'cancelled', 'declined'] satisfies CallOutcome[];

/** The name of the files of a call: time, server, tool and a random part. Sorts by time. */
export const callIdPattern = /^[0-9a-z]{9}-[0-9a-f]{12}-[0-9a-f]{12}-[0-9a-f]{8}$/;

/** A file of Patchbay is smaller: what is larger has been put there by someone else. */
const maximumFileBytes = 2 * 1024 * 1024;

/**
 * Reads a call of the history without its answer.
 * @param id any text
 * @returns `undefined` where there is no ordinary file of a size that Patchbay writes
 */
export async function readPastCallHead(folder: string, id: string): Promise<PastCall | undefined> {
  if (!callIdPattern.test(id)) return undefined;
  const text = await readPlainFile(join(folder, `${id}.json`), maximumFileBytes);
  return text === undefined ? undefined : readCall(id, text);
}

/** The same with its answer and its messages. */
export async function readPastCall(folder: string, id: string): Promise<WholePastCall | undefined> {
  const call = await readPastCallHead(folder, id);
  if (call === undefined) return undefined;
  const [text, exchange] = await Promise.all(
    ['result', 'exchange'].map((part) =>
      readPlainFile(join(folder, `${id}.${part}`), maximumFileBytes).catch(() => undefined),
    ),
  );
  return {
    ...call,
    answer: text === undefined ? undefined : readAnswer(text),
    ...(exchange !== undefined && { exchange }),
  };
}

/** Reads what {@link writeCall} wrote. @returns `undefined` for anything else: the file may be cut, or someone else's */
function readCall(id: string, text: string): PastCall | undefined {
  // It may be cut short by a full disk, or not ours.
  const value = parseJson(text);
  if (!isRecord(value)) return undefined;
  const { server, identity, tool, occurrence, digest, at, durationMs, outcome, args, omitted } = value;
  const { omittedExchange, sent } = value;
  if (!isString(server) || !isString(identity) || !isString(tool) || !isTime(at) || !outcomes.includes(outcome))
    return undefined;
  return {
    id,
    server,
    identity,
    tool,
    ...(isIndex(occurrence) && { occurrence }),
    ...(isString(digest) && { digest: truncateWithEllipsis(digest, 300) }),
    at,
    ...(isTime(durationMs) && { durationMs }),
    outcome: outcome as CallOutcome,
    args: isRecord(args) ? (args as JsonObject) : undefined,
    ...(Array.isArray(sent) && { sent: sent.filter(isSentRequest) }),
    omitted: Array.isArray(omitted) ? omitted.filter(isString).map((line) => truncateWithEllipsis(line, 300)) : [],
    ...(isString(omittedExchange) && { omittedExchange: truncateWithEllipsis(omittedExchange, 300) }),
  };
}

function readAnswer(text: string): CallAnswer | undefined {
  const value = parseJson(text);
  if (!isRecord(value)) return undefined;
  const { kind, result, error } = value;
  if (kind === 'result' && isRecord(result)) return { kind, result: readCallToolResult(result) };
  if (kind !== 'error' || !isRecord(error) || !isString(error['message'])) return undefined;
  const { message, code, data } = error;
  return {
    kind,
    error: {
      message,
      ...(typeof code === 'number' && { code }),
      ...(data !== undefined && { data: data as JsonValue }),
    },
  };
}

function isSentRequest(value: unknown): value is SentRequest {
  if (!isRecord(value)) return false;
  const { log, position, id } = value;
  return isString(log) && isIndex(position) && isRequestId(id);
}

/** Milliseconds that a `Date` can have. */
function isTime(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 8.64e15;
}

/** Values that are offered for one field, and the JSON characters of one. */
const recentLimits = { values: 10, characters: 2_000 } as const;

/** What was given at a place of the arguments, each value once, the latest first. An index stands for all items of a list. */
export function recentValuesIn(calls: readonly PastCall[], path: readonly (string | number)[]): readonly ExactValue[] {
  const found = new Map<string, ExactValue>();
  for (const value of calls.flatMap(({ args }) => valuesAt(args, path))) {
    const text = toJsonText(value);
    if (text.length <= recentLimits.characters && !found.has(text)) found.set(text, value);
  }
  return [...found.values()].slice(0, recentLimits.values);
}

function valuesAt(value: unknown, path: readonly (string | number)[]): readonly ExactValue[] {
  const [step, ...rest] = path;
  if (step === undefined) return value === undefined ? [] : [value as ExactValue];
  if (typeof step === 'string') return isRecord(value) ? valuesAt(exactMember(value, step), rest) : [];
  return Array.isArray(value) ? value.flatMap((_, index) => valuesAt(exactMember(value, index), rest)) : [];
}
