import type { SendHints } from '../../protocol/messageChannel.ts';
import { eventIdHeader } from './requestHeaders.ts';

const postHeaders = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

type HeaderRecord = Readonly<Record<string, string>>;

/** Of one connection, with the headers for it (2025-11-25, Basic / Transports, "Session Management"). */
export class HttpSession {
  readonly #configured: HeaderRecord;
  id: string | undefined;
  revision: string | undefined;
  /** The server lost the session, and there is no new one. */
  isLost = false;

  /** @param configured names in lower case */
  constructor(configured: HeaderRecord) {
    this.#configured = configured;
  }

  open(id: string | undefined): void {
    this.id = id;
    this.revision = undefined;
    this.isLost = false;
  }

  /** Marks the session `id` as lost. @returns false if it is not the current session */
  lose(id: string | undefined): boolean {
    if (this.id !== id) return false;
    this.id = undefined;
    this.isLost = true;
    return true;
  }

  /** Headers of a POST. @param isOutside true for messages that open a session or need none */
  postHeaders(isOutside: boolean, hints: SendHints | undefined): HeaderRecord {
    // On Node 20, an object that starts with a spread takes long.
    const headers: Record<string, string> = Object.assign({}, this.#configured, postHeaders);
    if (!isOutside) Object.assign(headers, this.#sessionHeaders());
    if (hints?.headers !== undefined) Object.assign(headers, hints.headers);
    return headers;
  }

  streamHeaders(lastEventId?: string): HeaderRecord {
    const id = eventIdHeader(lastEventId);
    return {
      ...this.#configured,
      ...this.#sessionHeaders(),
      accept: 'text/event-stream',
      ...(id !== undefined && { 'last-event-id': id }),
    };
  }

  deleteHeaders(): HeaderRecord {
    return { ...this.#configured, ...this.#sessionHeaders() };
  }

  #sessionHeaders(): HeaderRecord {
    const headers: Record<string, string> = {};
    if (this.id !== undefined) headers['mcp-session-id'] = this.id;
    if (this.revision !== undefined) headers['mcp-protocol-version'] = this.revision;
    return headers;
  }
}
