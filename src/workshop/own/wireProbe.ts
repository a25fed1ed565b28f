import { type CancelSignal, linkAbort } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { errorLine } from '../../base/errorLine.ts';
import { messageOf } from '../../base/errors.ts';
import { isRecord, jsonLength, type UnknownRecord } from '../../base/json.ts';
import type { LaunchPlan } from '../../base/launchPlan.ts';
import { limits } from '../../base/limits.ts';
import type { Logger } from '../../base/logger.ts';
import { truncateWithEllipsis } from '../../base/truncate.ts';
import { visibleText } from '../../base/visibleText.ts';
import type { OpenTap } from '../../client/trace/connectionTap.ts';
import { type TapOptions, tapTransport } from '../../client/trace/tappedChannel.ts';
import { JsonRpcError, type RequestId } from '../../protocol/jsonRpc.ts';
import { Peer } from '../../protocol/peer.ts';
import { createRequestMeta, createSendHints } from '../../protocol/revisions/stateless/requestMetadata.ts';
import {
  isStatelessRevision,
  latestHandshakeRevision,
  type StatelessRevision,
} from '../../protocol/session/revision.ts';
import type { Transport } from '../../transport/transport.ts';

/** The server that is checked. Each check may start a process, or open a session, of its own. */
export interface CheckTarget {
  readonly label: string;
  /** What is started; the person has agreed to it. */
  readonly plan: LaunchPlan;
  /** As `createTransports` returns it: with the person's sign-in, where the server needs one. */
  readonly createTransport: (plan: LaunchPlan) => Promise<Transport>;
  /** Follows the messages of Patchbay's own checks. */
  readonly tap?: OpenTap;
}

export interface ProbePorts {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: CancelSignal;
}

/** What became of a request. `failed`: no answer, or one that could not be read. */
export type Outcome =
  | { readonly kind: 'result'; readonly result: UnknownRecord }
  | { readonly kind: 'error'; readonly code: number; readonly message: string; readonly data: unknown }
  | { readonly kind: 'failed'; readonly message: string; readonly cause?: unknown };

interface RequestSettings {
  readonly timeoutMs?: number;
  readonly meta?: UnknownRecord | null;
  readonly signal?: CancelSignal;
}

/** Milliseconds: a server that installs itself may take long for the first answer, and no longer for others. */
const startMs = 60_000;
const requestMs = 4_000;
/** For all requests that stay without an answer: after them, each of the others gets a second. */
const silentMs = 8_000;
const leastMs = 1_000;

/** What is kept of a chatty server. `characters`: of all messages, as JSON. */
const kept = { messages: 2_000, characters: 16_000_000, lines: 50, line: 200 };

const clientInfo = { name: 'patchbay-check', version: '1.0.0' };

/**
 * Speaks one era to one process or address of the server, and remembers all that comes from it. It declares no capability, and
 * refuses requests but `ping`.
 */
export class WireProbe {
  readonly revision: string;
  readonly #peer: Peer;
  readonly #transport: Transport;
  readonly #clock: Clock;
  readonly #signal: CancelSignal;
  /** The ids of requests that were sent. */
  readonly sentIds = new Set<RequestId>();
  lastId: RequestId = 0;
  #silentMs = 0;
  /** Of a message that is too long, only what tells its kind. */
  readonly messages: unknown[] = [];
  #characters = 0;
  /** Lines on stdout that are no messages. */
  readonly noise: string[] = [];
  /** The latest lines on stderr. */
  #errors: readonly string[] = [];
  /** Milliseconds from the start to the first answer. */
  startedInMs = 0;
  /** Why the connection ended by itself. */
  ended: string | undefined;

