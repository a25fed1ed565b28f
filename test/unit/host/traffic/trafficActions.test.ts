import { env } from 'vscode';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { LaunchPlan } from '../../../../src/base/launchPlan.ts';
import { TrafficLog } from '../../../../src/client/trace/trafficLog.ts';
import type { TrafficRow } from '../../../../src/client/trace/trafficRow.ts';
import { followSecrets } from '../../../../src/client/trace/tappedChannel.ts';
import { act, actionsOf, type TrafficActionPorts } from '../../../../src/host/traffic/trafficActions.ts';
import { findCall } from '../../../../src/host/traffic/trafficFeature.ts';
import { createManualClock } from '../../../fixtures/manualClock.ts';
import { editor } from '../../../fixtures/vscode.ts';
import { running, sampleRegistry, sampleServer } from '../sampleServer.ts';

const jsonrpc = '2.0';
const plan: LaunchPlan = { kind: 'stdio', command: 'x', args: [], cwd: undefined, env: { TOKEN: 'opensesame' } };

function setUp() {
  const clock = createManualClock();
  const log = new TrafficLog(clock);
  const tap = log.tap({ label: 'demo', plan, redactor: followSecrets(plan, () => undefined) });
  const host = sampleServer('demo', { state: running });
  const asked: unknown[] = [];
  const road =
    (name: string) =>
    async (...given: readonly unknown[]) =>
      void asked.push([name, ...given]);
  Object.assign(host.server, {
    readResource: road('read'),
    getPrompt: road('prompt'),
    ping: road('ping'),
    reloadList: road('list'),
  });
  const plans = new Map<string, LaunchPlan>([['demo', plan]]);
  const ports: TrafficActionPorts = {
    registry: sampleRegistry(host),
    knownSecrets: { plans },
    callAgain: async (target, args) => void asked.push([target, args]),
    showCall: vi.fn(async () => true),
    logs: { recent: () => [{ at: 0, text: '[info] one' }], channel: () => expect.unreachable() },
  };
  let id = 0;
  const add = (method: string, params: object): TrafficRow => {
    tap.message('sent', { jsonrpc, id: (id += 1), method, params });
    tap.message('received', { jsonrpc, id, result: { token: 'opensesame' } });
    log.read();
    return log.row(log.nextId - 1) ?? expect.unreachable();
  };
  return { clock, log, tap, ports, add, asked, plans };
}

describe('what can be done with a row of the traffic', () => {
  beforeEach(() => void editor.executed.splice(0));

  it('sends a request again by the road that Patchbay has for it, and offers it for no other', async () => {
    const { tap, log, ports, add, asked } = setUp();
    for (const row of [
      add('tools/call', { name: 'echo', arguments: { a: 1 } }),
      add('resources/read', { uri: 'a://b' }),
      add('prompts/get', { name: 'p', arguments: { b: 'c' } }),
      add('tools/list', {}),
      add('ping', {}),
    ]) {
      expect(actionsOf(row, ports)).toContain('again');
      await act(row, 'again', ports);
    }
    const by = { origin: 'person' };
    expect(asked).toEqual([
      [{ server: 'demo', identity: 'demo', tool: 'echo' }, { a: 1 }],
      ['read', 'a://b', by],
      ['prompt', 'p', { b: 'c' }, by],
      ['list', 'tools'],
      ['ping'],
    ]);
    tap.message('received', { jsonrpc, id: 1, method: 'tools/call', params: { name: 'echo' } });
    log.read();
    const fromServer = log.row(log.nextId - 1) ?? expect.unreachable();
    for (const row of [fromServer, add('initialize', {}), add('completion/complete', {})])
      expect(actionsOf(row, ports)).not.toContain('again');
  });

  it('sends nothing to another server that has the name now', async () => {
    const { ports, add, asked, plans } = setUp();
    const row = add('tools/call', { name: 'echo', arguments: { key: 'opensesame' } });
    plans.set('demo', { ...plan, command: 'other' });
    for (const action of ['again', 'edit'] as const)
      await expect(act(row, action, ports)).rejects.toThrow('is not the one that this was sent to');
    expect([asked, editor.executed]).toEqual([[], []]);
  });

  it('leads to the tool, to its tab with these arguments, to the call and to the log', async () => {
    const { clock, log, ports, add } = setUp();
    const at = clock.now();
    const row = add('tools/call', { name: 'echo', arguments: { a: 1 } });
    for (const action of ['tool', 'edit', 'log', 'call'] as const) await act(row, action, ports);
    expect(editor.executed).toEqual([
      ['patchbay.openTool', { server: 'demo', tool: 'echo' }],
      ['patchbay.openTool', { server: 'demo', tool: 'echo', arguments: { a: 1 } }],
      ['patchbay.openWhole', { title: 'demo.log', value: expect.any(Buffer) as Buffer }],
    ]);
    expect(ports.showCall).toHaveBeenCalledWith({ server: 'demo', tool: 'echo' }, at);
    expect(findCall(log, { server: 'demo', tool: 'echo' }, at)).toBe(row);
    expect(findCall(log, { server: 'demo', tool: 'echo' }, at - 10_000)).toBeUndefined();
  });

  it('copies messages without secrets', async () => {
    const { ports, add } = setUp();
    await act(add('tools/call', { name: 'echo' }), 'copyAnswer', ports);
    const copied = await env.clipboard.readText();
    expect(copied).toContain('••••••••');
    expect(copied).not.toContain('opensesame');
  });
});
