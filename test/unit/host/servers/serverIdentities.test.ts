import { describe, expect, it } from 'vitest';
import type { Memento } from 'vscode';
import type { LaunchPlan } from '../../../../src/base/launchPlan.ts';
import { definitionIdentity } from '../../../../src/client/connection/launchIdentity.ts';
import type { ServerDefinition } from '../../../../src/config/serverDefinition.ts';
import { createServerIdentities } from '../../../../src/host/servers/serverMemory.ts';

function createState(): Memento & { stored?: unknown } {
  const state = {
    stored: undefined as unknown,
    keys: () => [],
    get: () => state.stored as undefined,
    update: async (_key: string, value: unknown) => void (state.stored = structuredClone(value)),
  };
  return state;
}

const stdio: LaunchPlan = { kind: 'stdio', command: 'node', args: ['a.js'], cwd: '/w', env: { TOKEN: 'one' } };
const remote: LaunchPlan = { kind: 'http', url: new URL('https://a.example/mcp'), headers: { Authorization: 'one' } };

const folder = (uri: string) => ({ name: 'w', uri, path: uri.slice('file://'.length) });
const sourceIn = (uri: string) =>
  ({ kind: 'vscode', uri: `${uri}/.vscode/mcp.json`, folder: folder(uri), title: '' }) as const;

function written(definition: ServerDefinition, uri = 'file:///w'): string {
  return definitionIdentity({ definition, source: sourceIn(uri) });
}

describe('the identity of a server', () => {
  const identities = createServerIdentities(createState());
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
    const state = createState();
    const identity = createServerIdentities(state).launched('definition', stdio);
    const next = createServerIdentities(state);
    expect(next.last('definition')).toBe(identity);
    expect(next.last('other')).not.toBe(identity);
    // An input may lead to another program: what is launched counts.
    const other = next.launched('definition', { ...stdio, args: ['b.js'] });
    expect([other === identity, next.last('definition')]).toEqual([false, other]);
  });

  it('is one of at most 200 that are remembered, and nothing else is read', () => {
    const state = createState();
    const identities = createServerIdentities(state);
    for (let index = 0; index < 210; index += 1) identities.launched(String(index), stdio);
    expect(Object.keys(state.stored as object)).toHaveLength(200);
    state.stored = { a: 1, b: null };
    expect(createServerIdentities(state).last('a')).toMatch(/^[0-9a-f]{32}$/);
    state.stored = 'no';
    expect(createServerIdentities(state).last('a')).toMatch(/^[0-9a-f]{32}$/);
  });
});
