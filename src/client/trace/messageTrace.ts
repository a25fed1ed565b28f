import type { Clock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import { jsonLength, toJsonText } from '../../base/json.ts';
import type { LaunchPlan } from '../../base/launchPlan.ts';
import { limits } from '../../base/limits.ts';
import { RateLimiter } from '../../base/rateLimiter.ts';
import { originOf } from '../../base/serverAddress.ts';
import { escapeHidden } from '../../base/visibleText.ts';
import { classifyMessage, type OutgoingMessage, type RequestId } from '../../protocol/jsonRpc.ts';
import type { MessageChannel } from '../../protocol/messageChannel.ts';
import type { KnownSecret } from '../../secrets/knownValues.ts';
import { secretsOfPlan, secretTokens } from '../../secrets/planSecrets.ts';
import { createRedactor, type Redactor } from '../../secrets/redactor.ts';
import type { CloseReason, Transport, TransportLog } from '../../transport/transport.ts';
import { traceJson } from './traceJson.ts';

/** Receives one entry: a line that describes it, then the message as JSON. Entries contain no secrets. */
export type TraceSink = (entry: string) => void;

export interface MessageTraceOptions {
  /** Called for every message; `undefined` while tracing is off. */
  readonly sink: () => TraceSink | undefined;
  readonly plan: LaunchPlan;
  /** What is hidden too: the secrets of other servers. The same list while nothing changes. */
  readonly secrets?: (() => readonly KnownSecret[]) | undefined;
  readonly clock: Clock;
}

/** To or from a server; `⇢` and `⇠`: to or from an app of it. */
type Direction = '→' | '←' | '⇢' | '⇠';

const opposites: Readonly<Record<Direction, Direction>> = { '→': '←', '←': '→', '⇢': '⇠', '⇠': '⇢' };

/** Open requests whose send time is kept; above it the oldest are dropped. */
const maximumOpenRequests = 1_000;
const maximumLineCharacters = 500;

/**
 * Stands in place of a transport, and sends every message to the sink while there is one. Create it before other listeners are
 * added to the transport.
 */
export class TracedChannel implements MessageChannel {
  readonly #transport: Transport;
  readonly #options: MessageTraceOptions;
  readonly onMessage: MessageChannel['onMessage'];
  readonly onDidDropAnswer: MessageChannel['onDidDropAnswer'];
  #tracer: MessageTracer | undefined;

  constructor(transport: Transport, options: MessageTraceOptions) {
    this.#transport = transport;
    this.#options = options;
    this.onMessage = transport.onMessage;
    this.onDidDropAnswer = transport.onDidDropAnswer;
    transport.onMessage((value) => this.#trace()?.message('←', value));
    transport.onLog((entry) => this.#log(entry));
    transport.onDidClose((reason) => {
      this.#trace()?.end(reason);
      this.#tracer?.dispose();
    });
    this.#trace()?.note(`• connecting over ${describeTransport(options.plan)}`);
  }

  send(...[message, hints]: Parameters<MessageChannel['send']>): Promise<void> {
    const traced = this.#trace();
    if (traced === undefined) return this.#transport.send(message, hints);
    traced.message('→', message);
    return this.#transport.send(message, hints).catch((error: unknown) => {
      traced.note(`• ${describeSent(message)} failed: ${messageOf(error)}`);
      throw error;
    });
  }

  /** The tracer, created when tracing is first on; `undefined` while it is off. */
  #trace(): MessageTracer | undefined {
    if (this.#options.sink() === undefined) return undefined;
    return (this.#tracer ??= new MessageTracer(this.#options, this.#transport.secrets));
  }

  #log(entry: TransportLog): void {
    // Output on stderr is in the server's log.
    if (entry.source === 'stderr') return;
    this.#trace()?.note(entry.source === 'noise' ? `← not a message: ${entry.text}` : `• ${entry.text}`);
  }
}

/** Writes messages to the sink while there is one. */
export class MessageTracer {
  readonly #options: MessageTraceOptions;
  readonly #open = new Map<string, { readonly method: string; readonly sentAt: number }>();
  readonly #limiter: RateLimiter;
  readonly #found: Transport['secrets'];
  #known: { readonly redactor: Redactor; readonly of: readonly unknown[] } | undefined;

  /** @param found returns secrets that are not in the plan, for instance tokens */
  constructor(options: MessageTraceOptions, found?: Transport['secrets']) {
    this.#options = options;
    this.#found = found;
    this.#limiter = new RateLimiter(options.clock, { count: limits.trace.messages, periodMs: 1_000 }, (count) => {
      options.sink()?.(`${this.#time()} … ${count} more left out: at most ${limits.trace.messages} are shown a second`);
    });
  }

  message(direction: Direction, value: unknown): void {
    const sink = this.#options.sink();
    if (sink === undefined) return;
    // A batch (2025-03-26) is several messages.
    const messages = Array.isArray(value) ? (value as readonly unknown[]).slice(0, limits.batch.entries) : [value];
    for (const message of messages) {
      const roundTrip = this.#roundTrip(direction, message);
      this.#limiter.run(() => {
        const size = formatSize(bytesOf(message));
        const line = `${direction} ${this.#redact(describe(message))}${roundTrip}, ${size}`;
        sink(`${this.#time()} ${line}\n${traceJson(message, this.#redactor)}`);
      });
    }
  }

  note(text: string): void {
    const sink = this.#options.sink();
    if (sink !== undefined) this.#limiter.run(() => sink(`${this.#time()} ${this.#redact(text)}`));
  }

  dispose(): void {
    this.#limiter.dispose();
  }

  end(reason: CloseReason): void {
    this.#options.sink()?.(`${this.#time()} • ${this.#redact(`closed: ${describeEnd(reason)}`)}`);
  }

  get #redactor(): Redactor {
    const { plan, secrets: listOthers } = this.#options;
    const [found, others] = [this.#found?.(), listOthers?.()];
    if (this.#known === undefined || this.#known.of[0] !== found || this.#known.of[1] !== others) {
      const label = plan.label ?? '';
      const secrets = [...secretsOfPlan(label, plan), ...secretTokens(label, found ?? []), ...(others ?? [])];
      this.#known = { redactor: createRedactor(secrets), of: [found, others] };
    }
    return this.#known.redactor;
  }

  /** Hides secrets, and joins all lines into one. */
  #redact(text: string): string {
    return escapeHidden(this.#redactor.text(text, maximumLineCharacters).replace(/[\u0000-\u001f]+/g, ' '));
  }

  #time(): string {
    const time = new Date(this.#options.clock.now());
    return `${time.toTimeString().slice(0, 8)}.${String(time.getMilliseconds()).padStart(3, '0')}`;
  }

  /** Stores a request; for a response, returns its method and the milliseconds between them. */
  #roundTrip(direction: Direction, value: unknown): string {
    const message = classifyMessage(value);
    const now = this.#options.clock.now();
    if (message.kind === 'request') {
      this.#open.set(requestKey(direction, message.id), { method: message.method, sentAt: now });
      if (this.#open.size > maximumOpenRequests) this.#open.delete(this.#open.keys().next().value ?? '');
      return '';
    }
    if ((message.kind !== 'result' && message.kind !== 'error') || message.id === undefined) return '';
    const key = requestKey(opposites[direction], message.id);
    const request = this.#open.get(key);
    this.#open.delete(key);
    return request === undefined ? '' : ` of ${this.#redact(request.method)} after ${now - request.sentAt} ms`;
  }
}

