import { describe, expect, it } from 'vitest';
import type { LaunchPlan } from '../../../../src/base/launchPlan.ts';
import { limits } from '../../../../src/base/limits.ts';
import { definitionIdentity } from '../../../../src/client/connection/launchIdentity.ts';
import { type Contents, emptyContents } from '../../../../src/client/contents.ts';
import { summarizeContents } from '../../../../src/client/lists/contentsMemory.ts';
import type { ServerDefinition } from '../../../../src/config/serverDefinition.ts';
import {
  createRememberedContents,
  createRememberedTasks,
  createServerIdentities,
} from '../../../../src/host/servers/serverMemory.ts';
import { createManualClock } from '../../../fixtures/manualClock.ts';
import { sampleState } from '../sampleState.ts';

const { remembered: maximum } = limits;

const stdio: LaunchPlan = { kind: 'stdio', command: 'node', args: ['a.js'], cwd: '/w', env: { TOKEN: 'one' } };
const remote: LaunchPlan = { kind: 'http', url: new URL('https://a.example/mcp'), headers: { Authorization: 'one' } };

const folder = (uri: string) => ({ name: 'w', uri, path: uri.slice('file://'.length) });
const sourceIn = (uri: string) =>
  ({ kind: 'vscode', uri: `${uri}/.vscode/mcp.json`, folder: folder(uri), title: '' }) as const;

function written(definition: ServerDefinition, uri = 'file:///w'): string {
  return definitionIdentity({ definition, source: sourceIn(uri) });
}

describe('the identity of a server', () => {
  const identities = createServerIdentities(sampleState());
  const of = (plan: LaunchPlan): string => identities.launched('it', plan);

  it('says nothing of secrets', () => {
    expect([of(stdio), of(remote)].join(' ')).toMatch(/^[0-9a-f]{32} [0-9a-f]{32}$/);
  });

  it('stays with other values of variables and headers, another name, and other ways to start the same program', () => {
    expect(of({ ...stdio, env: { TOKEN: 'two' }, label: 'other', program: '/usr/bin/node' })).toBe(of(stdio));
    expect(of({ ...remote, headers: { Authorization: 'two' } })).toBe(of(remote));
  });

  it.each([
    ['command', { ...stdio, command: 'bun' }],
    ['argument', { ...stdio, args: ['b.js'] }],
    ['number of arguments', { ...stdio, args: ['a.js', ''] }],
    ['working folder', { ...stdio, cwd: '/other' }],
    ['variable', { ...stdio, env: { TOKEN: 'one', NODE_OPTIONS: '' } }],
    ['variable that is removed', { ...stdio, env: { TOKEN: 'one', HOME: null } }],
    ['kind', remote],
    ['address', { ...remote, url: new URL('https://a.example/other') }],
    ['socket', { ...remote, socketPath: '/s' }],
    ['header', { ...remote, headers: { ...remote.headers, Host: 'a' } }],
  ])('is another one with another %s', (_what, plan) => {
    expect([of(stdio), of(remote)].filter((known) => known === of(plan))).toHaveLength(plan === remote ? 1 : 0);
    expect(plan === remote ? of(stdio) : of(plan)).not.toBe(of(remote));
  });
});

describe('the definition of a server', () => {
  const one: ServerDefinition = { command: 'node', args: ['${workspaceFolder}/a.js'], env: { A: '1', B: '2' } };

  it('is the same with other values of variables, another order, and other options', () => {
    const same: ServerDefinition = {
      env: { B: '3', A: '4' },
      args: [...(one.args ?? [])],
      command: 'node',
      type: 'stdio',
    };
    expect(written({ ...same, patchbay: { trace: true } })).toBe(written(one));
  });

  it('is another one in another folder, and with other members', () => {
    const others = [
      written(one, 'file:///other'),
      written({ ...one, command: 'bun' }),
      written({ ...one, args: [] }),
      written({ ...one, cwd: 'sub' }),
      written({ ...one, envFile: '.env' }),
      written({ ...one, env: { A: '1' } }),
      written({ url: 'https://a.example' }),
      written({ url: 'https://a.example', headers: { Host: 'b' } }),
    ];
    expect(new Set([written(one), ...others]).size).toBe(others.length + 1);
  });

  it('has the identity of its last launch, in the next window too', () => {
    const state = sampleState();
    const identity = createServerIdentities(state).launched('definition', stdio);
    const next = createServerIdentities(state);
    expect(next.last('definition')).toBe(identity);
    expect(next.last('other')).not.toBe(identity);
    // An input may lead to another program: what is launched counts.
    const other = next.launched('definition', { ...stdio, args: ['b.js'] });
    expect([other === identity, next.last('definition')]).toEqual([false, other]);
  });

  it('is one of at most 200 that are remembered, and nothing else is read', () => {
    const key = 'patchbay.identities';
    const state = sampleState();
    const known = createServerIdentities(state);
    for (let index = 0; index < 210; index += 1) known.launched(String(index), stdio);
    expect(Object.keys(state.values[key] as object)).toHaveLength(200);
    state.values[key] = { a: 1, b: null };
    expect(createServerIdentities(state).last('a')).toMatch(/^[0-9a-f]{32}$/);
    state.values[key] = 'no';
    expect(createServerIdentities(state).last('a')).toMatch(/^[0-9a-f]{32}$/);
  });
});

