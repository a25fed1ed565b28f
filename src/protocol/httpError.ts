import { PatchbayError } from '../base/errors.ts';
import { JsonRpcError, type JsonRpcErrorBody } from './jsonRpc.ts';

/** An HTTP response without a usable message. Its text contains the address, the status and the next step. */
export class HttpError extends PatchbayError {
  readonly status: number;
  /** The JSON-RPC error of the body, where it was not delivered: it answers `initialize`, or no request. */
  readonly body: JsonRpcErrorBody | undefined;
  /** The response has `WWW-Authenticate`: the authorization is wrong, not the request. */
  readonly hasChallenge: boolean;
  /** What the server said, in short and without the address; may be empty. */
  readonly words: string;

  constructor(status: number, message: string, body?: JsonRpcErrorBody, hasChallenge = false, words = '') {
    super('httpStatus', message, body && { cause: new JsonRpcError(body.code, body.message, body.data) });
    this.status = status;
    this.body = body;
    this.hasChallenge = hasChallenge;
    this.words = words;
  }
}
