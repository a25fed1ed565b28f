import { describe, expect, it } from 'vitest';
import type { LaunchPlan } from '../../../../src/base/launchPlan.ts';
import { toHar, toTrafficLine } from '../../../../src/client/trace/trafficExport.ts';
import { TrafficLog } from '../../../../src/client/trace/trafficLog.ts';
import { trafficText } from '../../../../src/client/trace/trafficText.ts';
import { TrafficView } from '../../../../src/client/trace/trafficView.ts';
import { followSecrets } from '../../../../src/client/trace/tappedChannel.ts';
import { createManualClock } from '../../../fixtures/manualClock.ts';

const jsonrpc = '2.0';

async function setUp(bounds?: ConstructorParameters<typeof TrafficLog>[1]) {
  const clock = createManualClock();
  const log = new TrafficLog(clock, bounds);
  const url = new URL('https://example.com/path?key=opensesame');
  const local: LaunchPlan = { kind: 'stdio', command: 'x', args: [], cwd: undefined, env: { TOKEN: 'opensesame' } };
  const remote: LaunchPlan = { kind: 'http', url, headers: { Authorization: 'Bearer opensesame' } };
  const connect = (label: string, plan: LaunchPlan) =>
    log.tap({ label, plan, redactor: followSecrets(plan, () => undefined) });
  const [demo, web] = [connect('demo', local), connect('web server', remote)];
  const ask = async (tap: typeof demo, id: number, method: string, params: object, answer: object, ms = 1) => {
    tap.message('sent', { jsonrpc, id, method, params });
    await clock.advance(ms);
    tap.message('received', { jsonrpc, id, ...answer });
  };
  await ask(demo, 1, 'tools/call', { name: 'echo', arguments: { text: 'Lisbon' } }, { result: { content: [] } }, 5);
  await ask(demo, 2, 'ping', {}, { result: {} });
  await ask(web, 1, 'tools/call', { name: 'add' }, { result: { isError: true } }, 300);
  await ask(web, 2, 'resources/read', { uri: 'a://b?t=opensesame' }, { error: { code: -32002, message: 'none' } }, 20);
  demo.message('received', { jsonrpc, method: 'notifications/message', params: { data: 'opensesame' } });
  const view = new TrafficView(log);
  const shown = (filter: string, options: { showsPings?: boolean; sort?: 'time' | 'slowest' } = {}) => {
    view.set({ filter, showsPings: false, sort: 'time', ...options });
    while (view.update());
    return view.ids(0, 100).flatMap((id) => {
      const row = log.row(id);
      return row === undefined || row.kind === 'note' ? [] : [row.subject ?? row.method];
    });
  };
  return { clock, log, demo, web, ask, view, shown };
}

const [echo, add, read, message] = ['echo', 'add', 'a://b?t=opensesame', 'notifications/message'];

describe('the filter of the traffic', () => {
  it.each<[string, readonly string[]]>([
    ['', [echo, add, read, message]],
    ['server:demo', [echo, message]],
    ['server:"web server"', [add, read]],
    ['method:tools/', [echo, add]],
    ['method:PING', ['ping']],
    ['tool:ech', [echo]],
    ['status:error', [add, read]],
    ['status:-32002', [read]],
    ['-status:error -method:notifications', [echo]],
    ['text:lisbon', [echo]],
    ['server:web add', [add]],
    ['notification', [message]],
    ['server: -', [echo, add, read, message]],
  ])('%s', async (filter, expected) => {
    expect((await setUp()).shown(filter)).toEqual(expected);
  });

  it('hides pings that are well, and puts the slowest first', async () => {
    const { shown, demo } = await setUp();
    expect(shown('', { showsPings: true })).toContain('ping');
    expect(shown('', { sort: 'slowest' })).toEqual([add, read, echo, message]);
    demo.message('sent', { jsonrpc, id: 7, method: 'ping' });
    demo.end({ kind: 'requested' });
    expect(shown('')).toContain('ping');
  });

  it('follows rows that come, change and go, in steps', async () => {
    const { log, view, demo, shown } = await setUp({ bytes: 1e9, rows: 30_000, message: 1e6, large: 1e6 });
    expect(shown('status:pending')).toEqual([]);
    demo.message('sent', { jsonrpc, id: 8, method: 'slow' });
    expect([view.update(), view.count]).toEqual([false, 1]);
    const [id = 0] = view.ids(0, 1);
    expect([view.indexOf(id), view.indexOf(1)]).toEqual([0, -1]);
    demo.message('received', { jsonrpc, id: 8, result: {} });
    view.update();
    expect(view.count).toBe(0);
    view.set({ filter: '', showsPings: true, sort: 'time' });
    for (let count = 0; count < 50_000; count += 1) demo.message('received', { jsonrpc, method: 'flood' });
    expect(view.update()).toBe(true);
    expect(view.update()).toBe(false);
    expect([view.count, view.ids(0, 1)]).toEqual([30_000, [log.firstId]]);
    for (let count = 0; count < 10; count += 1) demo.message('received', { jsonrpc, method: 'flood' });
    view.update();
    expect([view.count, view.removed]).toEqual([30_000, 10]);
  });
});

