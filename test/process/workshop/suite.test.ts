import { execFileSync } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { isRecord, type UnknownRecord } from '../../../src/base/json.ts';
import type { Transport } from '../../../src/transport/transport.ts';
import { startBridge } from '../../../src/workshop/suite/bridge.ts';
import { findSuite, installSuite } from '../../../src/workshop/suite/installSuite.ts';
import { runSuite } from '../../../src/workshop/suite/runSuite.ts';
import { checks, findCheck, scenarios, suitePackage } from '../../../src/workshop/suite/suiteData.ts';
import { ScriptedTransport } from '../../fixtures/scriptedTransport.ts';
import { serveSdk1OverHttp } from '../../fixtures/servers/partner/sdk1.mjs';
import { serveSdk2OverHttp } from '../../fixtures/servers/partner/sdk2.mjs';
import { serveMcp } from '../auth/serveMcp.ts';
import { expectNoSecrets, startScene } from '../auth/signInHarness.ts';
import { processesWith } from '../processMarks.ts';
import { check, nodeServer, suite, suiteNode, targetOf } from './checkHarness.ts';

const everything = 'node_modules/@modelcontextprotocol/server-everything/dist/index.js';
const partner = nodeServer('test/fixtures/servers/partnerServer.mjs', '--sdk=2', '--transport=stdio');
const { signal } = new AbortController();

describe('the data about the official suite', () => {
  it('has each server scenario of the pinned version, with its revisions', () => {
    const listed = execFileSync(suite.node, [suite.script, 'list', '--server'], { encoding: 'utf8' });
    const rows = [...listed.matchAll(/^ {2}- (\S+) \[(.*)\]$/gm)].map(([, name = '', revisions = '']) => {
      const known = revisions.split(',').filter((revision) => ['2025-11-25', '2026-07-28'].includes(revision));
      return [name, known] as const;
    });
    expect(rows.length).toBeGreaterThan(60);
    expect(Object.fromEntries(scenarios.map(({ name, revisions }) => [name, revisions]))).toEqual(
      Object.fromEntries(rows),
    );
  });

  it('is about the version that the tests have, and no other', () => {
    const lock: unknown = JSON.parse(readFileSync(new URL('../../../package-lock.json', import.meta.url), 'utf8'));
    const packages = isRecord(lock) && isRecord(lock['packages']) ? lock['packages'] : {};
    const { version, integrity } = suitePackage;
    expect(packages[`node_modules/${suitePackage.name}`]).toMatchObject({ version, integrity });
  });

  it('has checks of its own scenarios only, and links of the web', () => {
    const names = new Set(['*', ...scenarios.map(({ name }) => name)]);
    expect(checks.filter(({ scenario }) => !names.has(scenario))).toEqual([]);
    const urls = [...scenarios, ...checks].map(({ url = 'https://none.example' }) => url);
    expect(urls.filter((url) => !url.startsWith('https://'))).toEqual([]);
  });
});

