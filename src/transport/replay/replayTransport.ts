import type { CancelSignal } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { messageOf, PatchbayError } from '../../base/errors.ts';
import { exactEntries, withMembers } from '../../base/exactIntegers.ts';
import { isRecord, type UnknownRecord } from '../../base/json.ts';
import { createSlices } from '../../base/slices.ts';
import type { ReplayMode } from '../../base/launchPlan.ts';
import { classifyMessage, ErrorCodes, type OutgoingMessage, type RequestId } from '../../protocol/jsonRpc.ts';
import { BaseTransport, notSentError } from '../baseTransport.ts';
import { readSession } from './recordedSession.ts';
import {
  createLenientFinder,
  createScript,
  createStrictFinder,
  freeMethods,
  type RequestFinder,
  type ScriptedRequest,
  type SessionScript,
} from './sessionScript.ts';

interface ReplayPorts {
  readonly clock: Clock;
  /** @throws for a file that is not an ordinary one, or has more than `limits.session.bytes` */
  readonly readRecording: (path: string) => Promise<string>;
}

/** Messages in a row, before other work has its turn. */
const messagesPerTurn = 200;
/** Strict: how long a client that sent later ones of the requests that were open together has for the earlier ones. */
const patienceMs = 100;
const subscriptionMember = 'io.modelcontextprotocol/subscriptionId';

/**
 * Plays a recorded session as its server: each request gets the answer that was recorded for it, under its own id. What the
 * server sent by itself comes at its place between them. As fast as the client reads. Strict: in recorded order, also the answers
 * to requests that were open at the same time.
 */
export class ReplayTransport extends BaseTransport {
  readonly #path: string;
  readonly #mode: ReplayMode;
  readonly #ports: ReplayPorts;
  readonly #waiting: Said[] = [];
  #isDelivering = false;
  #sinceTurn = 0;
  #script: SessionScript = { steps: [], requests: [], free: new Map() };
  #finder: RequestFinder | undefined;
  /** What the client has sent, by its recorded request: the id of it. */
  readonly #ids = new Map<ScriptedRequest, RequestId>();
  /** Ids and progress tokens of the recording → those of the client. */
  readonly #newIds = new Map<RequestId, RequestId>();
  readonly #tokens = new Map<unknown, unknown>();
  readonly #answered = new Set<RequestId>();
  #isInitialized = false;
  /** Strict: the steps before it were played. */
  #cursor = 0;
  /** Strict: requests that came before an earlier one. */
  readonly #ahead = new Set<ScriptedRequest>();
  #patience: Disposable | undefined;
  /** Those that were played out of turn: of a lenient replay, and of requests that came ahead. */
  readonly #played = new Set<number>();
  #running: Run[] = [];

  /** @param path of the recording */
  constructor(path: string, mode: ReplayMode, ports: ReplayPorts) {
    super();
    this.#path = path;
    this.#mode = mode;
    this.#ports = ports;
  }

