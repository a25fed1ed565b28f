import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createNullLogger } from '../../../../src/base/logger.ts';
import type { LaunchPlan } from '../../../../src/base/launchPlan.ts';
import { Emitter } from '../../../../src/base/event.ts';
import type { ClientManager } from '../../../../src/client/server/clientManager.ts';
import type { ServerDefinition } from '../../../../src/config/serverDefinition.ts';
import { createQuestionMutes } from '../../../../src/client/serverRequests/questionMutes.ts';
import type { ServerState } from '../../../../src/client/server/server.ts';
import { allowQuestionsOnStart } from '../../../../src/host/consent/consentServices.ts';
import { createOpenQuestions } from '../../../../src/host/consent/openQuestions.ts';
import { createRequesters } from '../../../../src/host/configuration/requester.ts';
import { createSignInState } from '../../../../src/host/signIn/signIns.ts';
import { createServerRegistry, type ServerRegistry } from '../../../../src/host/servers/serverRegistry.ts';
import { describeServer } from '../../../../src/host/servers/serverStatus.ts';
import { createServerViewModels, type ServerViewModels } from '../../../../src/host/servers/serverViewModels.ts';
import { sampleServer } from '../sampleServer.ts';

const plan: LaunchPlan = { kind: 'stdio', command: 'x', args: [], cwd: '/', env: {} };

function viewModelsOf(
  registry: ServerRegistry,
  mutes = createQuestionMutes({ record: () => {} }, createNullLogger),
): ServerViewModels {
  const traces = { isOn: () => false, onDidChange: new Emitter<never>().event };
  return createServerViewModels(registry, {
    traces,
    questions: createOpenQuestions(),
    mutes,
    signIns: createSignInState(),
  });
}

it.each<[ServerDefinition, ServerDefinition]>([
  [{ command: 'one' }, { command: 'other' }],
  [{ url: 'https://example.com/one' }, { url: 'https://example.com/other' }],
  [{ url: 'https://example.com' }, { url: 'https://example.com', headers: { 'X-Mode': 'other' } }],
])(
  'calls a server stale while it runs on an old definition, and not while it starts on the new one',
  async (old, changed) => {
    const onDidChangeState = new Emitter<ServerState>();
    const server = {
      ...sampleServer('a').server,
      onDidChangeState: onDidChangeState.event,
      onDidChangeContents: new Emitter<never>().event,
      onDidChangeTasks: new Emitter<never>().event,
      onDidChangeResponsiveness: new Emitter<never>().event,
      state: { kind: 'stopped' } as ServerState,
    };
    let prepare: (() => Promise<LaunchPlan>) | undefined;
    const manager = {
      configure: ([first]: Parameters<ClientManager['configure']>[0]) =>
        (prepare = () => first?.plan(new AbortController().signal) ?? Promise.resolve(plan)),
      get: () => server,
    } as unknown as ClientManager;
    const onDidChangeConfiguration = new Emitter<void>();
    let { configured } = sampleServer('a', { configured: { definition: old } });
    const registry = createServerRegistry({
      manager,
      configured: () => [configured],
      onDidChangeConfiguration: onDidChangeConfiguration.event,
      plan: async () => plan,
      requesters: createRequesters(),
    });
    const turn = (kind: 'starting' | 'running' | 'stopped'): void => {
      server.state = { kind };
      onDidChangeState.fire(server.state);
    };

    turn('starting');
    await prepare?.();
    turn('running');
    expect(registry.get('a')?.isStale).toBe(false);
    configured = { ...configured, definition: changed };
    onDidChangeConfiguration.fire();
    expect(registry.get('a')?.isStale).toBe(true);
    turn('stopped');
    turn('starting');
    expect(registry.get('a')?.isStale).toBe(false);
  },
);