describe('the official suite through the bridge', () => {
  it('judges a stdio server in both eras, and knows each check', async () => {
    const results = await check(partner, { families: ['suite'] });
    const ids = results.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(
      expect.arrayContaining(['suite/ping/ping', 'suite/caching/sep-2549-ttl-non-negative@2026-07-28']),
    );
    const unknown = ids.filter((id) => {
      const [, scenario = '', name] = id.replace(/@.*/, '').split('/');
      return name !== undefined && findCheck(scenario, name) === undefined;
    });
    expect(unknown).toEqual([]);
    // The second SDK takes any revision over stdio.
    expect(results.filter(({ verdict }) => verdict === 'failed').map(({ id }) => id)).toEqual([
      'suite/server-stateless/sep-2575-server-unsupported-version-error@2026-07-28',
    ]);
    // A missing description is advice.
    expect(results.find(({ id }) => id === 'suite/tools-list/tools-list')).toMatchObject({
      verdict: 'warning',
      title: expect.stringMatching(/^Not so: /),
    });
    expect(results.filter(({ verdict, title }) => verdict === 'passed' && title.startsWith('Not so'))).toEqual([]);
  });

  it('leaves out by name what needs the fixtures of the suite, or judges HTTP; nothing passes without a check', async () => {
    const results = await check(nodeServer(everything, 'stdio'), { families: ['suite'] });
    const of = (id: string) => results.find((result) => result.id === id);
    expect(of('suite/tools-call-simple-text')).toMatchObject({
      verdict: 'notRun',
      title: 'tools-call-simple-text (needs the tool test_simple_text)',
      message: "It needs what only the suite's own server has.",
    });
    expect(of('suite/dns-rebinding-protection')?.message).toContain("Patchbay's bridge");
    expect(of('suite/tools-call-error')?.verdict).toBe('notRun');
    const passed = results.filter(({ verdict }) => verdict === 'passed').map(({ id }) => id);
    expect(passed.every((id) => id.split('/').length === 3)).toBe(true);
    expect(results.filter(({ verdict }) => verdict === 'failed')).toEqual([]);
  });

  it('reaches a server over HTTP as it is, and one with headers through the bridge, which puts them on', async () => {
    const server = await serveSdk1OverHttp('2025-11-25');
    const url = new URL(server.url);
    const verdictsWith = async (headers: Record<string, string>): Promise<ReadonlyMap<string, string>> => {
      const results = await check({ kind: 'http', url, headers }, { families: ['suite'] });
      return new Map(results.map(({ id, verdict }) => [id, verdict]));
    };
    try {
      const direct = await verdictsWith({});
      expect(direct.get('suite/server-session-lifecycle/server-session-delete-accepted')).toBe('passed');
      const before = server.received.length;
      const bridged = await verdictsWith({ 'x-key': 'my-key' });
      expect(bridged.get('suite/server-session-lifecycle')).toBe('notRun');
      expect(bridged.get('suite/resources-list/resources-list')).toBe('passed');
      expect(server.received.slice(before).filter(({ headers }) => headers['x-key'] !== 'my-key')).toEqual([]);
    } finally {
      await server.close();
    }
  });

  it('judges how a server over HTTP reads headers, and calls none of its tools', async () => {
    const server = await serveSdk2OverHttp('2026-07-28');
    try {
      const results = await check({ kind: 'http', url: new URL(server.url), headers: {} }, { families: ['suite'] });
      const found = results.filter(({ id }) => id.startsWith('suite/http-header-validation/'));
      expect(Object.fromEntries(found.map(({ id, verdict }) => [id.replace(/.*\/(.*)@.*/, '$1'), verdict]))).toEqual({
        'sep-2243-server-reject-invalid-headers': 'passed',
        'sep-2243-server-reject-error-code': 'passed',
        'sep-2243-header-name-case-insensitive': 'passed',
        'sep-2243-server-accepts-whitespace-header-value': 'notRun',
        'wire-schema-valid': 'notRun',
      });
      const listed = /^(test_|patchbay_check_)/;
      const called = server.received.flatMap(({ message }) =>
        isRecord(message) && message['method'] === 'tools/call' && isRecord(message['params'])
          ? [String(message['params']['name'])]
          : [],
      );
      expect(called.filter((name) => !listed.test(name))).toEqual([]);
      expect(called.length).toBeGreaterThan(0);
    } finally {
      await server.close();
    }
  });

  it('reaches a server that wants a sign-in, once for all its sessions, and shows no token', async () => {
    const scene = await startScene();
    serveMcp(scene.server);
    const { authorizer } = scene.openWindow();
    const plan = { kind: 'http', url: scene.server.url, headers: {} } as const;
    const results = await check(plan, {}, authorizer);
    expect(scene.person.asked).toHaveLength(1);
    const verdicts = new Map(results.map(({ id, verdict }) => [id, verdict]));
    expect(
      ['own/start', 'own/ping', 'suite/ping/ping', 'suite/tools-list/tools-list'].map((id) => verdicts.get(id)),
    ).toEqual(['passed', 'passed', 'passed', 'warning']);
    expect(verdicts.get('suite/dns-rebinding-protection')).toBe('notRun');
    scene.seen.push(JSON.stringify(results));
    expectNoSecrets(scene);
  });

  it('says that there is nothing to check where the server does not declare what it is about', async () => {
    const results = await check(nodeServer('test/fixtures/servers/articleServer.mjs'), { families: ['suite'] });
    expect(results.find(({ id }) => id === 'suite/prompts-list')).toMatchObject({ verdict: 'nothingToCheck' });
  });

  it('says why it did not run without the suite', async () => {
    const missing = 'The official suite is not installed.';
    const results = await check(partner, { families: ['suite'], suite: { missing } });
    expect(results).toMatchObject([{ id: 'suite', verdict: 'notRun', message: missing }]);
  });

  // On Linux alone the test finds the processes of a server.
  it.runIf(process.platform === 'linux')('leaves no process behind when the run is cancelled', async () => {
    const mark = `PATCHBAY_TEST_MARK=${crypto.randomUUID()}`;
    const [name = '', value = ''] = mark.split('=');
    const cancelled = new AbortController();
    const plan = { ...partner, ...(partner.kind === 'stdio' && { env: { [name]: value } }) };
    const running = check(plan, { families: ['suite'], signal: cancelled.signal });
    await expect.poll(() => processesWith(mark).length).toBeGreaterThan(0);
    cancelled.abort(new Error('Enough'));
    await expect(running).rejects.toThrow('Enough');
    expect(processesWith(mark)).toEqual([]);
  });
});

