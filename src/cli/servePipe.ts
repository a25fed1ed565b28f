import type { Readable, Writable } from 'node:stream';
import { type Clock, createSystemClock } from '../base/clock.ts';
import { CancelledError, messageOf, PatchbayError } from '../base/errors.ts';
import { stringifyExactly } from '../base/exactIntegers.ts';
import { isRecord, parseJson, type UnknownRecord } from '../base/json.ts';
import { limits } from '../base/limits.ts';
import { ErrorCodes, isRequestId, type OutgoingMessage } from '../protocol/jsonRpc.ts';
import type { MessageChannel, SendHints } from '../protocol/messageChannel.ts';
import { createSendHints, metaPrefix } from '../protocol/revisions/stateless/requestMetadata.ts';
import { isStatelessRevision } from '../protocol/session/revision.ts';
import { LineDecoder } from '../transport/stdio/lineDecoder.ts';
import type { CloseReason, Transport } from '../transport/transport.ts';

interface Pipe {
  /** Messages of the client, a line each. */
  readonly input: Readable;
  readonly output: Writable;
  readonly note: (line: string) => void;
}

/** What the client has not read: with more, the session ends, since a server cannot be told to wait. */
const maximumWaitingBytes = 256 * 1024 * 1024;
const unread = 'The server sends more than the client reads: the session was ended.';

/**
 * Is a server over stdio for a client, in front of a transport: passes each message on as it is. Ends with the input of the client,
 * with the server, or with the signal, and then leaves nothing running.
 * @param channel the transport, or a channel that follows it
 * @returns why the server has ended; `undefined` where the client has
 */
export async function servePipe(
  transport: Transport,
  channel: MessageChannel,
  { input, output, note }: Pipe,
  signal: AbortSignal,
): Promise<CloseReason | undefined> {
  const stuck = new AbortController();
  const write = (message: unknown): void => {
    if (output.writableLength > maximumWaitingBytes) stuck.abort(new PatchbayError('connectionClosed', unread));
    else output.write(`${stringifyExactly(message) ?? 'null'}\n`);
  };
  const revision = followRevision(transport);
  const pending = new PendingRequests();
  channel.onMessage((message) => {
    revision.received(message);
    pending.received(message);
    write(message);
  });
  const closed = new Promise<CloseReason>((resolve) => transport.onDidClose(resolve));
  const send = (message: unknown): void => {
    if (!isRecord(message) && !Array.isArray(message)) return note('A line of the client is not a message.');
    revision.sent(message);
    pending.sent(message);
    channel.send(message as unknown as OutgoingMessage, hintsOf(message)).catch((error: unknown) => {
      const answer = failure(message, error);
      pending.received(answer);
      if (answer === undefined) note(`A message could not be sent: ${messageOf(error)}`);
      else write(answer);
    });
  };
  try {
    await transport.start(signal);
    const ended = readLines(input, send, note).then(() => pending.whenAnswered(createSystemClock()));
    return await Promise.race([closed, ended, whenAborted(signal), whenAborted(stuck.signal)]);
  } finally {
    await transport.dispose();
  }
}

function readLines(input: Readable, send: (message: unknown) => void, note: (line: string) => void): Promise<void> {
  const decoder = new LineDecoder(
    {
      line: (text) => send(parseJson(text)),
      tooLarge: () => note('A message of the client is too large: it was left out.'),
      skipped: () => {},
    },
    limits.message,
  );
  return new Promise((resolve) => {
    input.on('data', (chunk: Buffer) => {
      for (let rest: Buffer | undefined = chunk; rest !== undefined;) rest = decoder.write(rest);
    });
    const end = (): void => {
      decoder.end();
      resolve();
    };
    input.once('end', end);
    input.once('error', end);
  });
}

/** A client that has sent all it has may still read: `patchbay replay FILE < requests.jsonl`. */
const patienceMs = 5_000;

class PendingRequests {
  readonly #ids = new Set<unknown>();
  #onEmpty = (): void => {};

  sent(message: unknown): void {
    if (isRecord(message) && message['method'] !== undefined && isRequestId(message['id']))
      this.#ids.add(message['id']);
  }

  received(message: unknown): void {
    if (!isRecord(message) || message['method'] !== undefined || !this.#ids.delete(message['id'])) return;
    if (this.#ids.size === 0) this.#onEmpty();
  }

  whenAnswered(clock: Clock): Promise<undefined> {
    if (this.#ids.size === 0) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const timer = clock.after(patienceMs, () => resolve(undefined));
      this.#onEmpty = () => {
        timer.dispose();
        resolve(undefined);
      };
    });
  }
}

function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const abort = (): void => reject(signal.reason ?? new CancelledError());
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}

/** Transports over HTTP send the negotiated revision as a header. */
function followRevision(transport: Transport) {
  let initialize: unknown;
  let negotiated: string | undefined;
  return {
    sent(message: unknown): void {
      if (!isRecord(message)) return;
      if (message['method'] === 'initialize') initialize = message['id'];
      if (message['method'] === 'notifications/initialized' && negotiated !== undefined)
        transport.negotiated?.(negotiated);
    },
    received(message: unknown): void {
      if (!isRecord(message) || initialize === undefined || message['id'] !== initialize) return;
      const { result } = message;
      const version = isRecord(result) ? result['protocolVersion'] : undefined;
      if (typeof version === 'string') negotiated = version;
    },
  };
}

function hintsOf(message: unknown): SendHints | undefined {
  if (!isRecord(message) || typeof message['method'] !== 'string') return undefined;
  const { method, params } = message;
  const meta: unknown = isRecord(params) ? params['_meta'] : undefined;
  const revision = isRecord(meta) ? meta[`${metaPrefix}protocolVersion`] : undefined;
  return isStatelessRevision(revision) ? createSendHints(revision, method, params as UnknownRecord) : undefined;
}

/** The answer to a request that has none. */
function failure(message: unknown, error: unknown) {
  if (!isRecord(message) || !isRequestId(message['id']) || message['method'] === undefined) return undefined;
  return { jsonrpc: '2.0', id: message['id'], error: { code: ErrorCodes.internalError, message: messageOf(error) } };
}
