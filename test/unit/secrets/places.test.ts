import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rules } from '@secretlint/secretlint-rule-preset-recommend';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { LaunchPlan } from '../../../src/base/launchPlan.ts';
import { createNullLogger } from '../../../src/base/logger.ts';
import { findSecrets, maskSecrets } from '../../../src/client/sampling/secretMarks.ts';
import { traceJson } from '../../../src/client/trace/traceJson.ts';
import { CallHistory } from '../../../src/host/calls/callHistory.ts';
import { withoutSecrets } from '../../../src/workshop/savedCalls/savedCallArguments.ts';
import { AuditFile } from '../../../src/host/servers/auditFile.ts';
import { createSecretCollector } from '../../../src/host/servers/knownSecrets.ts';
import { createToolDrafts } from '../../../src/host/tools/toolFiles.ts';
import type { SamplingRequest } from '../../../src/protocol/mcp/sampling.ts';
import { createKeyFinder } from '../../../src/secrets/keyFormats.ts';
import { createRedactor } from '../../../src/secrets/redactor.ts';
import { temporaryFolder } from '../../fixtures/temporaryFolder.ts';
import { sample, spellings } from './spellings.ts';

vi.mock('vscode', () => ({ workspace: { getConfiguration: () => ({ inspect: () => ({ globalValue: true }) }) } }));

const pause = async (): Promise<void> => {};
const plan: LaunchPlan = { kind: 'stdio', command: 'x', args: ['--token', sample], cwd: undefined, env: {} };
const sources = { plans: new Map([['db', plan]]), tokens: new Map(), modelKeys: new Map() };
const collector = createSecretCollector(sources, () => [], pause);
const findKeys = await createKeyFinder(async () => ({ rules }));

let folder: string;
beforeEach(async () => {
  folder = await temporaryFolder();
});

