import type { Clock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import { createFloodGate, type FloodGate } from '../../base/floodGate.ts';
import { jsonLength, toJsonText } from '../../base/json.ts';
import type { LaunchPlan } from '../../base/launchPlan.ts';
import { limits } from '../../base/limits.ts';
import { escapeHidden } from '../../base/visibleText.ts';
import { classifyMessage, type OutgoingMessage, type RequestId } from '../../protocol/jsonRpc.ts';
import type { MessageChannel } from '../../protocol/messageChannel.ts';
import type { CloseReason, Transport } from '../../transport/transport.ts';
import { planSecrets } from './planSecrets.ts';
import { createRedactor, type Redactor } from './redactor.ts';
import { traceJson } from './traceJson.ts';

/** Takes one entry: a line that says what it is, then the message as JSON. Holds no secret. */
export type TraceSink = (entry: string) => void;

export interface WireTraceOptions {
  /** Asked at every message; `undefined` while nobody wants to see any. */
  readonly sink: () => TraceSink | undefined;
  /** Whose secrets are hidden. */
  readonly plan: LaunchPlan;
  readonly clock: Clock;
}

type Direction = '→' | '←';

interface OpenRequest {
  readonly method: string;
  readonly sentAt: number;
}

/** Requests whose answers are awaited; beyond it the oldest lose their times. */
const maximumOpen = 1_000;
/** Characters kept of what a line says. */
const maximumLine = 500;

/**
 * Shows every message of a connection to the sink, while there is one. Subscribe nothing to the transport before.
 * @returns the channel to use in place of `transport`
 */
export function traceTransport(transport: Transport, options: WireTraceOptions): MessageChannel {
  const trace = new WireTrace(options, transport.secrets);
  transport.onMessage((value) => trace.message('←', value));
  transport.onLog(({ source, text }) => {
    // What the server writes to stderr is in its log.
    if (source !== 'stderr') trace.note(source === 'noise' ? `← not a message: ${text}` : `• ${text}`);
  });
  transport.onDidClose((reason) => trace.end(reason));
  trace.note(`• connecting over ${describeWay(options.plan)}`);
  return {
    onMessage: transport.onMessage,
    onDidDropAnswer: transport.onDidDropAnswer,
    send(message, hints) {
      if (options.sink() === undefined) return transport.send(message, hints);
      trace.message('→', message);
      return transport.send(message, hints).catch((error: unknown) => {
        trace.note(`• ${describeSent(message)} failed: ${messageOf(error)}`);
        throw error;
      });
    },
  };
}

class WireTrace {
  readonly #options: WireTraceOptions;
  readonly #open = new Map<string, OpenRequest>();
  readonly #gate: FloodGate;
  readonly #found: Transport['secrets'];
  #known: { readonly redactor: Redactor; readonly found: readonly string[] | undefined } | undefined;

  /** @param found secrets that the plan does not know */
  constructor(options: WireTraceOptions, found: Transport['secrets']) {
    this.#options = options;
    this.#found = found;
    this.#gate = createFloodGate(options.clock, { count: limits.trace.messages, periodMs: 1_000 }, (count) => {
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
      this.#gate.pass(() => {
        const size = formatSize(bytesOf(message));
        const line = `${direction} ${this.#redact(describe(message))}${roundTrip}, ${size}`;
        sink(`${this.#time()} ${line}\n${traceJson(message, this.#redactor)}`);
      });
    }
  }

  note(text: string): void {
    const sink = this.#options.sink();
    if (sink !== undefined) this.#gate.pass(() => sink(`${this.#time()} ${this.#redact(text)}`));
  }

  end(reason: CloseReason): void {
    this.#gate.dispose();
    this.#options.sink()?.(`${this.#time()} • ${this.#redact(`closed: ${describeEnd(reason)}`)}`);
  }

  get #redactor(): Redactor {
    const found = this.#found?.();
    if (this.#known === undefined || this.#known.found !== found) {
      const { plan } = this.#options;
      const secrets = [...(plan.secrets ?? []), ...(found ?? [])];
      this.#known = { redactor: createRedactor(planSecrets({ ...plan, secrets })), found };
    }
    return this.#known.redactor;
  }

  /** One line, however the text is broken. */
  #redact(text: string): string {
    return escapeHidden(this.#redactor.text(text, maximumLine).replace(/[\u0000-\u001f]+/g, ' '));
  }

  #time(): string {
    const time = new Date(this.#options.clock.now());
    const [hours, minutes, seconds] = [time.getHours(), time.getMinutes(), time.getSeconds()].map(twoDigits);
    return `${hours}:${minutes}:${seconds}.${String(time.getMilliseconds()).padStart(3, '0')}`;
  }

  /** Remembers a request; names the request of an answer and the time between them. */
  #roundTrip(direction: Direction, value: unknown): string {
    const message = classifyMessage(value);
    const now = this.#options.clock.now();
    if (message.kind === 'request') {
      this.#open.set(requestKey(direction, message.id), { method: message.method, sentAt: now });
      if (this.#open.size > maximumOpen) this.#open.delete(this.#open.keys().next().value ?? '');
      return '';
    }
    if ((message.kind !== 'result' && message.kind !== 'error') || message.id === undefined) return '';
    const key = requestKey(direction === '→' ? '←' : '→', message.id);
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

/** What a message is, in a few words: "request tools/call (12)". */
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

function describeWay(plan: LaunchPlan): string {
  if (plan.kind === 'stdio') return 'stdio';
  return `${plan.kind === 'sse' ? 'HTTP+SSE' : 'Streamable HTTP'} to ${plan.url.origin}`;
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

/** Of a long message about: to be written again only for its size would cost what reading it did. */
function bytesOf(message: unknown): number {
  const length = jsonLength(message);
  return length < 10_000 ? new TextEncoder().encode(toJsonText(message)).length : length;
}

function formatSize(bytes: number): string {
  if (bytes < 10_000) return `${bytes} bytes`;
  return bytes < 10_000_000 ? `${Math.round(bytes / 1_000)} kB` : `${Math.round(bytes / 1_000_000)} MB`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
