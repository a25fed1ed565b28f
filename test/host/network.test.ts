import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as tls from 'node:tls';
import { after, afterEach, before, describe, it } from 'mocha';
import { commands, ConfigurationTarget, window, workspace } from 'vscode';
import type { ServerHandle } from '../../src/host/api.ts';
import { CommandIds } from '../../src/host/commandIds.ts';
import {
  readCertificate,
  type SecureFront,
  signInRoute,
  startProxy,
  startSecureFront,
  type TestProxy,
} from '../fixtures/network.ts';
import { serveRawOverHttp } from '../fixtures/servers/partner/raw.mjs';
import { activatePatchbay, askUntil, textOf, until, untilEvent } from './patchbay.ts';
import { closeEditors } from './window.ts';

const repository = process.env['PATCHBAY_REPO'] ?? '';
const certificates = join(repository, 'test/fixtures/certificates');
const read = (name: string) => readCertificate(name, certificates);

/** The settings of `http` that a test has changed. */
const changed = new Set<string>();

/** Writes a setting of the user and waits until it holds; `undefined` removes it. */
async function set(section: string, name: string, value: unknown): Promise<void> {
  const expected = value ?? workspace.getConfiguration(section).inspect(name)?.defaultValue;
  if (section === 'http') changed.add(name);
  await workspace.getConfiguration(section).update(name, value, ConfigurationTarget.Global);
  await until(() => JSON.stringify(workspace.getConfiguration(section).get(name)) === JSON.stringify(expected));
}

async function serverOf(label: string): Promise<ServerHandle> {
  const patchbay = await activatePatchbay();
  return patchbay.getServer(label) ?? assert.fail(`the server ${label} is not configured`);
}

async function call(server: ServerHandle): Promise<void> {
  assert.equal(textOf(await server.callTool('echo', { text: 'fine' })), 'fine');
}

/** Waits until the proxy has no connection to that host. */
async function untilClosed(proxy: TestProxy, host: string): Promise<void> {
  await until(() => proxy.openConnectionsTo(host) === 0);
}

/** Starts a server, calls a tool, and stops it. */
async function use(label: string): Promise<void> {
  const server = await serverOf(label);
  try {
    await server.start();
    await call(server);
  } finally {
    await server.stop();
  }
}

/** @returns why the server cannot be used, as a person reads it */
async function failure(label: string): Promise<string> {
  const server = await serverOf(label);
  const reason: unknown = await use(label).then(
    () => assert.fail(`${label} can be used`),
    (error: unknown) => error,
  );
  return `${reason instanceof Error ? reason.message : String(reason)}\n${server.error}`;
}

/** @returns the address that a server prints when it is ready */
async function firstUrl({ stdout }: ChildProcess): Promise<string> {
  for await (const chunk of stdout ?? []) {
    const url = /^http:\S+(?=\s)/m.exec(String(chunk))?.[0];
    if (url !== undefined) return url;
  }
  return assert.fail('the server has not started');
}

