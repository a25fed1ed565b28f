import { PatchbayError } from '../../base/errors.ts';
import { contentProblem, type FormContent, type FormField, formProblem } from '../../base/formField.ts';
import { isOptional, isRecord, isString, type UnknownRecord } from '../../base/json.ts';
import type { RequestHandlerContext } from '../peer.ts';
import { invalidElicitation, readFormFields } from './elicitationForm.ts';
import { givenMembers } from './members.ts';
import type { JsonSchema } from './tools.ts';

/** A server asks the user to fill in a form (2025-11-25, Client / Elicitation). */
export interface FormElicitRequest {
  readonly mode: 'form';
  readonly message: string;
  /** The schema of a flat object of primitives. */
  readonly requestedSchema: JsonSchema;
  /** The fields of `requestedSchema`, checked. */
  readonly fields: readonly FormField[];
}

/** A server asks the user to visit a page (2025-11-25, Client / Elicitation). The URL is unchecked. */
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

/** The checked parameters of `elicitation/create`. */
export type ElicitRequest = FormElicitRequest | UrlElicitRequest;

/** The answer of the user. */
export interface ElicitResult {
  readonly action: 'accept' | 'decline' | 'cancel';
  /** Only for `accept` of a form. */
  readonly content?: FormContent;
}

/** What a handler of elicitations can use. */
export interface ElicitContext extends RequestHandlerContext {
  /** Resolves when the server reports that the visit is complete. Absent where the server cannot report it. */
  readonly completed?: Promise<void>;
  /** Aborted when the connection ends, also after the answer: then `completed` never resolves. */
  readonly ended?: AbortSignal;
}

/** Asks the user for a URL elicitation that one of our requests waits for. */
export type AskForVisit = (request: UrlElicitRequest, context: ElicitContext) => Promise<ElicitResult>;

/** Create one for each of our requests: it remembers the pages that the user has visited for it. */
export function createRequiredVisits(
  elicit: (request: ElicitRequest, context: ElicitContext) => Promise<ElicitResult>,
): AskForVisit {
  const visited = new Set<string>();
  return async (request, context) => {
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

/** Maximum characters of the message. */
const maximumMessage = 20_000;

/**
 * Reads the parameters of `elicitation/create`.
 * @throws {JsonRpcError} `-32602`, with the wrong member or field
 */
export function readElicitRequest(params: UnknownRecord): ElicitRequest {
  const given = givenMembers(params);
  const { mode = 'form', message, requestedSchema } = given;
  if (!isString(message)) throw invalidElicitation('message must be a string');
  if (message.length > maximumMessage) throw invalidElicitation('message is too long');
  if (mode === 'url') return readUrlElicitRequest(given, message);
  if (mode !== 'form') throw invalidElicitation('mode must be "form" or "url"');
  if (!isRecord(requestedSchema)) throw invalidElicitation('requestedSchema must be an object');
  return { mode, message, requestedSchema, fields: readFormFields(requestedSchema) };
}

function readUrlElicitRequest({ url, elicitationId }: UnknownRecord, message: string): UrlElicitRequest {
  if (!isString(url)) throw invalidElicitation('url must be a string');
  if (!isOptional(elicitationId, isString)) throw invalidElicitation('elicitationId must be a string');
  return { mode: 'url', message, url, ...(elicitationId !== undefined && { elicitationId }) };
}

/**
 * Completes and checks the answer to an elicitation: missing fields of an accepted form get their defaults (2025-11-25,
 * Client / Elicitation, "Requested Schema"). All other answers have no content.
 * @throws {PatchbayError} `invalidArguments` when the content does not fit the form
 */
export function settleElicitation({ action, content }: ElicitResult, request: ElicitRequest): ElicitResult {
  if (action !== 'accept' || request.mode === 'url') return { action };
  const { fields } = request;
  const settled = new Map<string, FormContent[string] | undefined>(
    fields.map((field) => [field.name, presetOf(field)]),
  );
  for (const [name, value] of Object.entries(content ?? {})) settled.set(name, value);
  const filled = Object.fromEntries([...settled].filter(([, value]) => value !== undefined)) as FormContent;
  const wrong = contentProblem(fields, filled);
  if (wrong !== undefined)
    throw new PatchbayError('invalidArguments', `The answer does not fit the form: "${wrong.name}": ${wrong.problem}`);
  return { action, content: filled };
}

/** The default of a field; `undefined` where its own schema does not allow it. */
function presetOf(field: FormField): FormField['default'] {
  return formProblem(field, field.default) === undefined ? field.default : undefined;
}
