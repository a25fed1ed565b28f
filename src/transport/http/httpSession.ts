import type { SendHints } from '../../protocol/messageChannel.ts';
import { eventIdHeader } from './requestHeaders.ts';

type HeaderRecord = Readonly<Record<string, string>>;

/** What the server gave us to show with every request (Streamable HTTP, "Session Management"), and the headers that do. */
export class HttpSession {
  readonly #configured: HeaderRecord;
  /** For what belongs to no session. */
  readonly #outside: HeaderRecord;
  #inside: HeaderRecord;
  #id: string | undefined;
  #revision: string | undefined;
  #isLost = false;

  /** @param configured names in lower case */
  constructor(configured: HeaderRecord) {
    this.#configured = configured;
    this.#outside = {
      ...configured,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    this.#inside = this.#outside;
  }

  get id(): string | undefined {
    return this.#id;
  }

  /** The server has forgotten it, and no other was opened yet. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** @param id `undefined` where the server keeps no sessions */
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

  /** @returns false when that session is not the current one any more */
  lose(id: string | undefined): boolean {
    if (this.#id !== id) return false;
    this.#id = undefined;
    this.#isLost = true;
    this.#compose();
    return true;
  }

  /** @param isOutside for what opens a session or needs none */
  postHeaders(isOutside: boolean, hints: SendHints | undefined): HeaderRecord {
    const headers = isOutside ? this.#outside : this.#inside;
    return hints?.headers === undefined ? headers : { ...headers, ...hints.headers };
  }

  streamHeaders(lastEventId?: string): HeaderRecord {
    const id = eventIdHeader(lastEventId);
    return {
      ...this.#configured,
      ...this.#own(),
      accept: 'text/event-stream',
      ...(id !== undefined && { 'last-event-id': id }),
    };
  }

  endHeaders(): HeaderRecord {
    return { ...this.#configured, ...this.#own() };
  }

  #compose(): void {
    this.#inside = { ...this.#outside, ...this.#own() };
  }

  #own(): HeaderRecord {
    return {
      ...(this.#id !== undefined && { 'mcp-session-id': this.#id }),
      ...(this.#revision !== undefined && { 'mcp-protocol-version': this.#revision }),
    };
  }
}
