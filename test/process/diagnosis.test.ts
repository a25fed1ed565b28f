import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createSystemClock } from '../../src/base/clock.ts';
import type { CreateHttpClient } from '../../src/base/httpClient.ts';
import type { LaunchPlan, StdioLaunchPlan } from '../../src/base/launchPlan.ts';
import { parseServerAddress } from '../../src/base/serverAddress.ts';
import { PatchbayError } from '../../src/base/errors.ts';
import type { ConfiguredServer } from '../../src/config/configuredServer.ts';
import type { Finding } from '../../src/host/diagnosis/diagnosis.ts';
import { diagnosisView } from '../../src/host/diagnosis/diagnosisView.ts';
import { factsText } from '../../src/shared/factsMessages.ts';
import { diagnoseServer, type DiagnosisPorts } from '../../src/host/diagnosis/diagnoseServer.ts';
import type { NetworkSettings } from '../../src/host/diagnosis/networkFindings.ts';
import { createTransports } from '../../src/transport/launch/createTransports.ts';
import { closeLater } from '../fixtures/closeLater.ts';
import { createTestHttpClient } from '../fixtures/httpClients.ts';
import { listen } from '../fixtures/listen.ts';
import { createTestSocket } from '../fixtures/testSocket.ts';
import { readCertificate } from '../fixtures/network.ts';
import { serveSdk2OverHttp } from '../fixtures/servers/partner/sdk2.mjs';

const noProxy: NetworkSettings = {
  proxy: '',
  support: 'override',
  noProxy: [],
  verifiesCertificates: true,
  environment: {},
};

const fixtures = fileURLToPath(new URL('../fixtures/', import.meta.url));
const script = `${fixtures}servers/taskServer.mjs`;
const clock = createSystemClock();
const environment = async (): Promise<NodeJS.ProcessEnv> => process.env;

const configured: ConfiguredServer = {
  label: 'notes',
  definition: { command: 'notes' },
  options: {},
  source: { kind: 'mcpJson', uri: 'file:///w/.mcp.json', folder: undefined, title: '.mcp.json' },
  range: undefined,
  shadows: [],
};

function node(...args: readonly string[]): StdioLaunchPlan {
  return { kind: 'stdio', command: process.execPath, args, cwd: undefined, env: {} };
}

function remote(text: string): LaunchPlan {
  const address = parseServerAddress(text);
  if (address === undefined) throw new Error(`${text} is no address`);
  return { kind: 'http', ...address, headers: {} };
}

function portsFor(plan: LaunchPlan, options: Partial<DiagnosisPorts>): DiagnosisPorts {
  const network = { clock, platform: process.platform, random: Math.random };
  const loadHttp = (): Promise<CreateHttpClient> => Promise.resolve(createTestHttpClient);
  return {
    ...network,
    http: createTestHttpClient(),
    prepare: () => Promise.resolve(plan),
    launched: () => plan,
    environments: async () => ({ editor: process.env, login: process.env }),
    network: () => noProxy,
    createTransport: createTransports({ ...network, loadHttp, environment }),
    clientInfo: { name: 'patchbay', version: '0.0.0' },
    ...options,
  };
}

async function diagnose(
  plan: LaunchPlan,
  options: Partial<DiagnosisPorts> = {},
  startsServer = true,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  await diagnoseServer(
    { configured, problems: [], session: undefined, startsServer },
    portsFor(plan, options),
    (finding) => findings.push(finding),
    () => {},
    AbortSignal.timeout(30_000),
  );
  return findings;
}

const outcomes = (findings: readonly Finding[]): Record<string, string> =>
  Object.fromEntries(findings.map(({ title, outcome }) => [title, outcome]));
const seen = (findings: readonly Finding[], title: string): string =>
  findings.flatMap((finding) => (finding.title === title ? finding.seen : [])).join('\n');