  async start(signal: CancelSignal): Promise<void> {
    this.begin();
    const [path, mode] = [this.#path, this.#mode];
    try {
      const text = await this.#ports.readRecording(path);
      signal.throwIfAborted();
      const session = await readSession(text, () => this.#pause());
      signal.throwIfAborted();
      this.#script = createScript(session);
      const { requests, free } = this.#script;
      if (requests.length === 0 && free.size === 0)
        throw new PatchbayError('configuration', 'The recorded session has no requests. Record it again.');
      const nextSlice = createSlices(this.#ports.clock, () => this.#pause());
      this.#finder = mode === 'strict' ? createStrictFinder(requests) : await createLenientFinder(requests, nextSlice);
      signal.throwIfAborted();
      const { problem } = session;
      if (problem !== undefined)
        this.note(`Line ${problem.line} of the recording, and all after it, is not played: ${problem.message}`);
    } catch (error) {
      if (signal.aborted) this.finish({ kind: 'requested' });
      if (signal.aborted) throw error;
      const message = `The recorded session ${path} cannot be read: it ${messageOf(error)}.`;
      const failure =
        error instanceof PatchbayError ? error : new PatchbayError('configuration', message, { cause: error });
      this.finish({ kind: 'failed', error: failure });
      throw failure;
    }
    this.opened();
    if (mode === 'strict') this.#advance();
    else this.#begin(-1, undefined);
  }

  send(message: OutgoingMessage): Promise<void> {
    if (this.phase !== 'open') return Promise.reject(notSentError('the recorded session is not played'));
    for (const each of Array.isArray(message) ? message : [message]) this.#take(each);
    return Promise.resolve();
  }

  dispose(): Promise<void> {
    this.finish({ kind: 'requested' });
    this.#patience?.dispose();
    this.#waiting.length = 0;
    return Promise.resolve();
  }

  #take(value: unknown): void {
    const message = classifyMessage(value);
    if (message.kind === 'request') {
      const { id } = message;
      const found = freeMethods.includes(message.method) ? this.#free(message.method) : this.#finder?.find(message);
      if (found === undefined || !('kind' in found)) {
        this.#deliver({ jsonrpc: '2.0', id, ...(found === undefined ? { result: {} } : { error: found }) });
        return;
      }
      this.#newIds.set(found.id, id);
      const [recorded, given] = [tokenOf(found.params), tokenOf(message.params)];
      if (recorded !== undefined) this.#tokens.set(recorded, given);
      const isRepeated = this.#ids.has(found);
      this.#ids.set(found, id);
      if (found.at === -1) this.#answer(found, id);
      else if (this.#mode === 'lenient') this.#begin(found.at, found, isRepeated);
      else if (found.at > this.#cursor) this.#ahead.add(found);
    } else if (message.kind === 'notification') {
      this.#isInitialized ||= message.method === 'notifications/initialized';
    } else if (message.id !== undefined) this.#answered.add(message.id);
    this.#continue();
    if (this.#mode === 'strict') this.#advance();
  }

  /** @returns `undefined` for an empty result */
  #free(method: string): ScriptedRequest | { code: number; message: string } | undefined {
    const recorded = this.#script.free.get(method);
    if (recorded?.answer !== undefined) return recorded;
    if (method === 'ping') return undefined;
    return { code: ErrorCodes.methodNotFound, message: `The recorded session has no answer to ${method}.` };
  }

  /** Plays the steps up to the next one that waits for the client. */
  #advance(): void {
    const { steps } = this.#script;
    this.#patience?.dispose();
    for (let step = steps[this.#cursor]; step !== undefined; step = steps[(this.#cursor += 1)]) {
      if (step.kind === 'request') this.#ahead.delete(step);
      if (step.kind === 'request' && !this.#ids.has(step)) return this.#waitFor();
      if (this.#played.has(this.#cursor)) continue;
      if (step.kind === 'initialized' && !this.#isInitialized) return;
      if (step.kind === 'answered' && !this.#answered.has(step.id)) return;
      if (step.kind === 'log') this.#enqueue(step);
      if (step.kind !== 'server') continue;
      const id = step.answers === undefined ? undefined : this.#ids.get(step.answers);
      this.#deliver(this.#renamed(step.message, id));
    }
  }

  /** A client that asks one after the other never sends the request that is missing: those that came ahead get their answers. */
  #waitFor(): void {
    if (this.#ahead.size === 0) return;
    this.#patience = this.#ports.clock.after(patienceMs, () => {
      const ahead = [...this.#ahead].toSorted((left, right) => left.at - right.at);
      this.#ahead.clear();
      for (const request of ahead) this.#begin(request.at, request);
    });
  }

  #begin(at: number, request: ScriptedRequest | undefined, isRepeated = false): void {
    this.#running.push({ at: at + 1, request, id: request && this.#ids.get(request), isRepeated });
    this.#continue();
  }

  #continue(): void {
    this.#running = this.#running.filter((run) => !this.#play(run));
  }

  /** Plays what was sent between a request and its answer, then up to the next request. @returns false while it waits */
  #play(run: Run): boolean {
    const { steps } = this.#script;
    const { request } = run;
    const end = request?.answerAt ?? -1;
    for (let step = steps[run.at]; step !== undefined; step = steps[(run.at += 1)]) {
      if (run.at > end && step.kind === 'request') return true;
      if (step.kind === 'log' && !this.#played.has(run.at)) {
        this.#played.add(run.at);
        this.#enqueue(step);
      }
      if (step.kind === 'server' && step.answers === undefined) {
        const isProgress = request !== undefined && isProgressOf(step.message, request);
        if (!this.#played.has(run.at) || (run.isRepeated && isProgress)) {
          this.#played.add(run.at);
          this.#deliver(this.#renamed(step.message));
        }
      } else if (step.kind === 'server' && step.answers === request && request !== undefined && run.id !== undefined) {
        this.#played.add(run.at);
        this.#answer(request, run.id);
        if (run.isRepeated) return true;
      } else if (step.kind === 'answered' && run.at < end && !run.isRepeated && !this.#answered.has(step.id)) {
        return false;
      } else if (step.kind === 'initialized' && run.at > end && !this.#isInitialized) return false;
    }
    return true;
  }

  #answer({ answer }: ScriptedRequest, id: RequestId): void {
    if (answer !== undefined) this.#deliver(this.#renamed(answer, id));
  }

  /** @param id of an answer @returns the message with what this client calls its requests; the rest is the same object */
  #renamed(message: UnknownRecord, id?: RequestId): UnknownRecord {
    const { result } = message;
    const params = isRecord(message['params']) ? message['params'] : undefined;
    let renamed = id === undefined ? message : replaced(message, 'id', id);
    if (params !== undefined && message['method'] === 'notifications/progress') {
      const token = this.#tokens.get(params['progressToken']);
      if (token !== undefined) renamed = replaced(renamed, 'params', replaced(params, 'progressToken', token));
    }
    const [place, holder] = params === undefined ? ['result', result] : ['params', params];
    if (typeof place !== 'string' || !isRecord(holder) || !isRecord(holder['_meta'])) return renamed;
    const meta = holder['_meta'];
    const subscription = this.#newIds.get(meta[subscriptionMember] as RequestId);
    if (subscription === undefined) return renamed;
    return replaced(renamed, place, replaced(holder, '_meta', replaced(meta, subscriptionMember, subscription)));
  }

  #deliver(message: unknown): void {
    this.#enqueue({ kind: 'message', message });
  }

  #enqueue(said: Said): void {
    this.#waiting.push(said);
    if (this.#isDelivering) return;
    this.#isDelivering = true;
    void this.#deliverAll();
  }

  async #deliverAll(): Promise<void> {
    // Not inside of `send`.
    await Promise.resolve();
    for (let at = 0; at < this.#waiting.length && this.phase === 'open'; at += 1) {
      this.#sinceTurn += 1;
      if (this.#sinceTurn > messagesPerTurn) {
        this.#sinceTurn = 0;
        await this.#pause();
      }
      const said = this.#waiting[at];
      if (this.phase !== 'open' || said === undefined) continue;
      if (said.kind === 'log') this.log({ source: 'stderr', text: said.text });
      else this.receive(said.message);
    }
    this.#waiting.length = 0;
    this.#isDelivering = false;
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => void this.#ports.clock.after(0, resolve));
  }
}

/** What goes to the client next. */
type Said = { readonly kind: 'message'; readonly message: unknown } | { readonly kind: 'log'; readonly text: string };

/** Lenient: the playing of one request. */
interface Run {
  at: number;
  readonly request: ScriptedRequest | undefined;
  readonly id: RequestId | undefined;
  readonly isRepeated: boolean;
}

function tokenOf(params: UnknownRecord): unknown {
  const meta = params['_meta'];
  return isRecord(meta) ? meta['progressToken'] : undefined;
}

function isProgressOf(message: UnknownRecord, request: ScriptedRequest): boolean {
  const { method, params } = message;
  const token = tokenOf(request.params);
  const isProgress = method === 'notifications/progress' && isRecord(params);
  return isProgress && token !== undefined && params['progressToken'] === token;
}

/** A copy with another value for one member, which keeps its place. */
function replaced(record: UnknownRecord, name: string, value: unknown): UnknownRecord {
  return withMembers(
    {},
    exactEntries(record).map(([key, member]) => [key, key === name ? value : member] as const),
  );
}