/** All that is in the files of a folder. */
async function contents(path: string): Promise<string> {
  const names = await readdir(path, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return (await Promise.all(files.map((file) => readFile(file, 'utf8')))).join('\n');
}

/** A call with arguments and a result. @returns what the history keeps of them */
async function keepInHistory(args: object, content: readonly object[]): Promise<string> {
  const clock = { now: () => 1_800_000_000_000 };
  const history = new CallHistory(join(folder, 'history'), collector.holdsSecret, clock, createNullLogger());
  const call = { server: 'db', identity: 'a', tool: 'read', at: 1, outcome: 'done' } as const;
  const answer = { kind: 'result', result: { content, isError: false } } as never;
  const id = await history.record({ ...call, args: args as never, answer });
  const kept = await history.get(id ?? '');
  history.dispose();
  expect(kept?.omitted).toContain('The result was not kept: a known secret was found.');
  return contents(join(folder, 'history'));
}

async function keepDraft(text: string, description = text): Promise<string> {
  const drafts = createToolDrafts(join(folder, 'drafts'), createNullLogger(), collector.holdsSecret);
  const described = { name: 'read', description, inputSchema: { type: 'object' } } as const;
  await drafts.write('a', { text, tool: described });
  expect(await drafts.read('a')).toMatchObject({ text: '{}\n', isWithheld: true });
  return contents(join(folder, 'drafts'));
}

async function recordRead(uri: string): Promise<string> {
  const redact = async () => collector.redact;
  const audit = new AuditFile(join(folder, 'audit.jsonl'), () => 0, createNullLogger(), redact);
  audit.record({ server: 'db', action: 'resourceRead', outcome: `failed: no ${uri}`, detail: { uri } });
  await audit.dispose();
  return readFile(join(folder, 'audit.jsonl'), 'utf8');
}

function requestOf(...texts: readonly string[]): SamplingRequest {
  const content = texts.map((text) => ({ type: 'text' as const, text }));
  return { messages: [{ role: 'user', content }], maxTokens: 10 };
}

async function maskedRequest(request: SamplingRequest): Promise<string> {
  const search = { known: await collector.collect(), roots: ['/w'], home: '/home/u', findKeys, pause };
  const marks = await findSecrets(request, search);
  expect(marks.map(({ kind }) => kind)).toContain('secretInput');
  return JSON.stringify(await maskSecrets(request, marks, pause));
}

/** The least that each place must not show: what is left of the written secret after its beginning and its end. */
function expectNothingOf(written: string, kept: string): void {
  const inside = JSON.stringify(written).slice(1, -1);
  const middle = inside.slice(inside.length * 0.3, inside.length * 0.7);
  expect(kept).not.toContain(middle);
}

describe('a known secret', () => {
  it.each(Object.entries(spellings))('no place keeps it as %s', async (_name, write) => {
    const written = write(sample);
    const text = `Before it, ${written} and after it.`;
    const redactor = createRedactor(collector.current());
    expectNothingOf(written, traceJson({ method: 'm', params: { text } }, redactor));
    expectNothingOf(written, await keepInHistory({ text }, [{ type: 'text', text }]));
    expectNothingOf(written, await keepDraft(JSON.stringify({ text })));
    expectNothingOf(written, await recordRead(`notes://${text}`));
    expectNothingOf(written, await maskedRequest(requestOf(text)));
    const saved = withoutSecrets({ note: text }, await collector.search());
    expect(saved.doubtful).toHaveLength(1);
    expectNothingOf(written, JSON.stringify(saved.withPlaceholders));
  });

  it('no place keeps it split over two blocks', async () => {
    const [first, second] = [sample.slice(0, 12), sample.slice(12)];
    const blocks = [first, second].map((text) => ({ type: 'text', text, annotations: { priority: 1 } }));
    expect(await keepInHistory({ a: first, b: second }, blocks)).not.toContain(first);
    expect(await keepDraft(JSON.stringify({ a: first, b: [second] }), '')).not.toContain(second);
    expect(await maskedRequest(requestOf(first, second))).not.toContain('Tr0ub');
  });

  it('is the same one for all places, wherever it comes from', () => {
    const remote: LaunchPlan = {
      kind: 'http',
      url: new URL('https://t0ken-as-user@a.example/mcp?sig=s1gnature-8'),
      headers: { Authorization: `Basic ${btoa('ada:0pen-sesame')}`, 'X-Trace': 'x7f9a0b1c2d3' },
      auth: { clientSecret: 'cl1ent-secret', idp: { idToken: 'id-t0ken-here' } },
    };
    const local: LaunchPlan = {
      kind: 'stdio',
      command: 'x',
      args: [
        '--api-key=k3y-of-option',
        '--password',
        'pa55-after-it',
        '-e',
        'DB_TOKEN=t0ken-in-env',
        '--header=Authorization: Bearer b3arer-one',
        'postgres://me:pa55-in-url@db/x',
      ],
      cwd: undefined,
      env: { DATA: 'harml3ss-name-9' },
      envFileValues: { TOKEN: 'fr0m-env-file' },
      secrets: ['fr0m-input-1'],
      secretNames: ['${input:key}'],
    };
    const oauthTokens = ['0auth-access-token'];
    const all = createSecretCollector(
      {
        plans: new Map<string, LaunchPlan>([
          ['web', remote],
          ['local', local],
        ]),
        tokens: new Map([['web', () => oauthTokens]]),
        modelKeys: new Map([['gpt', 'm0del-key-77']]),
      },
      () => [],
      pause,
    );
    const values = `t0ken-as-user s1gnature-8 0pen-sesame x7f9a0b1c2d3 cl1ent-secret id-t0ken-here k3y-of-option pa55-after-it
      t0ken-in-env b3arer-one pa55-in-url harml3ss-name-9 fr0m-env-file fr0m-input-1 0auth-access-token m0del-key-77`;
    for (const value of values.split(/\s+/))
      expect(all.redact(`- ${btoa(value)} -`), value).not.toContain(btoa(value).slice(3, -6));
    expect(all.current()).toBe(all.current());
  });
});