const task = { id: 't1', tool: 'add', since: 5 };

describe('the tasks that are kept', () => {
  it('are there for the next window, each server its own', () => {
    const state = sampleState();
    createRememberedTasks(state).save('a', { server: 's', tasks: [task] });
    createRememberedTasks(state).save('b', { server: 's', tasks: [] });
    expect(createRememberedTasks(state).load('a')).toEqual({ server: 's', tasks: [task] });
    expect(createRememberedTasks(state).load('b')).toBeUndefined();
    createRememberedTasks(state).save('a', { server: 's', tasks: [] });
    expect(state.values['patchbay.tasks']).toEqual({});
  });

  it.each([undefined, 7, { a: 7 }, { a: { server: 1, tasks: [] } }, { a: { server: 's', tasks: {} } }])(
    'are none where %j is stored',
    (stored) => expect(createRememberedTasks(sampleState({ 'patchbay.tasks': stored })).load('a')).toBeUndefined(),
  );

  it('are those of the stored ones that can be used, and the latest hundred', () => {
    const state = sampleState({
      'patchbay.tasks': { a: { server: 's', tasks: [task, null, { ...task, since: 'x' }] } },
    });
    const memory = createRememberedTasks(state);
    expect(memory.load('a')?.tasks).toEqual([task]);
    const tasks = Array.from({ length: 150 }, (_, index) => ({ ...task, id: `t${index}` }));
    memory.save('a', { server: 's', tasks });
    expect(memory.load('a')?.tasks).toEqual(tasks.slice(50));
  });

  it('are kept with the keys of their latest answers, long ones left out', () => {
    const memory = createRememberedTasks(
      sampleState({ 'patchbay.tasks': { a: { server: 's', tasks: [{ ...task, answered: [7] }] } } }),
    );
    expect(memory.load('a')?.tasks).toEqual([]);
    const keys = Array.from({ length: 150 }, (_, index) => `k${index}`);
    memory.save('a', { server: 's', tasks: [{ ...task, answered: [...keys, 'x'.repeat(101)] }] });
    expect(memory.load('a')?.tasks).toEqual([{ ...task, answered: keys.slice(50) }]);
  });
});

const hostile: Contents = {
  tools: Array.from({ length: 50 }, (_, index) => ({
    name: index < 10 ? `tool ${index}` : `${index}${'n'.repeat(2_000_000)}`,
    title: 't'.repeat(100_000),
    description: 'd'.repeat(100_000),
    inputSchema: {},
  })),
  resources: Array.from({ length: 500 }, (_, index) => ({ name: `${index}`, uri: `x:${index}${'u'.repeat(1_900)}` })),
  resourceTemplates: [{ name: 'long', uriTemplate: 'x'.repeat(1_000_000) }],
  prompts: [{ name: 'p', arguments: Array.from({ length: 10_000 }, () => ({ name: 'a'.repeat(500) })) }],
  skills: [],
};

describe('what is remembered of a server', () => {
  it('is bounded, whatever the server names things', () => {
    const summary = summarizeContents(hostile);
    expect(JSON.stringify(summary).length).toBeLessThanOrEqual(maximum.server);
    expect(summary.tools.map(({ name }) => name)).toEqual(Array.from({ length: 10 }, (_, index) => `tool ${index}`));
    expect(summary.tools[0]?.title?.length).toBeLessThan(maximum.text + 50);
    expect(summary.resources.length).toBeGreaterThan(50);
    expect(summary.resourceTemplates).toEqual([]);
  });

  it('is bounded for all servers together, the last listed first', () => {
    const state = sampleState();
    const memory = createRememberedContents(state, createManualClock());
    const remembered = { contents: summarizeContents(hostile), listedAt: 1 };
    for (let index = 0; index < 50; index += 1) memory.save(`server ${index}`, remembered);
    memory.save('server 3', remembered);
    memory.dispose();
    const stored = state.values['patchbay.contents'] as object;
    expect(JSON.stringify(stored).length).toBeLessThanOrEqual(maximum.all * 1.01);
    expect(Object.keys(stored)).toEqual(['server 49', 'server 3']);
  });

  it('is forgotten where an older version kept too much, or no date', () => {
    const fine = { contents: emptyContents, listedAt: 1 };
    const state = sampleState({
      'patchbay.contents': { huge: { contents: hostile, listedAt: 1 }, undated: emptyContents, fine },
    });
    const memory = createRememberedContents(state, createManualClock());
    expect(memory.load('huge')).toBeUndefined();
    expect(memory.load('undated')).toBeUndefined();
    expect(memory.load('fine')).toEqual(fine);
  });
});
