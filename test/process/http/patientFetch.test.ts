import type { ServerResponse } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { createPatientFetch } from '../../../src/transport/http/patientFetch.ts';
import { answerAll, useHttp } from './httpHarness.ts';

const { serve } = useHttp();
const dispatcherKey = Symbol.for('undici.globalDispatcher.1');
void new Response();
const usual: unknown = Reflect.get(globalThis, dispatcherKey);

afterEach(() => void Reflect.set(globalThis, dispatcherKey, usual));

it('waits for a server that is silent for longer than the platform allows', async () => {
  const waiting: ServerResponse[] = [];
  const server = await serve((_request, response) => void waiting.push(response));
  const patient = createPatientFetch(fetch)(server.origin, {});
  const { constructor: Agent } = usual as { constructor: new (options: object) => object };
  Reflect.set(globalThis, dispatcherKey, new Agent({ headersTimeout: 1 }));
  await expect(fetch(server.origin)).rejects.toMatchObject({ cause: { code: 'UND_ERR_HEADERS_TIMEOUT' } });
  waiting.forEach((response) => response.end('late'));
  expect(await (await patient).text()).toBe('late');
});

it('stays as it is where the platform has another kind of agent', async () => {
  class Odd {
    readonly uri: string;
    constructor(options: { readonly uri?: string }) {
      if (options.uri === undefined) throw new TypeError('uri is missing');
      this.uri = options.uri;
    }
  }
  Reflect.set(globalThis, dispatcherKey, new Odd({ uri: 'x' }));
  expect(createPatientFetch(fetch)).toBe(fetch);
  Reflect.set(globalThis, dispatcherKey, undefined);
  expect(createPatientFetch(fetch)).toBe(fetch);
});

it('is used for every request', async () => {
  const server = await serve(answerAll);
  let init: object = {};
  const patient = createPatientFetch((url, given) => fetch(url, (init = given)));
  await patient(server.origin, { method: 'POST', body: '{}' });
  expect(init).toHaveProperty('dispatcher');
});
