import type { SendHints } from '../../protocol/messageChannel.ts';
import { eventIdHeader } from './requestHeaders.ts';

type HeaderRecord = Readonly<Record<string, string>>;

/**
 * Session id and revision of one connection, and the headers that send them (2025-11-25, Basic / Transports, "Session
 * Management").
 */
export class HttpSession {
  readonly #configured: HeaderRecord;
  /** Headers of messages outside of a session. */
  readonly #sessionless: HeaderRecord;
  #withSession: HeaderRecord;
  #id: string | undefined;
  #revision: string | undefined;
  #isLost = false;

  /** @param configured names in lower case */
  constructor(configured: HeaderRecord) {
    this.#configured = configured;
    this.#sessionless = {
      ...configured,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    this.#withSession = this.#sessionless;
  }

  get id(): string | undefined {
    return this.#id;
  }

  /** The server lost the session, and there is no new one. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** Starts a session. @param id `undefined` where the server has no session ids */
  open(id: string | undefined): void {
    this.#id = id;
    this.#revision = undefined;
    this.#isLost = false;
    this.#compose();
  }

  negotiated(revision: string): void {
    this.#revision = revision;
    this.#compose();
  }

  /** Marks the session `id` as lost. @returns false if it is not the current session */
  lose(id: string | undefined): boolean {
    if (this.#id !== id) return false;
    this.#id = undefined;
    this.#isLost = true;
    this.#compose();
    return true;
  }

  /** Headers of a POST. @param isOutside true for messages that open a session or need none */
  postHeaders(isOutside: boolean, hints: SendHints | undefined): HeaderRecord {
    const headers = isOutside ? this.#sessionless : this.#withSession;
    return hints?.headers === undefined ? headers : Object.assign({}, headers, hints.headers);
  }

  /** Headers of a GET that opens or resumes a stream. */
  streamHeaders(lastEventId?: string): HeaderRecord {
    const id = eventIdHeader(lastEventId);
    return {
      ...this.#configured,
      ...this.#sessionHeaders(),
      accept: 'text/event-stream',
      ...(id !== undefined && { 'last-event-id': id }),
    };
  }

  /** Headers of the DELETE that ends the session. */
  deleteHeaders(): HeaderRecord {
    return { ...this.#configured, ...this.#sessionHeaders() };
  }

  #compose(): void {
    this.#withSession = { ...this.#sessionless, ...this.#sessionHeaders() };
  }

  #sessionHeaders(): HeaderRecord {
    return {
      ...(this.#id !== undefined && { 'mcp-session-id': this.#id }),
      ...(this.#revision !== undefined && { 'mcp-protocol-version': this.#revision }),
    };
  }
}
