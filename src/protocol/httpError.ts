import { PatchbayError } from '../base/errors.ts';
import { JsonRpcError, type JsonRpcErrorBody } from './jsonRpc.ts';

export interface HttpErrorDetails {
  readonly body?: JsonRpcErrorBody | undefined;
  readonly hasChallenge?: boolean;
}

/** An HTTP answer that carries no usable message. Its text names the address, the status and the next step. */
export class HttpError extends PatchbayError {
  readonly status: number;
  /** The JSON-RPC error in the body, where there was one that was not delivered: to `initialize`, or to no request. */
  readonly body: JsonRpcErrorBody | undefined;
  /** It came with `WWW-Authenticate`: what is wrong is who asks, and not what is asked. */
  readonly hasChallenge: boolean;

  constructor(status: number, message: string, { body, hasChallenge = false }: HttpErrorDetails = {}) {
    super('httpStatus', message, body && { cause: new JsonRpcError(body.code, body.message, body.data) });
    this.status = status;
    this.body = body;
    this.hasChallenge = hasChallenge;
  }
}
