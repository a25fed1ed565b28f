import { expect, onTestFinished } from 'vitest';
import { createSystemClock, type Clock } from '../../../src/base/clock.ts';
import type { HttpClient } from '../../../src/base/httpClient.ts';
import { createHttpModelGateway, httpModelId } from '../../../src/models/httpModelGateway.ts';
import type { ModelMaximums } from '../../../src/models/modelFetch.ts';
import { type ModelAnswer, type ModelApi, type ModelConnection, ModelError } from '../../../src/models/modelGateway.ts';
import { listRemoteModels, type RemoteModel } from '../../../src/models/remoteModels.ts';
import type { SamplingRequest } from '../../../src/protocol/mcp/sampling.ts';
import { createTestHttpClient } from '../../fixtures/httpClients.ts';
import { type EndpointScript, startModelEndpoint } from '../../fixtures/servers/modelEndpoint.mjs';

export type Endpoint = Awaited<ReturnType<typeof startModelEndpoint>>;

/** A real endpoint that does what its script says. */
export async function startEndpoint(script: EndpointScript): Promise<Endpoint> {
  const endpoint = await startModelEndpoint(script);
  onTestFinished(() => endpoint.stop());
  return endpoint;
}

export function createClient(): HttpClient {
  const http = createTestHttpClient();
  onTestFinished(() => http.dispose());
  return http;
}

export function connectionTo(origin: string, api: ModelApi, more: Partial<ModelConnection> = {}): ModelConnection {
  const baseUrl = `${origin}${api === 'gemini' ? '/v1beta' : '/v1'}`;
  return { id: 'it', name: 'Test model', api, baseUrl, model: 'test-model', ...more };
}

export interface AskOptions {
  readonly key?: string;
  readonly clock?: Clock;
  readonly maximums?: Partial<ModelMaximums>;
  readonly signal?: AbortSignal;
  readonly onText?: (text: string) => void;
}

/** Sends one request through a gateway of its own. */
export function ask(
  connection: ModelConnection,
  request: Partial<SamplingRequest> = {},
  { key, clock = createSystemClock(), maximums, signal, onText = () => {} }: AskOptions = {},
): Promise<ModelAnswer> {
  const gateway = createHttpModelGateway({
    connections: () => [connection],
    readKey: () => Promise.resolve(key),
    http: createClient(),
    clock,
    ...(maximums !== undefined && { maximums }),
  });
  const whole = { messages: [userText('Hello?')], maxTokens: 100, ...request };
  return gateway.generate(httpModelId(connection), whole, onText, signal ?? new AbortController().signal);
}

/** The models that an endpoint lists. */
export function list(origin: string, api: ModelApi, key?: string): Promise<readonly RemoteModel[]> {
  const { signal } = new AbortController();
  const ports = { http: createClient(), clock: createSystemClock(), signal };
  return listRemoteModels(connectionTo(origin, api), key, ports);
}

/** @returns the error with which a request fails */
export async function failure(asked: Promise<unknown>): Promise<ModelError> {
  try {
    await asked;
  } catch (error) {
    if (error instanceof ModelError) return error;
    throw error;
  }
  throw new Error('The request succeeded.');
}

/**
 * Asks an endpoint that gives these answers, and checks what the request fails with.
 * @param words in the message
 */
export async function expectFailure(
  api: ModelApi,
  answers: EndpointScript['answers'],
  kind: ModelError['kind'],
  words: string | RegExp,
  request?: Partial<SamplingRequest>,
  options?: AskOptions,
): Promise<{ readonly endpoint: Endpoint; readonly error: ModelError }> {
  const endpoint = await startEndpoint({ answers });
  const error = await failure(ask(connectionTo(endpoint.origin, api), request, options));
  expect([error.kind, error.message]).toEqual([kind, expect.stringMatching(words)]);
  return { endpoint, error };
}

export function userText(text: string): SamplingRequest['messages'][number] {
  return { role: 'user', content: [{ type: 'text', text }] };
}
