import { describe, expect, it } from 'vitest';
import { createNullLogger } from '../../../../src/base/logger.ts';
import type { LaunchPlan } from '../../../../src/base/launchPlan.ts';
import { Emitter } from '../../../../src/base/event.ts';
import type { ManagedServer } from '../../../../src/client/server/managedServer.ts';
import type { ServerDefinition } from '../../../../src/config/serverDefinition.ts';
import { Mutes } from '../../../../src/client/mutes.ts';
import type { ServerState } from '../../../../src/client/server/server.ts';
import type { ConfiguredServer } from '../../../../src/config/configuredServer.ts';
import { allowQuestionsOnStart } from '../../../../src/host/consent/consentServices.ts';
import { createOpenQuestions } from '../../../../src/host/consent/openQuestions.ts';
import { Requesters } from '../../../../src/host/configuration/requester.ts';
import { SignInState } from '../../../../src/host/signIn/signIns.ts';
import { createDisabledServers } from '../../../../src/host/servers/disabledServers.ts';
import { type Connect, ServerRegistry } from '../../../../src/host/servers/serverRegistry.ts';
import { RecordedServers } from '../../../../src/host/servers/recordedServers.ts';
import { DevelopmentStates } from '../../../../src/host/servers/developmentStates.ts';
import { DebuggedServers } from '../../../../src/host/development/debuggedServers.ts';
import { ToolFaults } from '../../../../src/host/servers/toolFaults.ts';
import { describeServer } from '../../../../src/host/servers/serverStatus.ts';
import { sampleServer } from '../sampleServer.ts';
import { sampleState } from '../sampleState.ts';

const plan: LaunchPlan = { kind: 'stdio', command: 'x', args: [], cwd: '/', env: {} };

/** A registry of servers that a test changes by hand. */
function setUp(...servers: readonly ConfiguredServer[]) {
  const onDidChangeState = new Emitter<ServerState>();
  const onDidChange = new Emitter<void>();
  const silent = new Emitter<never>().event;
  const server = {
    ...sampleServer('a').server,
    state: { kind: 'stopped' } as ServerState,
    onDidChangeState: onDidChangeState.event,
    onDidChangeContents: silent,
    onDidChangeTasks: silent,
    onDidChangeResponsiveness: silent,
    onDidIgnoreOutput: silent,
  };
  let refusal: (() => unknown) | undefined;
  let prepare: (() => Promise<LaunchPlan>) | undefined;
  const configuration = { snapshot: { servers }, onDidChange: onDidChange.event };
  const questions = createOpenQuestions();
  const mutes = new Mutes({ record: () => {} }, createNullLogger);
  const disabled = createDisabledServers(sampleState(), () => registry.servers.map(({ configured }) => configured));
  const development = new DevelopmentStates();
  const toolFaults = new ToolFaults();
  const debugged = new DebuggedServers(() => Promise.reject(new Error('Nothing is started here.')));
  const known = { questions, mutes, toolFaults, development, debugged, recorded: new RecordedServers() };
  const flags = { ...known, signIns: new SignInState(), disabled };
  const requesters = new Requesters();
  const connect: Connect = (options) => {
    prepare ??= () => options.plan(new AbortController().signal);
    refusal ??= options.refusal;
    return server as unknown as ManagedServer;
  };
  let ask = async (): Promise<void> => {};
  const registry = new ServerRegistry(
    connect,
    configuration,
    async (_, requestedBy) => {
      if (requestedBy() !== 'nobody') await ask();
      return plan;
    },
    requesters,
    flags,
  );
  return {
    registry,
    requesters,
    whenAsked: (answer: () => Promise<void>) => (ask = answer),
    questions,
    mutes,
    turn: (state: ServerState) => {
      server.state = state;
      onDidChangeState.fire(state);
    },
    prepare: () => prepare?.(),
    disabled,
    refusal: () => refusal?.(),
    configure: (...next: readonly ConfiguredServer[]) => {
      configuration.snapshot = { servers: next };
      onDidChange.fire();
    },
  };
}

it.each<[ServerDefinition, ServerDefinition]>([
  [{ command: 'one' }, { command: 'other' }],
  [{ url: 'https://example.com/one' }, { url: 'https://example.com/other' }],
  [{ url: 'https://example.com' }, { url: 'https://example.com', headers: { 'X-Mode': 'other' } }],
])(
  'calls a server stale while it runs on an old definition, and not while it starts on the new one',
  async (old, changed) => {
    const { configured } = sampleServer('a', { configured: { definition: old } });
    const { registry, turn, prepare, configure } = setUp(configured);
    turn({ kind: 'starting' });
    await prepare();
    turn({ kind: 'running' });
    expect(registry.get('a')?.isStale).toBe(false);
    configure({ ...configured, definition: changed });
    expect(registry.get('a')?.isStale).toBe(true);
    turn({ kind: 'stopped' });
    turn({ kind: 'starting' });
    expect(registry.get('a')?.isStale).toBe(false);
  },
);

