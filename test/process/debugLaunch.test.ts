import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { createSystemClock } from '../../src/base/clock.ts';
import { Emitter } from '../../src/base/event.ts';
import { isRecord } from '../../src/base/json.ts';
import type { StdioLaunchPlan } from '../../src/base/launchPlan.ts';
import { limits } from '../../src/base/limits.ts';
import { debugLaunch } from '../../src/host/development/debugLaunch.ts';
import { debugTargetOf } from '../../src/host/development/debugTarget.ts';
import { DebuggedTransport, type DebugPorts } from '../../src/host/development/debuggedTransport.ts';
import { freePort } from '../../src/host/development/debugPort.ts';
import { createStdioTransports } from '../../src/transport/stdio/stdioTransport.ts';
import { cacheFolder } from '../tools/vscodeHost/paths.mjs';
import { temporaryFolder } from '../fixtures/temporaryFolder.ts';

const scripts = fileURLToPath(new URL('../../media/debug', import.meta.url));
const clock = createSystemClock();
const open: DebuggedTransport[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((transport) => transport.dispose()));
});

function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((settle) => (resolve = settle));
  return { promise, resolve };
}

/** Answers each line with itself, and says what it started with. */
const nodeServer = `
import { createInterface } from 'node:readline';
console.error('started ' + JSON.stringify([process.env.NODE_OPTIONS, process.env.PATCHBAY_DEBUG_PORT]));
createInterface({ input: process.stdin }).on('line', (line) => {
  if (line.includes('crash')) process.exit(3);
  console.log(JSON.stringify({ ...JSON.parse(line), env: [process.env.NODE_OPTIONS, process.env.PATCHBAY_DEBUG_PORT] }));
});
`;
const pythonServer = `
import sys
for line in sys.stdin:
    answer = line
    sys.stdout.write(answer)
    sys.stdout.flush()
`;

/** A server in a folder, started with its debugger. `attach` stands for that of the editor. */
async function start(
  command: string,
  args: readonly string[],
  attach: (port: number) => ReturnType<DebugPorts['attach']>,
  debugpy?: string,
) {
  const cwd = await temporaryFolder();
  await writeFile(join(cwd, 'server.mjs'), nodeServer);
  await writeFile(join(cwd, 'server.py'), pythonServer);
  await writeFile(join(cwd, 'package.json'), JSON.stringify({ scripts: { start: 'node server.mjs' } }));
  const plan: StdioLaunchPlan = { kind: 'stdio', command, args, cwd, env: {} };
  const target = debugTargetOf(command, args);
  if (target === undefined) throw new Error('This command is not known.');
  const port = await freePort();
  const launch = debugLaunch(plan, target, { port, scripts, debugpy, platform: process.platform });
  const environment = async (): Promise<NodeJS.ProcessEnv> => process.env;
  const create = createStdioTransports({ clock, platform: process.platform, environment, graceMs: 500 });
  const events: unknown[] = [];
  const attached = deferred();
  const transport = new DebuggedTransport(create(launch.plan, limits.message), {
    port,
    clock,
    attach: async () => {
      const attachment = await attach(port);
      queueMicrotask(attached.resolve);
      return attachment;
    },
    ended: (why) => events.push(why),
  });
  open.push(transport);
  transport.onDidPauseTimeouts((isPaused) => events.push(isPaused));
  const messages: unknown[] = [];
  const arrived = new Emitter<void>();
  transport.onMessage((message) => {
    messages.push(message);
    arrived.fire();
  });
  await transport.start(AbortSignal.timeout(30_000));
  const answer = async (id: number): Promise<unknown> => {
    const found = (): unknown => messages.find((message) => isRecord(message) && message['id'] === id);
    while (found() === undefined) await new Promise<void>((resolve) => void arrived.event(resolve));
    return found();
  };
  return { transport, port, events, attached: attached.promise, answer };
}