describe('the traffic in a file', () => {
  it('is a line of JSON for each row, without secrets', async () => {
    const { log } = await setUp();
    const lines = [...log.from(log.firstId)].map((row) => JSON.parse(toTrafficLine(row)) as Record<string, unknown>);
    expect(lines.find(({ status }) => status === 'tool error')).toMatchObject({
      server: 'web server',
      peer: 'server',
      direction: 'sent',
      kind: 'request',
      method: 'tools/call',
      durationMs: 300,
      request: { params: { name: 'add' } },
      answer: { result: { isError: true } },
    });
    expect(JSON.stringify(lines)).not.toContain('opensesame');
  });

  it('is an archive that HAR 1.2 describes, without secrets', async () => {
    const { log, demo } = await setUp();
    demo.message('sent', { jsonrpc, id: 9, method: 'never' });
    const text = [...toHar(log.from(log.firstId), { name: 'patchbay', version: '1' })].join('');
    const { log: archive } = JSON.parse(text) as { log: { version: string; entries: Record<string, unknown>[] } };
    expect(archive).toMatchObject({ version: '1.2', creator: { name: 'patchbay', version: '1' } });
    expect(archive.entries).toHaveLength(6);
    expect(archive.entries[2]).toMatchObject({
      startedDateTime: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      time: 300,
      request: { method: 'POST', url: 'https://example.com/#tools%2Fcall', cookies: [], headers: [], headersSize: -1 },
      response: { status: 200, statusText: 'tool error', content: { mimeType: 'application/json' }, redirectURL: '' },
      cache: {},
      timings: { send: 0, wait: 300, receive: 0 },
    });
    expect(archive.entries[5]).toMatchObject({ response: { status: 0, bodySize: -1 } });
    // Sizes are bytes, not characters.
    demo.message('received', { jsonrpc, method: 'é' });
    log.read();
    const [entry = ''] = [...toHar(log.from(log.nextId - 1), { name: 'patchbay', version: '1' })].slice(1);
    const { request } = JSON.parse(entry) as { request: { bodySize: number; postData: { text: string } } };
    expect(request.bodySize).toBe(request.postData.text.length + 1);
    expect(text).not.toContain('opensesame');
    demo.message('received', { jsonrpc, method: 'half \uD800' });
    log.read();
    expect([...toHar(log.from(log.nextId - 1), { name: 'patchbay', version: '1' })].join('')).toContain(
      'half%20%EF%BF%BD',
    );
  });

  it('is text for the history of calls', async () => {
    const { log } = await setUp();
    const text = trafficText(log.from(log.firstId), 'demo') ?? '';
    expect(text.replaceAll(/^\S+:\S+ /gm, '').split('\n')).toEqual([
      '• connecting over stdio',
      '→ request tools/call',
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"Lisbon"}}}',
      '← ok after 5 ms',
      '{"jsonrpc":"2.0","id":1,"result":{"content":[]}}',
      '→ request ping',
      '{"jsonrpc":"2.0","id":2,"method":"ping","params":{}}',
      '← ok after 1 ms',
      '{"jsonrpc":"2.0","id":2,"result":{}}',
      '← notification notifications/message',
      '{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"••••••••"}}',
      '',
    ]);
  });
});
