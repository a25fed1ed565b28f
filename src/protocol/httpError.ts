import { PatchbayError } from '../base/errors.ts';
import type { JsonRpcErrorBody } from './jsonRpc.ts';

/** An HTTP answer that carries no usable message. Its text names the address, the status and the next step. */
export class HttpError extends PatchbayError {
  readonly status: number;
  /** The JSON-RPC error in the body, where there was one that could not be tied to a request. */
  readonly body: JsonRpcErrorBody | undefined;

  constructor(status: number, message: string, body?: JsonRpcErrorBody) {
    super('httpStatus', message);
    this.status = status;
    this.body = body;
  }
}
