import { describe, expect, it } from 'vitest';
import type { LaunchPlan } from '../../src/base/launchPlan.ts';
import { CancelledError } from '../../src/base/errors.ts';
import { isString, type UnknownRecord } from '../../src/base/json.ts';
import { createNullLogger } from '../../src/base/logger.ts';
import { ManagedServer } from '../../src/client/server/managedServer.ts';
import type { ClientFeaturePorts } from '../../src/client/serverRequests/serverRequestHandlers.ts';
import { JsonRpcError } from '../../src/protocol/jsonRpc.ts';
import { handshakeRevisions, isAtLeast, type protocolRevisions } from '../../src/protocol/session/revision.ts';
import { createManualClock, settle } from '../fixtures/manualClock.ts';
import { createProtocolSchema } from '../fixtures/protocolSchema.ts';
import { carefree, createTaskMemory, identitiesOf } from '../fixtures/scriptedManagedServer.ts';
import { createScriptedServer, type ScriptedServer } from '../fixtures/scriptedServer.ts';

const capabilities = {
  tools: { listChanged: true },
  resources: { subscribe: true },
  prompts: {},
  logging: {},
  completions: {},
};

const samplingParameters = { messages: [{ role: 'user', content: { type: 'text', text: 'hi' } }], maxTokens: 5 };

const elicitationParameters = {
  message: 'Who?',
  requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
};

const answerers: ClientFeaturePorts = {
  roots: () => [{ uri: 'file:///a', name: 'a' }],
  sampling: ({ systemPrompt }) => {
    if (systemPrompt === 'refuse') return Promise.reject(new JsonRpcError(-1, 'User rejected sampling request'));
    return Promise.resolve({
      role: 'assistant',
      content: [{ type: 'text', text: 'yes' }],
      model: 'm',
      stopReason: 'endTurn',
    });
  },
  elicitation: () => Promise.resolve({ action: 'accept', content: { name: 'x' } }),
};

/** Answers every method of every revision with the smallest valid result. */
function script(server: ScriptedServer): void {
  server.on('tools/list', ({ cursor }) => ({ tools: [], ...(cursor === undefined && { nextCursor: 'more' }) }));
  server.on('resources/list', () => ({ resources: [] }));
  server.on('resources/templates/list', () => ({ resourceTemplates: [] }));
  server.on('prompts/list', () => ({ prompts: [] }));
  server.on('tools/call', ({ name }) => (name === 'never' ? undefined : { content: [] }));
  server.on('resources/read', () => ({ contents: [] }));
  server.on('prompts/get', () => ({ messages: [] }));
  server.on('completion/complete', () => ({ completion: { values: [] } }));
  for (const method of ['ping', 'logging/setLevel', 'resources/subscribe', 'resources/unsubscribe']) {
    server.on(method, () => ({}));
  }
}

function connect(revision: (typeof protocolRevisions)[number]): { scripted: ScriptedServer; server: ManagedServer } {
  const isStateless = revision === '2026-07-28';
  const scripted = createScriptedServer({
    protocolVersion: revision,
    capabilities,
    ...(isStateless && { supportedVersions: [revision] }),
  });
  script(scripted);
  const plan: LaunchPlan = { kind: 'stdio', command: 'x', args: [], cwd: undefined, env: {} };
  const server = new ManagedServer({
    label: 'it',
    logger: createNullLogger(),
    definition: () => 'it',
    options: () => ({}),
    plan: () => Promise.resolve(plan),
    ports: {
      clientInfo: { name: 'patchbay', title: 'Patchbay', version: '1.0.0' },
      clock: createManualClock(),
      random: () => 0,
      audit: { record: () => {} },
      clientFeatures: answerers,
      identities: identitiesOf(plan),
      contentsMemory: { load: () => undefined, save: () => {} },
      strategies: { load: () => (isStateless ? 'stateless' : 'handshake'), save: () => {} },
      taskMemory: createTaskMemory(),
      toolCalls: carefree,
      createTransport: () => Promise.resolve(scripted.transport),
    },
  });
  return { scripted, server };
}