it('says of a start that waits for the person what it waits for, and for no longer', async () => {
  const { registry, requesters, whenAsked, turn, prepare } = setUp(sampleServer('a').configured);
  const host = registry.get('a');
  const seen: unknown[] = [];
  const look = (): void => void (host && seen.push(describeServer(host)));
  turn({ kind: 'starting' });
  await prepare();
  look();
  requesters.mark('a', 'person');
  registry.onDidChangeAny(look);
  whenAsked(async () => {});
  await prepare();
  whenAsked(() => Promise.reject(new Error('Not now')));
  await expect(prepare()).rejects.toThrow('Not now');
  const [asked, starting] = ['waiting for your answer', 'starting'];
  expect(seen).toEqual([starting, asked, starting, asked, starting]);
});

it('tells servers apart whose labels look alike', () => {
  const labels = ['github', 'gіthub', 'notes'];
  const { registry } = setUp(...labels.map((label) => sampleServer(label).configured));
  expect(registry.servers.map(({ lookAlike }) => lookAlike)).toEqual([
    undefined,
    'looks like “github”, has Cyrillic letters',
    undefined,
  ]);
  expect(registry.servers.map(describeServer)[1]).toMatch(/^looks like “github”, has Cyrillic letters · /);
});

it('lets a muted server ask again when a person starts it, not when it restarts by itself', () => {
  const { registry, mutes, turn } = setUp(sampleServer('a').configured);
  allowQuestionsOnStart(registry, mutes);
  const refuse = (what: 'questions' | 'calls'): void => {
    for (let refused = 0; refused < 3; refused += 1) mutes.recordDecision('a', what, false);
  };
  refuse('questions');
  expect(registry.get('a')?.isMuted).toBe(true);
  turn({ kind: 'starting', isRetry: true });
  turn({ kind: 'running' });
  expect(registry.get('a')?.isMuted).toBe(true);
  turn({ kind: 'starting' });
  expect(registry.get('a')?.isMuted).toBe(false);
  // Another extension may start a server: calls that it made stay refused.
  refuse('calls');
  turn({ kind: 'starting' });
  expect(registry.get('a')?.isMuted).toBe(true);
});

describe('a change of a server', () => {
  it('is told for its state and its flags, and not for a server that is not configured', () => {
    const { registry, questions, turn } = setUp(sampleServer('a').configured);
    const changes: unknown[] = [];
    registry.onDidChangeAny(({ server, isAsking }) => changes.push([server.state.kind, isAsking]));
    turn({ kind: 'starting' });
    const question = questions.add('a', () => {});
    questions.add('other', () => {});
    question.dispose();
    expect(changes).toEqual([
      ['starting', false],
      ['starting', true],
      ['starting', false],
    ]);
  });

  it('leaves the same object for the same label', () => {
    const { configured } = sampleServer('a');
    const { registry, configure } = setUp(configured);
    const before = registry.get('a');
    configure({ ...configured, definition: { command: 'other' } });
    expect(registry.get('a')).toBe(before);
    expect(before?.configured.definition).toEqual({ command: 'other' });
  });
});

it('draws a server again that is disabled, and no copy of it', async () => {
  const [{ configured }, copy] = [sampleServer('a'), sampleServer('b')];
  const { registry, disabled } = setUp(configured, copy.configured);
  const drawn: [string, boolean][] = [];
  registry.onDidChangeAny(({ label, isDisabled }) => drawn.push([label, isDisabled]));
  await disabled.set(configured, true);
  expect(drawn).toEqual([['a', true]]);
  expect(registry.get('b')?.isDisabled).toBe(false);
});

it('has a disabled server refuse every start, whoever asks, until it is enabled', async () => {
  const { configured } = sampleServer('a');
  const { registry, disabled, refusal } = setUp(configured);
  const changes: boolean[] = [];
  registry.onDidChangeAny(({ isDisabled }) => changes.push(isDisabled));
  await disabled.set(configured, true);
  expect(refusal()).toMatchObject({
    code: 'disabled',
    message: 'Server "a" is disabled in this workspace. Enable it to start it.',
  });
  await disabled.set(configured, false);
  expect(refusal()).toBeUndefined();
  expect(changes).toEqual([true, false]);
});