describe('a diagnosis of a local server', { timeout: 60_000 }, () => {
  it('goes all the way to the revision of one that works', async () => {
    const findings = await diagnose(node(script, '--revision=2025-11-25'));
    expect(outcomes(findings)).toEqual({
      Definition: 'fine',
      'Variables and trust': 'fine',
      Command: 'fine',
      Version: 'fine',
      'First bytes': 'fine',
      Revision: 'fine',
    });
    expect(seen(findings, 'Version')).toContain(process.version);
    expect(seen(findings, 'Revision')).toContain('2025-11-25 over stdio');
  });

  it('says where a command was looked for, and that the editor itself would find it', async () => {
    const plan = { ...node(), command: 'node' };
    const editor = { PATH: dirname(process.execPath) };
    const findings = await diagnose(plan, { environments: async () => ({ editor, login: { PATH: '/nowhere' } }) });
    expect(outcomes(findings)).toMatchObject({ Command: 'problem', Connection: 'skipped' });
    const command = findings.find(({ title }) => title === 'Command');
    expect(command?.folded).toEqual({ title: 'Searched in PATH', items: ['/nowhere'] });
    expect(seen(findings, 'Command')).not.toContain('/nowhere');
    // Windows writes the extension as PATHEXT has it.
    const text = `The PATH of the editor itself leads to ${process.execPath}`.toLowerCase();
    expect(seen(findings, 'Command').toLowerCase()).toContain(text);
    expect(command?.remedies).toEqual(['openConfiguration']);
  });

  it('shows what a process wrote before it ended', async () => {
    const crash = 'console.log("Welcome!"); console.error("no database"); setTimeout(() => process.exit(3), 200)';
    const warnings = ['Your environment variable DB is not set.'];
    const findings = await diagnose({ ...node('-e', crash), warnings });
    expect(outcomes(findings)).toMatchObject({ 'First bytes': 'notice', Process: 'problem' });
    // It may be the reason.
    expect(outcomes(findings)).toMatchObject({ 'Variables and trust': 'notice' });
    expect(seen(findings, 'Variables and trust')).toBe(warnings[0]);
    expect(seen(findings, 'First bytes')).toMatch(/stdout: Welcome![\s\S]*stderr: no database/);
    expect(seen(findings, 'Process')).toContain('exit code 3');
  });

  it('runs nothing that is not trusted', async () => {
    const refused = new PatchbayError('needsTrust', 'Server "notes" was not started, because you have not trusted it.');
    const findings = await diagnose(node('-e', ''), { prepare: () => Promise.reject(refused) });
    expect(outcomes(findings)).toEqual({ Definition: 'fine', Trust: 'problem' });
  });
});

