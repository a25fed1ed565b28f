import { beforeEach, describe, expect, it } from 'vitest';
import { Emitter } from '../../../../src/base/event.ts';
import { TrafficLog } from '../../../../src/client/trace/trafficLog.ts';
import type { ConfigurationService } from '../../../../src/host/configuration/configurationService.ts';
import { followLint } from '../../../../src/host/servers/followLint.ts';
import { lintInSlices } from '../../../../src/host/servers/lintInSlices.ts';
import type { HostServer } from '../../../../src/host/servers/serverRegistry.ts';
import { readToolsPage, type Tool } from '../../../../src/protocol/mcp/tools.ts';
import { createManualClock } from '../../../fixtures/manualClock.ts';
import { editor } from '../../../fixtures/vscode.ts';
import { running, sampleRegistry, sampleServer, session } from '../sampleServer.ts';

const tools = readToolsPage({
  tools: [
    { name: 'a.b', description: 'Does a.', inputSchema: { type: 'object', additionalProperties: false } },
    { name: 'c', inputSchema: { type: 'object' } },
  ],
}).items;
const text = '{\n  "servers": {\n    "demo": { "command": "node" }\n  }\n}\n';
const uri = 'file:///w/.vscode/mcp.json';
const range = { offset: text.indexOf('"demo"'), length: 6 };

const folder = { name: 'w', uri: 'file:///w', path: '/w' };

function follow(isOfWorkspace = true) {
  const clock = createManualClock();
  const changed = new Emitter<HostServer>();
  const server = sampleServer('demo', {
    state: running,
    session,
    contents: { tools },
    configured: {
      range,
      source: { kind: 'vscode', uri, folder: isOfWorkspace ? folder : undefined, title: 'mcp.json' },
    },
  });
  const registry = Object.assign(sampleRegistry(server), { onDidChangeAny: changed.event });
  const configuration = {
    snapshot: { files: new Map([[uri, { text }]]) },
    onDidChange: () => ({ dispose: () => {} }),
  };
  const traffic = async () => new TrafficLog(clock);
  const following = followLint(registry, configuration as unknown as ConfigurationService, traffic, clock);
  const list = (listed: readonly Tool[], state: object = running): void => {
    Object.assign(server.server, { contents: { ...server.server.contents, tools: listed }, state });
    changed.fire(server);
  };
  return { clock, following, list };
}

const problems = () => [...editor.diagnostics.values()].flat();

describe('what other hosts would do with a server', () => {
  beforeEach(() => {
    Object.assign(editor.defaults, { 'lint.problems': true });
  });

  it('is in the Problems view at its entry, without what has low weight, until it is corrected', async () => {
    const { clock, following, list } = follow();
    await clock.advance(2_000);
    expect(problems().map(({ message, severity }) => [severity, message.slice(0, 60)])).toEqual([
      [1, expect.stringContaining('“demo”, “a.b”: The name of a tool has other characters')],
      [2, expect.stringContaining('“demo”, “c”: A tool has no description. There is')],
    ]);
    expect(problems()[0]).toMatchObject({ code: { value: 'lint/tool-name-characters' }, range: { start: 2, end: 4 } });
    list(tools.slice(2));
    await clock.advance(2_000);
    expect(problems()).toEqual([]);
    list(tools);
    await clock.advance(2_000);
    list(tools, { kind: 'stopped' });
    await clock.advance(2_000);
    expect(problems()).toEqual([]);
    following.dispose();
  });

  it.each([
    ['a server that no file of the workspace configures', false, true],
    ['a person who has turned it off', true, false],
  ])('is not there for %s', async (_, isOfWorkspace, isOn) => {
    Object.assign(editor.defaults, { 'lint.problems': isOn });
    const { clock, following } = follow(isOfWorkspace);
    await clock.advance(2_000);
    expect(problems()).toEqual([]);
    following.dispose();
  });
});

it('a long list is looked at in slices, which end where another list has taken its place', async () => {
  let [now, turns] = [0, 0];
  const clock = Object.assign(createManualClock(), { now: () => (now += 5) });
  const facts = {
    label: 'a',
    tools: Array<Tool>(100).fill(tools[0] as Tool),
    prompts: [],
    resources: [],
    resourceTemplates: [],
  };
  const isCurrent = (): boolean => (turns += 1) < 10;
  expect(await lintInSlices(facts, clock, isCurrent)).toBeUndefined();
  expect(turns).toBe(10);
  expect((await lintInSlices(facts, clock))?.tokens).toHaveLength(100);
});