function requestKey(direction: Direction, id: RequestId): string {
  return `${direction}${JSON.stringify(id)}`;
}

function describeSent(message: OutgoingMessage): string {
  return Array.isArray(message) ? `batch of ${message.length}` : describe(message);
}

function describe(value: unknown): string {
  const message = classifyMessage(value);
  switch (message.kind) {
    case 'request':
      return `request ${message.method} (${message.id})`;
    case 'notification':
      return `notification ${message.method}`;
    case 'result':
    case 'error':
      return `${message.kind} (${message.id})`;
    case 'malformed':
      return `not JSON-RPC (${message.reason})`;
  }
}

function describeTransport(plan: LaunchPlan): string {
  if (plan.kind === 'stdio') return 'stdio';
  return `${plan.kind === 'sse' ? 'HTTP+SSE' : 'Streamable HTTP'} to ${originOf(plan)}`;
}

function describeEnd(reason: CloseReason): string {
  switch (reason.kind) {
    case 'requested':
      return 'stopped';
    case 'exited':
      return reason.signal === null ? `exited with code ${reason.code}` : `ended by ${reason.signal}`;
    case 'failed':
      return reason.error.message;
  }
}

/** Exact bytes of a short message; characters of a long one, because serialising it again would cost too much. */
function bytesOf(message: unknown): number {
  const length = jsonLength(message);
  return length < 10_000 ? new TextEncoder().encode(toJsonText(message)).length : length;
}

function formatSize(bytes: number): string {
  if (bytes < 10_000) return `${bytes} bytes`;
  return bytes < 10_000_000 ? `${Math.round(bytes / 1_000)} kB` : `${Math.round(bytes / 1_000_000)} MB`;
}
