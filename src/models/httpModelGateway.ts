import { linkAbort } from '../base/abort.ts';
import type { Clock } from '../base/clock.ts';
import type { HttpClient } from '../base/httpClient.ts';
import { modelLimits } from '../base/modelLimits.ts';
import { AnswerReader, findModelError } from './answerReader.ts';
import { createCall } from './callOptions.ts';
import { endpointOf } from './endpoint.ts';
import { type FailureContext, failureOf, type ModelContext, shownWords } from './modelFailures.ts';
import { type CallOptions, createLanguageModel, type StreamPart } from './languageModel.ts';
import { createModelFetch, type ModelMaximums } from './modelFetch.ts';
import {
  type ModelAnswer,
  type ModelConnection,
  ModelError,
  type ModelGateway,
  type ModelInfo,
} from './modelGateway.ts';

export interface HttpModelGatewayOptions {
  /** The models that a person has set up. Called for each use. */
  readonly connections: () => readonly ModelConnection[];
  /** @returns `undefined` for an endpoint that needs no key */
  readonly readKey: (connection: ModelConnection) => Promise<string | undefined>;
  readonly http: HttpClient;
  readonly clock: Clock;
  readonly maximums?: Partial<ModelMaximums>;
}

/** @returns the id in {@link ModelInfo.id} of a connection */
export function httpModelId(connection: Pick<ModelConnection, 'id'>): string {
  return `http:${connection.id}`;
}

/** Creates a gateway to models behind HTTP APIs. It sends each request once: a person decides about another try. */
export function createHttpModelGateway(options: HttpModelGatewayOptions): ModelGateway {
  return {
    list: async () => options.connections().flatMap(describeModel),
    async generate(id, request, onText, signal) {
      const connection = options.connections().find((other) => httpModelId(other) === id);
      if (connection === undefined) {
        throw new ModelError('notFound', `The model "${id}" no longer exists: choose another.`);
      }
      signal.throwIfAborted();
      const endpoint = endpointOf(connection);
      const call = createCall(request, connection, endpoint);
      const key = await options.readKey(connection);
      signal.throwIfAborted();
      const context = { endpoint, key, model: connection.model };
      return readAnswer(new AnswerReader(call, context, onText), call.options, context, signal, options);
    },
  };
}

/** Leaves out a connection whose address cannot be used. */
function describeModel(connection: ModelConnection): readonly ModelInfo[] {
  try {
    const { destination, vendor } = endpointOf(connection);
    const { name, model: family, contextTokens: maxInputTokens = 0, price, abilities } = connection;
    const known = { ...(price !== undefined && { price }), ...(abilities !== undefined && { abilities }) };
    return [{ id: httpModelId(connection), name, vendor, family, maxInputTokens, destination, ...known }];
  } catch (error) {
    if (error instanceof ModelError) return [];
    throw error;
  }
}

async function readAnswer(
  reader: AnswerReader,
  options: CallOptions,
  context: ModelContext,
  signal: AbortSignal,
  { http, clock, maximums }: HttpModelGatewayOptions,
): Promise<ModelAnswer> {
  const abort = linkAbort(signal);
  try {
    const fetch = createModelFetch({ http, clock, context, abort, maximums: { ...modelLimits.answer, ...maximums } });
    const model = await createLanguageModel(context.endpoint, context.model, fetch);
    const { stream } = await model.doStream(options);
    await readAll(stream, (part) => reader.read(part));
    signal.throwIfAborted();
    return reader.finish();
  } catch (error) {
    if (signal.aborted) throw signal.reason as Error;
    throw findModelError(error) ?? failureOfPackage(error, context);
  } finally {
    // Closes the connection where the answer ended, or failed, before its stream did.
    abort.abort();
    abort.dispose();
  }
}

async function readAll(stream: ReadableStream<StreamPart>, read: (part: StreamPart) => boolean): Promise<void> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || !read(value)) return;
    }
  } finally {
    // An error does not matter: the rest is not needed.
    reader.cancel().catch(() => {});
  }
}

/** Puts an error of a provider package into words. It is not the cause: it may have the whole request in it. */
function failureOfPackage(error: unknown, context: FailureContext): ModelError {
  const { title } = context.endpoint;
  if (!(error instanceof Error)) return new ModelError('failed', `${title} failed.`);
  const { statusCode, responseBody } = error as { statusCode?: unknown; responseBody?: unknown };
  // The packages throw errors at the beginning of a stream as if they were errors of HTTP, with a status of their own.
  if (typeof statusCode === 'number') return failureOf({ body: responseBody }, context);
  const words = shownWords(error.message, context.key);
  if (error.name === 'AI_UnsupportedFunctionalityError') {
    return new ModelError('unsupported', `The API of ${title} does not take everything in the request: ${words}`);
  }
  return new ModelError('failed', `${title} does not answer as its API says: ${words}`);
}