describe('what is shown of why a server failed', { timeout: 60_000 }, () => {
  const started: string[] = [];
  async function examine(plan: LaunchPlan, options: Partial<DiagnosisPorts> = {}): Promise<readonly Finding[]> {
    const refuse = (what: string) => () => {
      started.push(what);
      return Promise.reject(new Error(what));
    };
    const ports = { prepare: refuse('question'), createTransport: refuse('start'), ...options };
    const findings = await diagnose(plan, ports, false);
    expect(started).toEqual([]);
    return findings;
  }

  it('is found out without a question, a start or another program: where its command is', async () => {
    const found = await examine(node('-e', ''));
    expect(outcomes(found)).toEqual({ Definition: 'fine', Command: 'fine' });
    const missing = await examine({ ...node(), command: 'no-such-program' });
    expect(outcomes(missing)).toEqual({ Definition: 'fine', Command: 'problem' });
    expect(outcomes(await examine(node(), { launched: () => undefined }))).toEqual({ Definition: 'fine' });
  });

  it('is found out without a message to a remote server: whether it can be reached', async () => {
    const requests: unknown[] = [];
    const web = closeLater(await listen(createServer((request) => requests.push(request.url))));
    const findings = await examine(remote(`http://localhost:${web.port}/mcp`));
    expect(outcomes(findings)).toEqual({ Definition: 'fine', 'Name (DNS)': 'fine', 'Port (TCP)': 'fine' });
    expect(requests).toEqual([]);
  });

  it('begins with the error and the next steps, which stay the same while more is found out', () => {
    const failure = new PatchbayError(
      'crashed',
      'The server stopped unexpectedly (exit code 1). It said:\nno database',
    );
    const given = { label: 'notes', startsServer: false, startedAt: 0, failure };
    const first = diagnosisView({ ...given, isFinished: false, findings: [] }, undefined);
    const missing: Finding = {
      title: 'Command',
      outcome: 'problem',
      seen: ['gone'],
      meaning: 'Install it.',
      remedies: ['openConfiguration'],
    };
    const last = diagnosisView({ ...given, isFinished: true, findings: [missing] }, undefined);
    expect(first.summary).toMatchObject({ kind: 'error', text: expect.stringContaining('exit code 1') });
    expect(first.summary?.actions.map(({ id }) => id)).toEqual(['showLog', 'openConfiguration', 'start']);
    expect(last.summary?.actions).toEqual(first.summary?.actions);
    expect(last.summary?.text).toContain('Install it.');
    expect(last.actions.map(({ label }) => label)).toEqual(['Diagnose']);
    expect(last.actions).toEqual(first.actions);
    const text = factsText(last);
    expect(text).toContain('The server was not started again.');
    expect(text).toContain(
      'Last error [Problem]\nThe server stopped unexpectedly (exit code 1). It said:\nno database',
    );
  });
});