  private constructor(revision: string, transport: Transport, tap: TapOptions, { clock, logger, signal }: ProbePorts) {
    this.revision = revision;
    this.#transport = transport;
    this.#clock = clock;
    this.#signal = signal;
    const channel = tapTransport(transport, tap);
    transport.onMessage((message) => this.#keep(message));
    transport.onLog(({ source, text }) => {
      const line = truncateWithEllipsis(text.trim(), kept.line);
      if (source === 'noise' && this.noise.length < kept.lines) this.noise.push(line);
      if (source === 'stderr') this.#errors = [...this.#errors.slice(1 - kept.lines), line];
    });
    this.#peer = new Peer({ channel, clock, logger, requestMs, maximumMs: startMs });
    this.#peer.onRequest('ping', () => Promise.resolve({}));
    transport.onDidClose((reason) => {
      if (reason.kind === 'exited')
        this.ended = `It exited with ${reason.signal ?? `code ${reason.code}`}.${this.#said()}`;
      if (reason.kind === 'failed') this.ended = reason.error.message;
      this.#peer.close(new Error(this.ended ?? 'The server was stopped.'));
    });
  }

  /**
   * Starts the server and opens the era of `revision`. @returns the answer to the first request too
   * @param openSignal ends the opening alone
   * @throws {PatchbayError} the server could not be started or reached; or a signal's reason
   */
  static async open(
    { label, plan, createTransport, tap: follow = () => undefined }: CheckTarget,
    revision: string,
    ports: ProbePorts,
    openSignal: CancelSignal = ports.signal,
  ): Promise<{ readonly probe: WireProbe; readonly opening: Outcome }> {
    const transport = await createTransport(plan);
    const probe = new WireProbe(revision, transport, { label, plan, open: follow }, ports);
    const from = ports.clock.now();
    const starting = linkAbort(ports.signal, openSignal);
    const timer = ports.clock.after(startMs, () => starting.abort(new Error('The server did not start in time.')));
    try {
      await transport.start(starting.signal);
      const opening = await probe.#open(starting.signal);
      probe.startedInMs = ports.clock.now() - from;
      return { probe, opening };
    } catch (error) {
      await probe.close();
      throw error;
    } finally {
      timer.dispose();
      starting.dispose();
    }
  }

  get isStateless(): boolean {
    return isStatelessRevision(this.revision);
  }

  /** A person has signed in for it. */
  get isSignedIn(): boolean {
    return (this.#transport.secrets?.() ?? []).length > 0;
  }

  async #open(signal: CancelSignal): Promise<Outcome> {
    if (this.isStateless) return this.request('server/discover', {}, { timeoutMs: startMs, signal });
    const params = { protocolVersion: latestHandshakeRevision, capabilities: {}, clientInfo };
    const opening = await this.request('initialize', params, { timeoutMs: startMs, signal });
    if (opening.kind !== 'result') return opening;
    const { protocolVersion } = opening.result;
    if (typeof protocolVersion === 'string') this.#transport.negotiated?.(protocolVersion);
    await this.notify('notifications/initialized');
    return opening;
  }

  /** Never rejects but with the signal's reason. @param options `meta`: the `_meta` of 2026-07-28, instead of a right one */
  async request(method: string, params: UnknownRecord = {}, options: RequestSettings = {}): Promise<Outcome> {
    const { signal = this.#signal } = options;
    const meta = options.meta === undefined ? this.#meta() : (options.meta ?? undefined);
    const sent = this.isStateless && meta !== undefined ? { ...params, _meta: meta } : params;
    const hints = this.isStateless
      ? createSendHints(this.revision as StatelessRevision, method, sent)
      : { isUnattended: false };
    const timeoutMs = Math.min(requestMs, Math.max(silentMs - this.#silentMs, leastMs));
    const from = this.#clock.now();
    try {
      const result = await this.#peer.request(method, sent, {
        signal,
        timeoutMs: options.timeoutMs ?? timeoutMs,
        hints,
        onSent: (id) => {
          this.lastId = id;
          this.sentIds.add(id);
        },
      });
      if (!isRecord(result)) return { kind: 'failed', message: `The result of ${method} is not an object.` };
      return { kind: 'result', result };
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof JsonRpcError) {
        const message = truncateWithEllipsis(error.message, limits.shown.tooltip);
        return { kind: 'error', code: error.code, message, data: error.data };
      }
      this.#silentMs += this.#clock.now() - from;
      return { kind: 'failed', message: truncateWithEllipsis(messageOf(error), limits.shown.tooltip), cause: error };
    }
  }

  /** @returns what tells whether so many milliseconds are over */
  deadline(milliseconds: number): () => boolean {
    const end = this.#clock.now() + milliseconds;
    return () => this.#clock.now() >= end;
  }

  async notify(method: string, params: UnknownRecord = {}): Promise<void> {
    await this.#transport.send({ jsonrpc: '2.0', method, params }).catch(() => {});
  }

  #keep(message: unknown): void {
    if (this.messages.length >= kept.messages) return;
    const characters = jsonLength(message);
    const isLong = this.#characters + characters > kept.characters;
    this.messages.push(isLong && isRecord(message) ? outlineOf(message) : message);
    if (!isLong) this.#characters += characters;
  }

  #said(): string {
    const line = errorLine(this.#errors.join('\n'));
    return line === '' ? '' : ` It wrote: ${visibleText(line)}`;
  }

  #meta(): UnknownRecord {
    return this.isStateless
      ? createRequestMeta({ clientInfo, capabilities: {} }, this.revision as StatelessRevision)
      : {};
  }

  /** Ends the process or the session. @returns milliseconds that it took */
  async close(): Promise<number> {
    const from = this.#clock.now();
    await this.#transport.dispose();
    this.#peer.dispose();
    return this.#clock.now() - from;
  }
}

/** What the checks of the wire look at. Ids and methods are bounded by the peer, which takes no longer ones. */
function outlineOf({ jsonrpc, id, method, result, error }: UnknownRecord): UnknownRecord {
  const short = (value: unknown): unknown => (typeof value === 'string' ? value.slice(0, limits.id.characters) : value);
  const kind = isRecord(result) ? { resultType: short(result['resultType']) } : {};
  return {
    jsonrpc: short(jsonrpc),
    ...(id !== undefined && { id: short(id) }),
    ...(method !== undefined && { method: short(method) }),
    ...(result !== undefined && { result: kind }),
    ...(error !== undefined && { error: {} }),
  };
}