/** Calls every method of the client. */
async function useAll(server: ManagedServer, scripted: ScriptedServer): Promise<void> {
  await server.start();
  await server.callTool('t', { a: [1, { b: null }] });
  await server.readResource('a:b');
  await server.getPrompt('p', { x: 'y' });
  await server.complete({ type: 'ref/prompt', name: 'p' }, { name: 'x', value: '' }, { before: 'z' });
  await server.complete({ type: 'ref/resource', uri: 'a:{b}' }, { name: 'b', value: 'c' });
  await server.subscribe('a:b');
  await server.unsubscribe('a:b');
  await server.setLogLevel('warning');
  await server.ping();
  server.notifyRootsChanged();
  const controller = new AbortController();
  let cancelled: Promise<unknown> | undefined;
  await new Promise<void>((onSend) => {
    cancelled = server.callTool('never', {}, { signal: controller.signal, onSend }).catch(() => {});
  });
  controller.abort(new CancelledError());
  await cancelled;
  await settle();
  // Later revisions have no requests of servers, and no answers to them.
  if (server.session?.protocolVersion === '2026-07-28') return;
  await scripted.ask('ping', undefined, 'p');
  await scripted.ask('roots/list', undefined, 'r');
  await scripted.ask('sampling/createMessage', samplingParameters, 's');
  await scripted.ask('sampling/createMessage', { ...samplingParameters, systemPrompt: 'refuse' }, 'd');
  if (hasElicitation(server.session?.protocolVersion))
    await scripted.ask('elicitation/create', elicitationParameters, 'e');
  await scripted.ask('no/such/method', undefined, 'u');
}

function hasElicitation(revision = ''): boolean {
  return isAtLeast(revision, '2025-06-18');
}

describe.each(handshakeRevisions)('every message sent in %s', (revision) => {
  const schema = createProtocolSchema(revision);
  const errorDefinition = revision === '2025-11-25' ? 'JSONRPCErrorResponse' : 'JSONRPCError';

  function definitionsOf(message: UnknownRecord): [string, unknown][] {
    if ('error' in message) return [[errorDefinition, message]];
    if ('result' in message)
      return [
        ['ClientResult', message['result']],
        ['JSONRPCMessage', message],
      ];
    return [[message['id'] === undefined ? 'ClientNotification' : 'ClientRequest', message]];
  }

  it('is what the schema of that revision says [sent-messages-valid] [json-rpc]', async () => {
    const { scripted, server } = connect(revision);
    await useAll(server, scripted);
    const faults = scripted.sent.flatMap((message) =>
      definitionsOf(message).flatMap(([definition, value]) => {
        const found = schema.faultsOf(definition, value);
        return found.length === 0 ? [] : [{ message, definition, found }];
      }),
    );
    expect(faults).toEqual([]);
  });

  it('covers every method and answer there is', async () => {
    const { scripted, server } = connect(revision);
    await useAll(server, scripted);
    const methods = new Set(scripted.sent.map(({ method }) => method).filter(isString));
    expect([...methods].toSorted((one, other) => one.localeCompare(other))).toEqual([
      'completion/complete',
      'initialize',
      'logging/setLevel',
      'notifications/cancelled',
      'notifications/initialized',
      'notifications/roots/list_changed',
      'ping',
      'prompts/get',
      'prompts/list',
      'resources/list',
      'resources/read',
      'resources/subscribe',
      'resources/templates/list',
      'resources/unsubscribe',
      'tools/call',
      'tools/list',
    ]);
    expect(scripted.sent.filter((message) => 'result' in message)).toHaveLength(hasElicitation(revision) ? 4 : 3);
    expect(scripted.sent.filter((message) => 'error' in message)).toHaveLength(2);
  });
});

describe('every message sent in 2026-07-28', () => {
  const schema = createProtocolSchema('2026-07-28');
  const inputRequests = {
    roots: { method: 'roots/list' },
    sampling: { method: 'sampling/createMessage', params: samplingParameters },
    elicitation: { method: 'elicitation/create', params: elicitationParameters },
  };

  it('is what the schema says, and no method is left out', async () => {
    const { scripted, server } = connect('2026-07-28');
    scripted.on('subscriptions/listen', (_params, id) => {
      const meta = { 'io.modelcontextprotocol/subscriptionId': id };
      scripted.notify('notifications/subscriptions/acknowledged', { _meta: meta });
    });
    scripted.on('tools/call', ({ name, inputResponses }) => {
      if (name === 'never') return undefined;
      return inputResponses === undefined
        ? { resultType: 'input_required', inputRequests, requestState: 'state' }
        : { resultType: 'complete', content: [] };
    });
    await useAll(server, scripted);
    const faults = scripted.sent.flatMap((message) => {
      const definition = message['id'] === undefined ? 'ClientNotification' : 'ClientRequest';
      const found = schema.faultsOf(definition, message);
      return found.length === 0 ? [] : [{ message, found }];
    });
    expect(faults).toEqual([]);
    const methods = new Set(scripted.sent.map(({ method }) => method).filter(isString));
    expect([...methods].toSorted((one, other) => one.localeCompare(other))).toEqual([
      'completion/complete',
      'notifications/cancelled',
      'prompts/get',
      'prompts/list',
      'resources/list',
      'resources/read',
      'resources/templates/list',
      'server/discover',
      'subscriptions/listen',
      'tools/call',
      'tools/list',
    ]);
    expect(JSON.stringify(scripted.sent)).toContain('"action":"accept","content":{"name":"x"}');
  });
});
