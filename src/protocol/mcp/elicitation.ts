import { PatchbayError } from '../../base/errors.ts';
import { isOptional, isRecord, isString, type UnknownRecord } from '../../base/json.ts';
import { findWrongField, type FlatForm, FlatFormError, type FormContent, readFlatForm } from '../../schema/flatForm.ts';
import { ErrorCodes, JsonRpcError } from '../jsonRpc.ts';
import type { RequestHandlerContext } from '../incomingRequests.ts';
import { withoutNulls } from './readers.ts';

/** A server asks the user to fill in a form (2025-11-25, Client Features / Elicitation). */
export interface FormElicitRequest {
  readonly mode: 'form';
  readonly message: string;
  readonly requestedSchema: FlatForm;
}

/** A server asks the user to visit a page (2025-11-25, Client Features / Elicitation). The URL is unchecked. */
export interface UrlElicitRequest {
  readonly mode: 'url';
  readonly message: string;
  readonly url: string;
  readonly elicitationId?: string;
  /**
   * Our request is sent again after the visit: it failed with `-32042`, or its result asks for input (2026-07-28).
   * Then `accept` means that the visit is complete, or that the user wants to try again. Otherwise `accept` means only that
   * the user agreed to open the page.
   */
  readonly isRequired?: true;
  /** The user has visited the page for the same request before, and the server asks again. */
  readonly wasVisited?: true;
}

export type ElicitRequest = FormElicitRequest | UrlElicitRequest;

export interface ElicitResult {
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly content?: FormContent;
}

export interface ElicitContext extends RequestHandlerContext {
  /** Resolves when the server reports that the visit is complete. Absent where the server cannot report it. */
  readonly completed?: Promise<void>;
  /** Aborted when the connection ends, also after the answer: then `completed` never resolves. */
  readonly ended?: AbortSignal;
}

export type Elicit = (request: ElicitRequest, context: ElicitContext) => Promise<ElicitResult>;

/** For URLs that one of our requests waits for. Create one for each: it remembers the pages that the user has visited. */
export function createRequiredElicitation(elicit: Elicit): Elicit {
  const visited = new Set<string>();
  return async (request, context) => {
    if (request.mode === 'form') return elicit(request, context);
    const { url } = request;
    const required: UrlElicitRequest = {
      ...request,
      isRequired: true,
      ...(visited.has(url) && { wasVisited: true }),
    };
    const result = await elicit(required, context);
    if (result.action === 'accept') visited.add(url);
    return result;
  };
}

const maximumMessage = 20_000;

/** @throws {JsonRpcError} `-32602`, with the wrong member or field */
export function readElicitRequest(params: UnknownRecord): ElicitRequest {
  const given = withoutNulls(params);
  const { mode = 'form', message, requestedSchema } = given;
  if (!isString(message)) throw invalidElicitation('message must be a string');
  if (message.length > maximumMessage) throw invalidElicitation('message is too long');
  if (mode === 'url') return readUrlElicitRequest(given, message);
  if (mode !== 'form') throw invalidElicitation('mode must be "form" or "url"');
  if (!isRecord(requestedSchema)) throw invalidElicitation('requestedSchema must be an object');
  try {
    return { mode, message, requestedSchema: readFlatForm(requestedSchema) };
  } catch (error) {
    throw error instanceof FlatFormError ? invalidElicitation(error.message) : error;
  }
}

function readUrlElicitRequest({ url, elicitationId }: UnknownRecord, message: string): UrlElicitRequest {
  if (!isString(url)) throw invalidElicitation('url must be a string');
  if (!isOptional(elicitationId, isString)) throw invalidElicitation('elicitationId must be a string');
  return { mode: 'url', message, url, ...(elicitationId !== undefined && { elicitationId }) };
}

/**
 * Completes and checks the answer to an elicitation: missing fields of an accepted form get their defaults (2025-11-25,
 * Client Features / Elicitation, "Requested Schema"). All other answers have no content.
 * @throws {PatchbayError} `invalidArguments` when the content does not fit the form
 */
export function completeElicitResult({ action, content }: ElicitResult, request: ElicitRequest): ElicitResult {
  if (action !== 'accept' || request.mode === 'url') return { action };
  const { requestedSchema } = request;
  // In the order of the form.
  const settled = new Map<string, FormContent[string] | undefined>(
    Object.entries(requestedSchema.properties).map(([name, property]) => [name, property.default]),
  );
  for (const [name, value] of Object.entries(content ?? {})) settled.set(name, value);
  const filled = Object.fromEntries([...settled].filter(([, value]) => value !== undefined)) as FormContent;
  const wrong = findWrongField(requestedSchema, filled);
  if (wrong !== undefined)
    throw new PatchbayError('invalidArguments', `The answer does not fit the form: "${wrong}" is missing or not valid`);
  return { action, content: filled };
}

function invalidElicitation(detail: string): JsonRpcError {
  return new JsonRpcError(ErrorCodes.invalidParams, `Invalid elicitation request: ${detail}`);
}
