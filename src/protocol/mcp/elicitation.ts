import { PatchbayError } from '../../base/errors.ts';
import { contentProblem, type FormContent, type FormField, formProblem } from '../../base/formField.ts';
import { isOptional, isRecord, isString, type UnknownRecord } from '../../base/json.ts';
import type { RequestHandlerContext } from '../peer.ts';
import { invalidElicitation, readFormFields } from './elicitationForm.ts';
import { givenMembers } from './members.ts';
import type { JsonSchema } from './tools.ts';

/** A server asks the user to fill in a few fields (client, "Elicitation"). */
export interface FormElicitRequest {
  readonly mode: 'form';
  readonly message: string;
  /** A flat object of primitives. */
  readonly requestedSchema: JsonSchema;
  /** What `requestedSchema` asks for, checked. */
  readonly fields: readonly FormField[];
}

/** A server asks the user to visit a page (since 2025-11-25). The address is unchecked. */
export interface UrlElicitRequest {
  readonly mode: 'url';
  readonly message: string;
  readonly url: string;
  readonly elicitationId?: string;
  /**
   * A request of ours waits, to be sent again when the visit is over: it was refused until then (`-32042`), or its answer
   * asks for input (2026-07-28). An `accept` then means that it is over, or that the user wants to try again. Otherwise an
   * `accept` says only that the user agreed to go there.
   */
  readonly isRequired?: true;
  /** The user was sent there for the same request of ours before, and the server asks for it still. */
  readonly wasVisited?: true;
}

export type ElicitRequest = FormElicitRequest | UrlElicitRequest;

export interface ElicitResult {
  readonly action: 'accept' | 'decline' | 'cancel';
  /** For `accept` of a form only. */
  readonly content?: FormContent;
}

export interface ElicitContext extends RequestHandlerContext {
  /** Resolves when the server says that the visit is over; never where it does not say. Absent where it cannot. */
  readonly completed?: Promise<void>;
  /** Aborted when the connection ends, also after the answer: nothing more is heard of the visit then. */
  readonly ended?: AbortSignal;
}

/** Asks for a visit that a request of ours waits for. */
export type AskForVisit = (request: UrlElicitRequest, context: ElicitContext) => Promise<ElicitResult>;

/** Made anew for each request of ours: it knows the pages that the user was sent to for it. */
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

/** Characters a person is expected to read. */
const maximumMessage = 20_000;

/**
 * Checks the parameters of `elicitation/create`.
 * @throws {JsonRpcError} `-32602`, naming the member or the field that is wrong
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
 * Makes an answer ready to be sent: what an accepted form leaves out gets its default (2025-11-25, "Requested Schema"),
 * and all of it is checked. Only the answer to a form has content.
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

/** A default its own field would not take helps nobody. */
function presetOf(field: FormField): FormField['default'] {
  return formProblem(field, field.default) === undefined ? field.default : undefined;
}
