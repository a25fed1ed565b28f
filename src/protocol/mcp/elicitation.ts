import { isOptional, isRecord, isString, type UnknownRecord } from '../../base/json.ts';
import { ErrorCodes, JsonRpcError } from '../jsonRpc.ts';
import type { JsonSchema } from './tools.ts';

/** A server asks the user to fill in a few fields (client, "Elicitation"). */
export interface FormElicitRequest {
  readonly mode: 'form';
  readonly message: string;
  /** A flat object of primitives. */
  readonly requestedSchema: JsonSchema;
}

/** A server asks the user to visit a page (2025-11-25). */
export interface UrlElicitRequest {
  readonly mode: 'url';
  readonly message: string;
  readonly url: string;
  readonly elicitationId?: string;
}

export type ElicitRequest = FormElicitRequest | UrlElicitRequest;

export interface ElicitResult {
  readonly action: 'accept' | 'decline' | 'cancel';
  /** For `accept` of a form only. */
  readonly content?: Readonly<Record<string, string | number | boolean | readonly string[]>>;
}

/**
 * Checks the parameters of `elicitation/create`.
 * @throws {JsonRpcError} `-32602`, naming the member that is wrong
 */
export function readElicitRequest(params: UnknownRecord): ElicitRequest {
  const { mode = 'form', message, requestedSchema, url, elicitationId } = params;
  if (!isString(message)) throw invalid('message must be a string');
  if (mode === 'form') {
    if (!isRecord(requestedSchema)) throw invalid('requestedSchema must be an object');
    return { mode, message, requestedSchema };
  }
  if (mode !== 'url') throw invalid('mode must be "form" or "url"');
  if (!isString(url) || !isOptional(elicitationId, isString)) throw invalid('url must be a string');
  return { mode, message, url, ...(elicitationId !== undefined && { elicitationId }) };
}

/** Fills what an accepted form leaves out with the defaults of its schema (2025-11-25, "Requested Schema"). */
export function withDefaults(result: ElicitResult, request: ElicitRequest): ElicitResult {
  if (result.action !== 'accept' || request.mode !== 'form') return result;
  const { properties } = request.requestedSchema;
  if (!isRecord(properties)) return result;
  const defaults = Object.entries(properties).flatMap(([name, schema]) =>
    isRecord(schema) && schema['default'] !== undefined ? [[name, schema['default']] as const] : [],
  );
  return { ...result, content: { ...(Object.fromEntries(defaults) as ElicitResult['content']), ...result.content } };
}

function invalid(detail: string): JsonRpcError {
  return new JsonRpcError(ErrorCodes.invalidParams, `Invalid elicitation request: ${detail}`);
}
