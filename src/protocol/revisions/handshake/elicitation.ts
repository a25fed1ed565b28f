import { type CancelSignal, CancelSource, toAbortSignal } from '../../../base/abort.ts';
import { type Disposable, toDisposable } from '../../../base/disposable.ts';
import { PatchbayError } from '../../../base/errors.ts';
import { isRecord, isString } from '../../../base/json.ts';
import { ErrorCodes, JsonRpcError } from '../../jsonRpc.ts';
import {
  createRequiredElicitation,
  type Elicit,
  type ElicitContext,
  type ElicitRequest,
  readElicitRequest,
  type UrlElicitRequest,
} from '../../mcp/elicitation.ts';
import type { Peer } from '../../peer.ts';

/** Rounds for one request in which no user took part; a server with more rounds will probably never answer. */
const maximumRounds = 10;
const maximumElicitations = 10;
/** Maximum URL elicitations whose completion is awaited. */
const maximumOpenElicitations = 100;

/**
 * Elicitation of 2025-11-25 and before, with `notifications/elicitation/complete` and the error `-32042` (2025-11-25, Client
 * Features / Elicitation, "URL Mode With Elicitation Required Error").
 */
export class HandshakeElicitation {
  readonly #peer: Peer;
  readonly #elicit: Elicit;
  /** The URL elicitations that are not complete, by the ids of the server. */
  readonly #open = new Map<string, { readonly completed: Promise<void>; readonly complete: () => void }>();

  constructor(peer: Peer, elicit: Elicit) {
    this.#peer = peer;
    this.#elicit = elicit;
    peer.onNotification((method, { elicitationId }) => {
      if (method !== 'notifications/elicitation/complete') return false;
      // Unknown and completed ids are ignored.
      if (isString(elicitationId)) {
        this.#open.get(elicitationId)?.complete();
        this.#open.delete(elicitationId);
      }
      return true;
    });
  }

  readonly answer: Elicit = (request, context) =>
    this.#elicit(request, { ...context, ended: this.#peer.ended, ...this.#begin(request) });

  #begin(request: ElicitRequest): Pick<ElicitContext, 'completed'> {
    const id = request.mode === 'url' ? request.elicitationId : undefined;
    if (id === undefined) return {};
    const known = this.#open.get(id);
    if (known !== undefined) return { completed: known.completed };
    let complete = (): void => {};
    const completed = new Promise<void>((resolve) => (complete = resolve));
    this.#open.set(id, { completed, complete });
    const [oldest] = this.#open.keys();
    if (this.#open.size > maximumOpenElicitations && oldest !== undefined) this.#open.delete(oldest);
    return { completed };
  }

  /**
   * Sends a request, and again after the URL elicitations that the server requires for it.
   * @throws {PatchbayError} `declined` if the user refuses one; or what `send` throws
   */
  async send(send: () => Promise<unknown>, signal: CancelSignal | undefined): Promise<unknown> {
    let elicitUrl: Elicit | undefined;
    for (let round = 1; ;) {
      try {
        return await send();
      } catch (error) {
        const requests = round > maximumRounds ? undefined : requiredElicitations(error);
        if (requests === undefined) throw error;
        elicitUrl ??= createRequiredElicitation(this.#elicit);
        const hasUser = await this.#visit(requests, elicitUrl, toAbortSignal(signal ?? new CancelSource()));
        if (!hasUser) round += 1;
      }
    }
  }

  /** @returns true if a user took part, who can stop further rounds */
  async #visit(requests: readonly UrlElicitRequest[], elicitUrl: Elicit, signal: AbortSignal): Promise<boolean> {
    let hasUser = false;
    // None of our requests is pending meanwhile, so no timeout has to pause.
    const waitForPerson = (): Disposable => {
      hasUser = true;
      return toDisposable(() => {});
    };
    for (const request of requests) {
      const context: ElicitContext = { signal, reportProgress: () => {}, waitForPerson, ...this.#begin(request) };
      // One at a time: after a refusal the others are not needed.
      const { action } = await elicitUrl(request, context);
      signal.throwIfAborted();
      if (action !== 'accept')
        throw new PatchbayError(
          'declined',
          'The server wants you to visit a page before it answers, and you did not. Run it again to be asked again.',
        );
    }
    return hasUser;
  }
}

/** @returns `undefined` for anything but a well-formed error `-32042` */
function requiredElicitations(error: unknown): readonly UrlElicitRequest[] | undefined {
  if (!(error instanceof JsonRpcError) || error.code !== ErrorCodes.urlElicitationRequired) return undefined;
  const elicitations = isRecord(error.data) ? error.data['elicitations'] : undefined;
  if (!Array.isArray(elicitations) || elicitations.length === 0 || elicitations.length > maximumElicitations)
    return undefined;
  const requests = elicitations.map(readUrlElicitation);
  return requests.every((request) => request !== undefined) ? requests : undefined;
}

function readUrlElicitation(value: unknown): UrlElicitRequest | undefined {
  if (!isRecord(value)) return undefined;
  try {
    const request = readElicitRequest(value);
    return request.mode === 'url' ? request : undefined;
  } catch {
    // The caller then throws the server's error, which says more than a parse error.
    return undefined;
  }
}