/** On Linux alone the test finds the processes of a server. */
const isCounted = process.platform === 'linux';

describe('the bridge', () => {
  it.each([
    { what: 'one process', address: 'url', processes: 1 },
    { what: 'a process of its own, where it is asked for', address: 'separateUrl', processes: 2 },
  ] as const)('gives each session $what', async ({ address, processes }) => {
    const value = crypto.randomUUID();
    const env = { PATCHBAY_TEST_MARK: value };
    const plan = { ...nodeServer('test/fixtures/servers/brokenServer.mjs'), env };
    const bridge = await startBridge(targetOf(plan), signal);
    try {
      const first = await openSession(bridge[address]);
      const second = await openSession(bridge[address]);
      expect(second.initialized).toEqual(first.initialized);
      expect(second.session).not.toEqual(first.session);
      for (const { ping } of [first, second]) expect(ping).toEqual({ jsonrpc: '2.0', id: 'a', result: {} });
      if (isCounted) expect(processesWith(`PATCHBAY_TEST_MARK=${value}`)).toHaveLength(processes);
    } finally {
      await bridge.dispose();
    }
    expect(processesWith(`PATCHBAY_TEST_MARK=${value}`)).toEqual([]);
  });

  it('answers nobody but the suite: the address has a secret, and pages of browsers are refused', async () => {
    const bridge = await startBridge(targetOf(partner), signal);
    try {
      const url = new URL(bridge.url);
      expect(url.hostname).toBe('127.0.0.1');
      const post = async (address: string, headers: Record<string, string> = {}): Promise<number> =>
        (await fetch(address, { method: 'POST', headers, body: '{}' })).status;
      expect(await post(url.origin)).toBe(404);
      expect(await post(bridge.url, { origin: 'https://evil.example' })).toBe(403);
      expect(await post(bridge.url, { 'mcp-session-id': 'guessed' })).toBe(404);
      expect((await fetch(bridge.url, { method: 'POST', body: 'x'.repeat(1024 * 1024 + 1) })).status).toBe(400);
    } finally {
      await bridge.dispose();
    }
    await expect(fetch(bridge.url)).rejects.toThrow();
  });
});