/** What Node.js says of the process that has the port. */
async function inspected(port: number): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${port}/json/list`);
  const [process] = (await response.json()) as readonly { readonly url: string }[];
  return process?.url;
}

function fakeDebugger() {
  const ended = new Emitter<void>();
  return { onDidEnd: ended.event, end: async () => ended.fire() };
}

describe('a Node.js server under a debugger', { timeout: 60_000 }, () => {
  it.each([
    ['node', ['server.mjs']],
    ['npm', ['run', '--silent', 'start']],
    ['npx', ['--offline', 'node', 'server.mjs']],
  ] as const)('opens its port in the server alone, started by %s', async (command, args) => {
    const debuggers: ReturnType<typeof fakeDebugger>[] = [];
    const server = await start(command, args, async () => {
      debuggers.push(fakeDebugger());
      return debuggers[0];
    });
    await server.transport.send({ jsonrpc: '2.0', id: 1, method: 'ping' });
    // What the server starts in turn has no debugger.
    expect(await server.answer(1)).toMatchObject({ id: 1, env: [null, null] });
    await server.attached;
    expect(await inspected(server.port)).toMatch(/server\.mjs$/);
    expect(server.events).toEqual([true]);
    await debuggers[0]?.end();
    await expect.poll(() => server.events).toEqual([true, false, 'detached']);
    await server.transport.send({ jsonrpc: '2.0', id: 2, method: 'ping' });
    expect(await server.answer(2)).toMatchObject({ id: 2 });
  });

  it('does not end its debugging with the end of the process', async () => {
    const ended = fakeDebugger();
    const server = await start('node', ['server.mjs'], async () => ended);
    const closed = new Promise((resolve) => server.transport.onDidClose(resolve));
    await server.attached;
    await server.transport.send({ jsonrpc: '2.0', id: 1, method: 'crash' });
    // The editor notices the end first.
    await ended.end();
    expect(await closed).toMatchObject({ kind: 'exited', code: 3 });
    expect(server.events).toEqual([true, false]);
  });

  it('ends the debugger with the server, and continues without one that could not be attached', async () => {
    let ends = 0;
    const ended = fakeDebugger();
    const first = await start('node', ['server.mjs'], async () => ({ ...ended, end: async () => void (ends += 1) }));
    await first.attached;
    await first.transport.dispose();
    expect(ends).toBe(1);
    for (const attach of [async () => undefined, () => Promise.reject(new Error('The editor is closing.'))]) {
      const second = await start('node', ['server.mjs'], attach);
      await expect.poll(() => second.events).toEqual([true, false, 'unattached']);
      await second.transport.send({ jsonrpc: '2.0', id: 1, method: 'ping' });
      expect(await second.answer(1)).toMatchObject({ id: 1 });
    }
  });
});

const python = ['python3', 'python'].find((name) => spawnSync(name, ['--version']).status === 0);

/** The module debugpy, as an extension of the editor brings it along: got with pip, once. @returns why it is not there in `reason` */
function findDebugpy(program: string): { readonly path?: string; readonly reason?: string } {
  const folder = join(cacheFolder, 'debugpy');
  const path = join(folder, 'debugpy');
  const imports = (): boolean =>
    spawnSync(program, ['-c', 'import debugpy'], { env: { ...process.env, PYTHONPATH: folder } }).status === 0;
  if (!imports()) {
    const options = ['--quiet', '--retries', '1', '--timeout', '10', '--target', folder];
    const { stderr, error } = spawnSync(program, ['-m', 'pip', 'install', ...options, 'debugpy<2'], {
      timeout: 60_000,
    });
    if (!imports()) return { reason: String(error ?? stderr).trim() };
  }
  return { path };
}

const { path: debugpy, reason } = python === undefined ? { reason: 'There is no Python.' } : findDebugpy(python);
if (reason !== undefined) console.log(`Python is not debugged here: there is no debugpy. ${reason}`);

describe.runIf(python !== undefined)('a Python server under a debugger', { timeout: 60_000 }, () => {
  it('says what to install where debugpy is missing', async () => {
    // Neither its own packages nor those of the person.
    const server = await start(String(python), ['-I', '-S', '-u', 'server.py'], async () => undefined);
    const closed = await new Promise((resolve) => server.transport.onDidClose(resolve));
    expect(closed).toMatchObject({
      kind: 'failed',
      error: { message: expect.stringContaining('pip install debugpy') },
    });
  });

  it.runIf(debugpy !== undefined).each([
    [String(python), ['-u', 'server.py']],
    ['env', ['MODE=test', String(python), '-u', 'server.py']],
  ])('waits for the debugger, and stops where it says: %s', async (command, args) => {
    let adapter: DebugAdapter | undefined;
    const attach = async (port: number) => {
      adapter = await DebugAdapter.attach(port, 'server.py', 5);
      return { onDidEnd: adapter.ended.event, end: async () => adapter?.end() };
    };
    const server = await start(command, args, attach, debugpy);
    await server.attached;
    await server.transport.send({ jsonrpc: '2.0', id: 1, method: 'ping' });
    await adapter?.stopped;
    expect(server.events).toEqual([true]);
    adapter?.end();
    expect(await server.answer(1)).toMatchObject({ id: 1 });
    await expect.poll(() => server.events).toEqual([true, false, 'detached']);
  });
});

/** As much of the Debug Adapter Protocol as a breakpoint needs. */
class DebugAdapter {
  readonly ended = new Emitter<void>();
  readonly #stopped = deferred();
  readonly stopped = this.#stopped.promise;
  readonly #send: (command: string, args?: object) => void;

  private constructor(send: (command: string, args?: object) => void) {
    this.#send = send;
  }

  static async attach(port: number, file: string, line: number): Promise<DebugAdapter> {
    const socket = connect(port, '127.0.0.1');
    let seq = 0;
    const send = (command: string, args = {}): void => {
      const body = JSON.stringify({ seq: (seq += 1), type: 'request', command, arguments: args });
      socket.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
    };
    const adapter = new DebugAdapter(send);
    const attached = deferred();
    const take = (message: Readonly<Record<string, unknown>>): void => {
      if (message['command'] === 'initialize') send('attach', { justMyCode: true });
      if (message['event'] === 'initialized') {
        send('setBreakpoints', { source: { path: file }, breakpoints: [{ line }] });
        send('configurationDone');
      }
      if (message['command'] === 'attach') attached.resolve();
      if (message['event'] === 'stopped') adapter.#stopped.resolve();
    };
    let text = '';
    socket.on('data', (data) => {
      text += data.toString();
      for (
        let head = /^Content-Length: (\d+)\r\n\r\n/.exec(text);
        head;
        head = /^Content-Length: (\d+)\r\n\r\n/.exec(text)
      ) {
        const end = head[0].length + Number(head[1]);
        if (text.length < end) return;
        take(JSON.parse(text.slice(head[0].length, end)) as Readonly<Record<string, unknown>>);
        text = text.slice(end);
      }
    });
    socket.on('error', () => socket.destroy());
    socket.on('close', () => adapter.ended.fire());
    send('initialize', { adapterID: 'debugpy', pathFormat: 'path', linesStartAt1: true });
    await attached.promise;
    return adapter;
  }

  end(): void {
    this.#send('disconnect');
  }
}
