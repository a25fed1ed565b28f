import { describe, expect, it } from 'vitest';
import { Emitter } from '../../../../src/base/event.ts';
import type { HostServer } from '../../../../src/host/servers/serverRegistry.ts';
import type { ConfigurationService } from '../../../../src/host/configuration/configurationService.ts';
import { followToolFaults, toolFault } from '../../../../src/host/servers/followToolFaults.ts';
import { ToolFaults } from '../../../../src/host/servers/toolFaults.ts';
import { readToolsPage, type Tool } from '../../../../src/protocol/mcp/tools.ts';
import { createManualClock } from '../../../fixtures/manualClock.ts';
import { editor } from '../../../fixtures/vscode.ts';
import { running, type Sample, sampleRegistry, sampleServer } from '../sampleServer.ts';

const read = (...tools: readonly object[]): readonly Tool[] => readToolsPage({ tools }).items;
const [missing, invalid, fine, omitted] = read(
  { name: 'missing' },
  { name: 'invalid', inputSchema: { type: 'object', properties: { city: { required: 'x' } } } },
  { name: 'fine', inputSchema: { type: 'object' }, outputSchema: { type: 'object' } },
  { name: 'omitted', omittedSchemas: ['inputSchema'] },
) as readonly [Tool, Tool, Tool, Tool];

const wrong = 'This tool\'s schema is invalid: "required" must be a list (at inputSchema.properties.city).';

describe('the fault of a tool', () => {
  it('says what is wrong, and where', () => {
    expect(toolFault(invalid)).toBe(wrong);
    expect(toolFault(missing)).toContain('has no "inputSchema"');
    expect([fine, omitted].map(toolFault)).toEqual([undefined, undefined]);
  });

  it('shows names of the server in one short line, with what cannot be seen written out', () => {
    const properties = { ['a\u202E\n'.repeat(1_000)]: { type: 'no' } };
    const text = toolFault({ name: 'x', inputSchema: { properties } }) ?? '';
    expect(text.length).toBeLessThan(400);
    expect(text).not.toMatch(/[\u202E\n]/);
  });
});

const text = '{\n  "servers": {\n    "demo": { "command": "node" }\n  }\n}\n';
const uri = 'file:///w/.vscode/mcp.json';
const range = { offset: text.indexOf('"demo"'), length: 6 };

function follow(sample: Sample) {
  const clock = createManualClock();
  const changed = new Emitter<HostServer>();
  const server = sampleServer('demo', { configured: { range }, ...sample });
  const faults = new ToolFaults();
  const registry = Object.assign(sampleRegistry(server), { onDidChangeAny: changed.event });
  const configuration = { snapshot: { files: new Map([[uri, { text }]]) }, onDidChange: () => ({ dispose: () => {} }) };
  const following = followToolFaults(registry, faults, configuration as unknown as ConfigurationService, clock);
  const list = (tools: readonly Tool[], state: object = running): void => {
    Object.assign(server.server, { contents: { ...server.server.contents, tools }, state });
    changed.fire(server);
  };
  return { clock, faults, following, list };
}

const problems = (): readonly string[] => [...editor.diagnostics.values()].flat().map(({ message }) => message);

describe('the faults in a list of tools', () => {
  it('are found after it is shown, and are in the Problems view at the entry of the server until they are corrected', async () => {
    const { clock, faults, following, list } = follow({
      state: running,
      contents: { tools: [missing, invalid, fine] },
    });
    expect(faults.of('demo').size).toBe(0);
    await clock.advance(1_000);
    expect([...faults.of('demo').keys()]).toEqual([missing, invalid]);
    await clock.advance(1_000);
    expect(problems()).toEqual([
      expect.stringContaining('“demo” offers the tool “missing”. This tool has no "inputSchema".'),
      `“demo” offers the tool “invalid”. ${wrong} Correct it in the server.`,
    ]);
    const [shown] = editor.diagnostics.get(uri) ?? [];
    expect(shown).toMatchObject({ severity: 1, range: { start: 2, end: 4, endLine: 2, endCharacter: 10 } });
    list([fine]);
    await clock.advance(2_000);
    expect([faults.of('demo').size, problems()]).toEqual([0, []]);
    list([invalid]);
    await clock.advance(2_000);
    expect(problems()).toHaveLength(1);
    list([], { kind: 'stopped' });
    await clock.advance(2_000);
    expect(problems()).toEqual([]);
    following.dispose();
  });

  it('are not looked for in what is only remembered, which has no schemas', async () => {
    const { clock, faults } = follow({ isRemembered: true, contents: { tools: [missing] } });
    await clock.advance(2_000);
    expect(faults.of('demo').size).toBe(0);
  });

  it('leave turns of the event loop for the rest in a long list, and are few in the Problems view', async () => {
    const tools = Array.from({ length: 10_000 }, () => ({ ...invalid }));
    const { clock, faults } = follow({ state: running, contents: { tools } });
    await clock.advance(1);
    expect(faults.of('demo').size).toBe(0);
    await expect.poll(() => faults.of('demo').size).toBe(10_000);
    await clock.advance(1_000);
    expect(problems()).toHaveLength(20);
  });
});