describe('what another program of the machine can do with the bridge', () => {
  // The arguments of a process are read from /proc.
  it.skipIf(process.platform !== 'linux')('does not find its address in the arguments of the suite', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'patchbay-suite-test-'));
    const script = join(folder, 'suite.mjs');
    const lines = [
      "import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';",
      "const seen = { argv: process.argv.slice(2), env: Object.values(process.env), shown: readFileSync('/proc/self/cmdline', 'utf8') };",
      "mkdirSync('result');",
      "const check = { id: 'ping', description: '', status: 'FAILURE', errorMessage: JSON.stringify(seen) };",
      "writeFileSync('result/checks.json', JSON.stringify([check]));",
    ];
    writeFileSync(script, lines.join('\n'));
    const url = 'http://127.0.0.1:1/secret/mcp';
    const none = { tools: [], prompts: [], resources: [], templates: [] };
    const era = { revision: '2025-11-25', capabilities: new Set<string>(), lists: none } as const;
    const reach = { isBridged: true, isLocal: false };
    try {
      const seen: unknown[] = [];
      for await (const { id, message = '' } of runSuite({ program: { ...suite, script }, url, era, reach, signal }))
        if (id === 'suite/ping/ping') seen.push(JSON.parse(message));
      expect(seen).toMatchObject([{ argv: expect.arrayContaining(['--url', url]) }]);
      const [{ env, shown }] = seen as [{ env: readonly string[]; shown: string }];
      expect(shown).toContain('--scenario');
      expect(shown).not.toContain('secret');
      expect(env.join('\n')).not.toContain('secret');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it.each([
    { method: 'tools/call', params: { name: 'delete_all', arguments: {} } },
    { method: 'tools/call', params: {} },
    { method: 'prompts/get', params: { name: 'private' } },
    { method: 'resources/read', params: { uri: 'file:///private' } },
    { method: 'resources/subscribe', params: { uri: 'file:///private' } },
  ])('calls, gets and reads nothing of the server but fixtures of the suite: %o', async (message) => {
    const { transport, sent, target } = scriptedServer();
    const bridge = await startBridge(target, signal, ['file:///first']);
    try {
      const { post, session } = await openSession(bridge.url);
      const answer: unknown = await (await post({ id: 'b', ...message }, session)).json();
      expect(answer).toMatchObject({ id: 'b', error: { code: -32602 } });
      await (await post(message, session)).text();
      expect(sent.map(({ method }) => method)).toEqual(['initialize', 'notifications/initialized', 'ping']);
      for (const allowed of [
        { method: 'tools/call', params: { name: 'test_simple_text' } },
        { method: 'prompts/get', params: { name: 'test_simple_prompt' } },
        { method: 'resources/read', params: { uri: 'test://static-text' } },
        { method: 'resources/read', params: { uri: 'file:///first' } },
      ])
        expect(await (await post({ id: 'c', ...allowed }, session)).json()).toMatchObject({ id: 'c', result: {} });
    } finally {
      await bridge.dispose();
    }
    expect(transport.isDisposed).toBe(true);
  });

  it('starts a server again that has ended, in either era', async () => {
    const { target, opened } = scriptedServer();
    const bridge = await startBridge(target, signal);
    const headers = { 'content-type': 'application/json', 'mcp-protocol-version': '2026-07-28' };
    const list = async (): Promise<unknown> => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 'd', method: 'tools/list', params: {} });
      return (await fetch(bridge.url, { method: 'POST', headers, body })).json();
    };
    try {
      expect(await list()).toMatchObject({ id: 'd', result: {} });
      await openSession(bridge.url);
      expect(opened).toHaveLength(2);
      await Promise.all(opened.map((each) => each.dispose()));
      expect(await Promise.all([list(), list()])).toMatchObject([{ result: {} }, { result: {} }]);
      expect(await openSession(bridge.url)).toMatchObject({ ping: { result: {} } });
      expect(opened).toHaveLength(4);
    } finally {
      await bridge.dispose();
    }
    expect(opened.every(({ isDisposed }) => isDisposed)).toBe(true);
  });

  it('leaves no server behind whose start was on its way at the end of the run', async () => {
    const { opened, target } = scriptedServer();
    let go = (): void => {};
    const held = new Promise<void>((resolve) => (go = resolve));
    const createTransport = async (): Promise<Transport> => {
      await held;
      return target.createTransport();
    };
    const bridge = await startBridge({ ...target, createTransport }, signal);
    const preparing = bridge.prepare('2025-11-25');
    await bridge.dispose();
    go();
    await preparing;
    expect(opened.map(({ isDisposed }) => isDisposed)).toEqual([true]);
  });

  it('ends a server that sends more than a client reads, and keeps little of it', async () => {
    const { transport, target } = scriptedServer();
    const bridge = await startBridge(target, signal);
    try {
      const { session } = await openSession(bridge.url);
      const reader = new AbortController();
      const stream = await fetch(bridge.url, { headers: session, signal: reader.signal });
      expect(stream.status).toBe(200);
      const params = { level: 'info', data: 'x'.repeat(1024 * 1024) };
      let count = 0;
      while (!transport.isDisposed && count < 200) {
        transport.receive({ jsonrpc: '2.0', method: 'notifications/message', params });
        count += 1;
        await new Promise((resolve) => void setImmediate(resolve));
      }
      expect(transport.isDisposed).toBe(true);
      reader.abort();
      // The next session has a server of its own.
      expect((await openSession(bridge.url)).ping).toMatchObject({ result: {} });
    } finally {
      await bridge.dispose();
    }
  });
});