describe('the network as VS Code sets it', () => {
  let proxy: TestProxy;
  let sse: ChildProcess;
  const fronts: Record<string, SecureFront> = {};
  const open: { close(): unknown }[] = [];
  let plainPort = '';

  const viaProxy = (): Promise<void> => set('http', 'proxy', `http://ann:p%40ss@${proxy.host}`);
  /** Requests that passed the proxy since `count`, of this test alone: VS Code sends requests of its own. */
  const seen = (count = 0): string =>
    proxy.requests
      .slice(count)
      .filter((line) => /mcp\.test|0\.0\.0\.0/.test(line))
      .join('\n');

  before(async () => {
    const raw = await serveRawOverHttp({ revision: '2025-06-18' });
    const target = new URL(raw.url);
    open.push(raw);
    plainPort = target.port;
    const partner = join(repository, 'test/fixtures/servers/partnerServer.mjs');
    sse = spawn('node', [partner, '--sdk=1', '--transport=sse', '--revision=2024-11-05']);
    fronts['extra'] = await startSecureFront(target, read('server'));
    fronts['system'] = await startSecureFront(target, read('systemServer'));
    fronts['unknown'] = await startSecureFront(target, read('selfSigned'));
    fronts['sse'] = await startSecureFront(new URL(await firstUrl(sse)), read('server'));
    fronts['protected'] = await startSecureFront(target, read('server'), signInRoute);
    const ca = readFileSync(join(certificates, 'authority.pem'));
    fronts['mutual'] = await startSecureFront(target, { ...read('server'), ca, requestCert: true });
    proxy = await startProxy({ credentials: 'ann:p@ss' });
    open.push(proxy, ...Object.values(fronts));
    const secure = (name: string, host = 'mcp.test'): string => `https://${host}:${fronts[name]?.port}/mcp`;
    await set('patchbay', 'servers', {
      'net-plain': { type: 'http', url: `http://mcp.test:${plainPort}/mcp` },
      // This machine, but VS Code does not know that.
      'net-direct': { type: 'http', url: secure('extra', '0.0.0.0') },
      'net-local': { type: 'http', url: secure('extra', 'localhost') },
      'net-extra': { type: 'http', url: secure('extra') },
      'net-system': { type: 'http', url: secure('system') },
      'net-unknown': { type: 'http', url: secure('unknown') },
      'net-mutual': { type: 'http', url: secure('mutual') },
      'net-sse': { type: 'sse', url: `https://sse.mcp.test:${fronts['sse'].port}/sse` },
      'net-protected': {
        type: 'http',
        url: secure('protected'),
        patchbay: {
          auth: {
            flow: 'clientCredentials',
            issuer: `https://auth.mcp.test:${fronts['protected'].port}`,
            clientId: 'patchbay',
            clientSecret: 'of-the-test',
          },
        },
      },
    });
    const patchbay = await activatePatchbay();
    await untilEvent(patchbay.onDidChangeServers, () => patchbay.getServer('net-protected') !== undefined);
  });

  /** What {@link startBehindProxy} has started. */
  const started: ServerHandle[] = [];

  afterEach(async () => {
    await Promise.all(started.splice(0).map((server) => server.stop()));
    for (const name of changed) await set('http', name, undefined);
    changed.clear();
  });

  after(async () => {
    await set('patchbay', 'servers', undefined);
    sse.kill();
    await Promise.all(open.map((one) => one.close()));
  });

  it('http.proxy: Streamable HTTP, HTTP+SSE and sign-ins pass through it, with its credentials', async () => {
    await viaProxy();
    const count = proxy.requests.length;
    for (const label of ['net-plain', 'net-extra', 'net-sse', 'net-protected']) await use(label);
    const passed = seen(count);
    assert.match(passed, new RegExp(`^POST http://mcp\\.test:${plainPort}/mcp$`, 'm'));
    for (const [name, host] of [
      ['extra', 'mcp.test'],
      ['sse', 'sse.mcp.test'],
      ['protected', 'auth.mcp.test'],
    ] as const)
      assert.match(passed, new RegExp(`^CONNECT ${host}:${fronts[name]?.port}$`, 'm'));
  });

  for (const support of ['on', 'fallback'])
    it(`http.proxySupport: ${support} uses it too`, async () => {
      await viaProxy();
      await set('http', 'proxySupport', support);
      const count = proxy.requests.length;
      await use('net-plain');
      await use('net-extra');
      assert.match(seen(count), /^POST http:[^]*^CONNECT /m);
    });

  it('http.proxySupport: off does without', async () => {
    await viaProxy();
    await set('http', 'proxySupport', 'off');
    const count = proxy.requests.length;
    assert.match(await failure('net-plain'), /the name mcp\.test is not known \(E/);
    assert.match(await failure('net-extra'), /the name mcp\.test is not known \(E/);
    assert.equal(seen(count), '');
  });

  it('http.noProxy: exempts a host, and nothing exempts others', async () => {
    await viaProxy();
    const count = proxy.requests.length;
    await use('net-direct');
    assert.match(seen(count), /^CONNECT 0\.0\.0\.0:/);
    await set('http', 'noProxy', [`0.0.0.0:${fronts['extra']?.port}`]);
    const later = proxy.requests.length;
    await use('net-direct');
    assert.equal(seen(later), '');
  });

  for (const label of ['net-local', 'net-direct'])
    it(`keeps its connections where no proxy is between: ${label}`, async () => {
      const server = await serverOf(label);
      await server.start();
      const earlier = fronts['extra']?.connections() ?? 0;
      for (let count = 0; count < 20; count += 1) await call(server);
      const opened = (fronts['extra']?.connections() ?? 0) - earlier;
      await server.stop();
      assert.ok(opened <= 1, `${opened} connections for 20 calls`);
    });

  /** Starts a server behind the proxy, with a tunnel that it keeps. */
  async function startBehindProxy(label = 'net-extra'): Promise<ServerHandle> {
    const server = await serverOf(label);
    started.push(server);
    await server.start();
    await call(server);
    return server;
  }

  for (const support of ['override', 'fallback', 'on'])
    it(`keeps its tunnels through a proxy, and closes them with the server: ${support}`, async () => {
      await viaProxy();
      await set('http', 'proxySupport', support);
      const host = `mcp.test:${fronts['extra']?.port}`;
      const server = await startBehindProxy();
      const earlier = proxy.connectionsTo(host);
      for (let count = 0; count < 50; count += 1) await call(server);
      const opened = proxy.connectionsTo(host) - earlier;
      assert.ok(opened <= 1, `${opened} tunnels for 50 calls`);
      assert.ok(proxy.openConnectionsTo(host) > 0);
      await server.stop();
      await untilClosed(proxy, host);
    });

  it('http.proxy and http.noProxy: a change counts for the next request, and closes the tunnels', async () => {
    await viaProxy();
    const host = `0.0.0.0:${fronts['extra']?.port}`;
    const server = await startBehindProxy('net-direct');
    const other = await startProxy();
    open.push(other);
    await set('http', 'proxy', `http://${other.host}`);
    await call(server);
    assert.equal(other.connectionsTo(host), 1);
    await set('http', 'noProxy', ['0.0.0.0']);
    await untilClosed(other, host);
    const earlier = proxy.connectionsTo(host);
    await call(server);
    assert.deepEqual([proxy.connectionsTo(host), other.connectionsTo(host)], [earlier, 1]);
  });

  it('a proxy may close its tunnels, refuse new ones, die, and come back', async () => {
    await viaProxy();
    const server = await startBehindProxy();
    await proxy.dropConnections();
    await call(server);
    for (const status of [407, 503]) {
      proxy.refusal = status;
      await call(server);
      await proxy.dropConnections();
      await assert.rejects(call(server), new RegExp(`refuses the request with HTTP status ${status}`));
      proxy.refusal = undefined;
      await call(server);
    }
    const mortal = await startProxy();
    await set('http', 'proxy', `http://${mortal.host}`);
    await call(server);
    await mortal.close();
    await assert.rejects(call(server), /cannot be used \(ECONNREFUSED\)/);
    open.push(await startProxy({ port: Number(new URL(`http://${mortal.host}`).port) }));
    await call(server);
  });

  it('the verification of certificates counts for kept tunnels too', async () => {
    await viaProxy();
    await set('http', 'proxyStrictSSL', false);
    const server = await startBehindProxy('net-unknown');
    await set('http', 'proxyStrictSSL', undefined);
    await assert.rejects(call(server), /its certificate is not accepted/);
  });

  it('NODE_EXTRA_CA_CERTS: its authorities are believed, whatever http.systemCertificates is', async () => {
    await viaProxy();
    for (const value of [true, false]) {
      await set('http', 'systemCertificates', value);
      await use('net-extra');
      await use('net-local');
    }
  });

  // Where VS Code is an application of its own, only its oldest version takes an authority of the system from a test.
  const knowsSystemAuthority = process.versions['electron'] === undefined || !('getCACertificates' in tls);
  const itWithSystemAuthority = knowsSystemAuthority ? it : () => {};
  itWithSystemAuthority(
    'http.systemCertificates: an authority of the system is believed, unless it is off',
    async () => {
      await viaProxy();
      const server = await startBehindProxy('net-system');
      await set('http', 'systemCertificates', false);
      await assert.rejects(call(server), /its certificate is not accepted \(UNABLE_TO_VERIFY_LEAF_SIGNATURE\)/);
    },
  );

  it('http.proxyStrictSSL: certificates are verified, unless the person has switched it off', async () => {
    await viaProxy();
    assert.match(await failure('net-unknown'), /its certificate is not accepted \(DEPTH_ZERO_SELF_SIGNED_CERT\)/);
    const settings = workspace.getConfiguration('http');
    await assert.rejects(async () => await settings.update('proxyStrictSSL', false, ConfigurationTarget.Workspace));
    await set('http', 'proxyStrictSSL', false);
    await use('net-unknown');
  });

  it('client certificates: VS Code has none for extensions, and the error says what the server asks for', async () => {
    await viaProxy();
    assert.match(await failure('net-mutual'), /asks for a certificate of its clients/);
  });

  it('Diagnose MCP Server names the proxy, and reads the certificate through it', async () => {
    await viaProxy();
    await commands.executeCommand(CommandIds.diagnoseServer, 'net-extra');
    await commands.executeCommand(CommandIds.openWhole);
    const shown = await askUntil(
      () => Promise.resolve(window.activeTextEditor?.document.getText() ?? ''),
      (text) => text.includes('Certificate (TLS)'),
    );
    await closeEditors();
    assert.match(shown, new RegExp(`Requests go through ${proxy.host} `));
    assert.match(shown, /for mcp\.test, issued by Patchbay tests/);
    assert.doesNotMatch(shown, /not trusted|p%40ss|p@ss/);
  });

  it('names a proxy that refuses or cannot be reached, without its password', async () => {
    const failures: string[] = [];
    await set('http', 'proxy', `http://ann:secret@${proxy.host}`);
    failures.push(await failure('net-plain'), await failure('net-extra'));
    for (const text of failures)
      assert.match(text, new RegExp(`the proxy ${proxy.host} refuses the request with HTTP status 407`));
    await set('http', 'proxy', 'http://ann:secret@127.0.0.1:1');
    for (const label of ['net-plain', 'net-extra']) {
      const text = await failure(label);
      assert.match(text, /the proxy 127\.0\.0\.1:1 cannot be used \(ECONNREFUSED\)/);
      failures.push(text);
    }
    assert.doesNotMatch(failures.join('\n'), /secret/);
  });
});