describe('a diagnosis of a remote server', { timeout: 60_000 }, () => {
  it('goes all the way to the revision of one that works', async () => {
    const partner = await serveSdk2OverHttp('2026-07-28');
    const findings = await diagnose(remote(partner.url));
    await partner.close();
    expect(outcomes(findings)).toEqual({
      Definition: 'fine',
      'Variables and trust': 'fine',
      'Name (DNS)': 'fine',
      'Port (TCP)': 'fine',
      'Sign-in (well-known)': 'fine',
      'First bytes': 'fine',
      Revision: 'fine',
    });
    expect(seen(findings, 'Revision')).toContain('2026-07-28 over http');
  });

  it('tells an unknown name from a port where nothing listens', async () => {
    const unknown = await diagnose(remote('https://no-such-host.invalid/mcp'));
    expect(outcomes(unknown)).toMatchObject({ 'Name (DNS)': 'problem', Connection: 'skipped' });
    const closed = await diagnose(remote('http://127.0.0.1:1/mcp'));
    expect(outcomes(closed)).toMatchObject({ 'Name (DNS)': 'fine', 'Port (TCP)': 'problem', Connection: 'skipped' });
    expect(seen(closed, 'Port (TCP)')).toContain('ECONNREFUSED');
  });

  it('looks for the socket of one that listens there, and for no name, port and sign-in', async () => {
    const socket = createTestSocket();
    const missing = await diagnose(remote(socket.url()));
    expect(outcomes(missing)).toMatchObject({ Socket: 'problem', Connection: 'skipped' });
    expect(missing.find(({ title }) => title === 'Socket')).toMatchObject({
      seen: [`${socket.path}: ENOENT`],
      meaning: 'There is no such socket (ENOENT). Start the server, or check the path in "url".',
    });
    const partner = await serveSdk2OverHttp('2026-07-28', socket);
    const findings = await diagnose(remote(socket.url()));
    await partner.close();
    expect(outcomes(findings)).toEqual({
      Definition: 'fine',
      'Variables and trust': 'fine',
      Socket: 'fine',
      'First bytes': 'fine',
      Revision: 'fine',
    });
  });

  it('tells whose certificate is not believed, and a server that speaks no TLS', async () => {
    const tls = closeLater(await listen(createTlsServer(readCertificate('selfSigned', `${fixtures}certificates`))));
    const believed = await diagnose(remote(`https://localhost:${tls.port}/mcp`));
    expect(outcomes(believed)).toMatchObject({ 'Certificate (TLS)': 'problem', Connection: 'skipped' });
    expect(seen(believed, 'Certificate (TLS)')).toMatch(/issued by Patchbay tests[\s\S]*not trusted: \w*SELF_SIGNED/);
    const plain = closeLater(await listen(createServer()));
    const spoken = await diagnose(remote(`https://localhost:${plain.port}/mcp`));
    const finding = spoken.find(({ title }) => title === 'Certificate (TLS)');
    expect(finding).toMatchObject({ outcome: 'problem', meaning: expect.stringContaining('"http://"') });
  });

  it('believes the authorities that requests believe, and says where nothing is verified', async () => {
    const tls = closeLater(await listen(createTlsServer(readCertificate('server', `${fixtures}certificates`))));
    const url = `https://localhost:${tls.port}/mcp`;
    const outcome = async (settings: Partial<NetworkSettings>): Promise<string | undefined> =>
      outcomes(await diagnose(remote(url), { network: () => ({ ...noProxy, ...settings }) }))['Certificate (TLS)'];
    expect(await outcome({})).toBe('problem');
    expect(await outcome({ environment: { NODE_EXTRA_CA_CERTS: `${fixtures}certificates/authority.pem` } })).toBe(
      'fine',
    );
    expect(await outcome({ verifiesCertificates: false })).toBe('notice');
  });

  it('takes a way that is closed for no problem where there is a proxy', async () => {
    const proxy = { ...noProxy, proxy: 'http://me:secret@proxy.example:3128' };
    const findings = await diagnose(remote('https://no-such-host.invalid/mcp'), { network: () => proxy });
    expect(outcomes(findings)).toMatchObject({ Proxy: 'notice', 'Name (DNS)': 'notice' });
    expect(JSON.stringify(findings)).not.toContain('secret');
    expect(seen(findings, 'Proxy')).toContain('proxy.example:3128');
  });

  it.each<readonly [settings: Partial<NetworkSettings>, proxy: string | undefined]>([
    [{ proxy: 'http://a:1', environment: { HTTPS_PROXY: 'http://b:1' } }, 'a:1'],
    [{ environment: { http_proxy: 'http://b:1' } }, 'b:1'],
    [{ proxy: 'http://a:1', support: 'off' }, undefined],
    [{ proxy: 'http://a:1', support: 'on' }, 'a:1'],
    [{ proxy: 'http://a:1', noProxy: ['.invalid:443'] }, undefined],
    [{ proxy: 'http://a:1', noProxy: ['other'], environment: { NO_PROXY: 'invalid' } }, 'a:1'],
    [{ proxy: 'http://a:1', environment: { no_proxy: 'invalid' } }, undefined],
  ])('finds the proxy that VS Code uses: %j', async (settings, proxy) => {
    const findings = await diagnose(remote('https://no-such-host.invalid/mcp'), {
      network: () => ({ ...noProxy, ...settings }),
    });
    const finding = findings.find(({ title }) => title === 'Proxy');
    expect(finding?.seen).toEqual(proxy && [expect.stringContaining(`go through ${proxy} `)]);
  });
});

it('shows neither secrets nor what cannot be seen, and puts buttons beside their finding', () => {
  const plan: LaunchPlan = { ...node(), env: { API_KEY: 'sk-very-secret-1' } };
  const finding: Finding = {
    title: 'Process',
    outcome: 'problem',
    seen: ['bad key sk-very-secret-1\u202e', 'Authorization: Bearer abcdefghijk'],
    remedies: ['showLog'],
  };
  const diagnosis = { label: 'notes', startsServer: true, startedAt: 0, isFinished: true, findings: [finding] };
  const view = diagnosisView(diagnosis, plan);
  const text = factsText(view);
  expect(text).not.toMatch(/sk-very-secret|abcdefghijk|\u202e/);
  expect(text).toContain('\nProcess [Problem]\n');
  expect(view.summary?.actions.map(({ id }) => id)).toEqual(['showLog']);
});