/** A server without a process, which answers each request with an empty result. */
function scriptedServer() {
  const sent: UnknownRecord[] = [];
  const opened: ScriptedTransport[] = [];
  const createTransport = (): Promise<Transport> => {
    const transport = new ScriptedTransport(sent);
    opened.push(transport);
    return Promise.resolve(transport);
  };
  const transport = {
    receive: (message: object) => opened[0]?.received.fire(message),
    get isDisposed() {
      return opened[0]?.isDisposed === true;
    },
  };
  return { transport, opened, sent, target: { ...targetOf(partner), createTransport } };
}

/** A session as the suite opens it. @returns the answer to `initialize`, and the id of the session */
async function openSession(url: string) {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const post = (message: object, more: Record<string, string> = {}): Promise<Response> =>
    fetch(url, {
      method: 'POST',
      headers: { ...headers, ...more },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    });
  const clientInfo = { name: 'suite', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const response = await post({ id: 7, method: 'initialize', params });
  const session = { 'mcp-session-id': response.headers.get('mcp-session-id') ?? '' };
  await post({ method: 'notifications/initialized' }, session);
  const ping = await (await post({ id: 'a', method: 'ping' }, session)).json();
  return { initialized: await response.json(), ping, session, post };
}

describe('the installation of the suite', () => {
  let registry: Server | undefined;
  const folders: string[] = [];
  const temporary = (): string => {
    const folder = mkdtempSync(join(tmpdir(), 'patchbay-suite-test-'));
    folders.push(folder);
    return folder;
  };

  afterEach(() => {
    registry?.close();
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  });

  /** A registry with the suite's package alone, whose script would write a file. */
  async function serveRegistry(integrity: (real: string) => string) {
    const source = temporary();
    mkdirSync(join(source, 'dist'));
    writeFileSync(join(source, 'dist/index.js'), '');
    const { name, version } = suitePackage;
    const scripts = { postinstall: "node -e \"require('fs').writeFileSync('ran', '')\"" };
    writeFileSync(join(source, 'package.json'), JSON.stringify({ name, version, scripts }));
    const packed: unknown = JSON.parse(execFileSync('npm', ['pack', '--json'], { cwd: source, encoding: 'utf8' }));
    const [about] = packed as readonly { readonly filename: string; readonly integrity: string }[];
    const tarball = readFileSync(join(source, about?.filename ?? ''));
    registry = createServer((request, response) => {
      if (request.url?.endsWith('.tgz')) return response.end(tarball);
      const dist = { tarball: `${origin}/suite.tgz`, integrity: about?.integrity };
      const versions = { [version]: { name, version, scripts, dist, hasInstallScript: true } };
      return response.end(JSON.stringify({ name, 'dist-tags': { latest: version }, versions }));
    });
    registry.listen(0, '127.0.0.1');
    await once(registry, 'listening');
    const origin = `http://127.0.0.1:${(registry.address() as AddressInfo).port}`;
    const PATH = [dirname(suiteNode()), process.env['PATH']].join(delimiter);
    const environment = { ...process.env, PATH, npm_config_registry: origin, npm_config_cache: temporary() };
    const home = { folder: join(temporary(), 'suite'), environment, platform: process.platform };
    return { home, wanted: { name, version, integrity: integrity(about?.integrity ?? '') } };
  }

  it('takes the exact version without its scripts, and then finds it', async () => {
    const { home, wanted } = await serveRegistry((real) => real);
    expect(await findSuite(home, signal)).toEqual({ missing: expect.stringContaining('is not installed') });
    const installed = await installSuite(home, { signal, wanted });
    expect(await findSuite(home, signal)).toEqual(installed);
    expect(readdirSync(dirname(dirname(installed.script)))).not.toContain('ran');
    expect(readdirSync(home.folder)).toEqual([suitePackage.version]);
  });

  it('refuses a package with another integrity, and keeps nothing of it', async () => {
    const { home, wanted } = await serveRegistry(() => 'sha512-another');
    await expect(installSuite(home, { signal, wanted })).rejects.toThrow('It was not installed');
    expect(readdirSync(home.folder)).toEqual([]);
  });

  // The Node that is too old is a shell script.
  it.skipIf(process.platform === 'win32')('says what is missing: Node, or one that is new enough', async () => {
    const folder = temporary();
    const home = { folder, environment: { PATH: folder }, platform: process.platform };
    await expect(installSuite(home, { signal })).rejects.toThrow('Node.js was not found in PATH');
    writeFileSync(join(folder, 'node'), '#!/bin/sh\necho v20.1.0\n', { mode: 0o755 });
    await expect(installSuite(home, { signal })).rejects.toThrow('needs Node.js 22');
  });
});