it('tells servers apart whose labels look alike', () => {
  const labels = ['github', 'gіthub', 'notes'];
  const silent = new Emitter<never>().event;
  const manager = {
    configure: () => {},
    get: (label: string) => ({
      ...sampleServer(label).server,
      onDidChangeState: silent,
      onDidChangeContents: silent,
      onDidChangeTasks: silent,
      onDidChangeResponsiveness: silent,
    }),
  } as unknown as ClientManager;
  const registry = createServerRegistry({
    manager,
    configured: () => labels.map((label) => sampleServer(label).configured),
    onDidChangeConfiguration: silent,
    plan: async () => plan,
    requesters: createRequesters(),
  });
  expect(registry.servers.map(({ lookAlike }) => lookAlike)).toEqual([
    undefined,
    'looks like “github”, has Cyrillic letters',
    undefined,
  ]);
  expect(viewModelsOf(registry).servers.map(describeServer)[1]).toMatch(
    /^looks like “github”, has Cyrillic letters · /,
  );
});

it('lets a muted server ask again when it is started anew, not when it restarts by itself', () => {
  const onDidChangeState = new Emitter<ServerState>();
  const silent = new Emitter<never>().event;
  const server = {
    ...sampleServer('a').server,
    onDidChangeState: onDidChangeState.event,
    onDidChangeContents: silent,
    onDidChangeTasks: silent,
    onDidChangeResponsiveness: silent,
  };
  const mutes = createQuestionMutes({ record: () => {} }, createNullLogger);
  const registry = createServerRegistry({
    manager: { configure: () => {}, get: () => server } as unknown as ClientManager,
    configured: () => [sampleServer('a').configured],
    onDidChangeConfiguration: silent,
    plan: async () => plan,
    requesters: createRequesters(),
  });
  const viewModels = viewModelsOf(registry, mutes);
  allowQuestionsOnStart(registry, mutes);
  for (let refused = 0; refused < 3; refused += 1) mutes.recordDecision('a', false);
  expect(viewModels.get('a')?.isMuted).toBe(true);
  onDidChangeState.fire({ kind: 'starting', isRetry: true });
  onDidChangeState.fire({ kind: 'running' });
  expect(viewModels.get('a')?.isMuted).toBe(true);
  onDidChangeState.fire({ kind: 'starting' });
  expect(viewModels.get('a')?.isMuted).toBe(false);
});

describe('createServerViewModels', () => {
  function setUp() {
    const onDidChangeState = new Emitter<ServerState>();
    const silent = new Emitter<never>().event;
    const server = {
      ...sampleServer('a').server,
      onDidChangeState: onDidChangeState.event,
      onDidChangeContents: silent,
      onDidChangeTasks: silent,
      onDidChangeResponsiveness: silent,
    };
    const registry = createServerRegistry({
      manager: { configure: () => {}, get: () => server } as unknown as ClientManager,
      configured: () => [sampleServer('a').configured],
      onDidChangeConfiguration: silent,
      plan: async () => plan,
      requesters: createRequesters(),
    });
    const questions = createOpenQuestions();
    const mutes = createQuestionMutes({ record: () => {} }, createNullLogger);
    const signIns = createSignInState();
    const traces = { isOn: () => false, onDidChange: silent };
    const viewModels = createServerViewModels(registry, { traces, questions, mutes, signIns });
    const changes: boolean[] = [];
    viewModels.onDidChangeAny(({ isAsking }) => changes.push(isAsking));
    const start = (): void => onDidChangeState.fire({ kind: 'starting' });
    return { viewModels, questions, changes, start };
  }

  it('fires once for all that changes of a server in one turn, whichever comes first', async () => {
    const { questions, changes, start } = setUp();
    const question = questions.add('a', () => {});
    start();
    await setTimeout();
    expect(changes).toEqual([true]);
    start();
    question.dispose();
    await setTimeout();
    expect(changes).toEqual([true, false]);
  });

  it('fires when only a flag changes, and not for a server that is not configured', async () => {
    const { questions, changes } = setUp();
    questions.add('a', () => {});
    questions.add('other', () => {});
    await setTimeout();
    expect(changes).toEqual([true]);
  });

  it('yields the same object for the same server', () => {
    const { viewModels } = setUp();
    expect(viewModels.get('a')).toBe(viewModels.servers[0]);
    expect(viewModels.get('a')?.label).toBe('a');
  });
});
