import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ConfiguredServer } from '../../../../src/config/configuredServer.ts';
import { createLaunchPlan } from '../../../../src/config/createLaunchPlan.ts';
import type { ResolvedInput } from '../../../../src/config/expandVariables.ts';
import type { ServerDefinition } from '../../../../src/config/serverDefinition.ts';
import { createLaunchPreparation, TrustService } from '../../../../src/host/configuration/trust.ts';
import { unhurried } from '../../../fixtures/unhurried.ts';

beforeEach(unhurried);

/** What happens to the person, in order: questions about trust with their text, and inputs. */
const events = vi.hoisted((): string[] => []);
vi.mock('vscode', () => ({
  EventEmitter: class {
    dispose() {}
  },
  workspace: { isTrusted: true, registerTextDocumentContentProvider: () => ({ dispose: () => {} }) },
  window: {
    showWarningMessage: async (message: string, { detail }: { detail: string }) => {
      events.push(`trust: ${message}\n${detail}`);
      return 'Start Server';
    },
  },
}));

let folder: string;

beforeEach(async () => {
  events.splice(0);
  folder = await realpath(await mkdtemp(join(tmpdir(), 'inputs-')));
  await mkdir(join(folder, 'app'));
  await writeFile(join(folder, 'node'), '', { mode: 0o755 });
  for (const name of ['one.js', 'two.js']) await writeFile(join(folder, 'app', name), name);
});

afterEach(() => rm(folder, { recursive: true }));

/** Starts servers, each with the answers to its inputs. */
function createStarts() {
  const values = new Map<string, unknown>();
  const memento = {
    keys: () => [...values.keys()],
    get: (key: string) => values.get(key),
    update: async (key: string, value: unknown) => void values.set(key, value),
  };
  const app = { name: 'app', uri: '', path: join(folder, 'app') };
  const trust = new TrustService({
    workspaceState: memento,
    globalState: memento,
    isTest: false,
    platform: process.platform,
    folders: () => [app.path],
    environment: async () => ({ PATH: folder }),
    showConfiguration: async () => {},
    roots: { sharedPaths: () => [], choose: async () => undefined },
    start: async () => {},
    lookAlike: () => undefined,
  });
  return async (definition: ServerDefinition, answers: Readonly<Record<string, ResolvedInput>>) => {
    const server: ConfiguredServer = {
      label: 'notes',
      definition,
      options: {},
      source: { kind: 'vscode', uri: 'file:///w', folder: app, title: '.vscode/mcp.json' },
      range: undefined,
      shadows: [],
    };
    const answer = (id: string): ResolvedInput => answers[id] ?? { value: '', isSecret: false, isSaved: false };
    const context = {
      folders: [app],
      userHome: folder,
      pathSeparator: '/' as const,
      environment: {},
      realPath: async (path: string) => path,
      readTextFile: async () => 'A=1',
    };
    const prepare = createLaunchPreparation(
      {
        describe: (described) =>
          createLaunchPlan(described, {
            ...context,
            leavesInputs: true,
            resolveInput: async (id) => ({ ...answer(id), value: `\${input:${id}}` }),
          }),
        resolve: (resolved) =>
          createLaunchPlan(resolved, {
            ...context,
            resolveInput: async (id) => {
              events.push(`input: ${id}`);
              return answer(id);
            },
          }),
      },
      trust,
    );
    events.splice(0);
    return prepare(server, () => 'person', new AbortController().signal);
  };
}

function typed(value: string): ResolvedInput {
  return { value, isSecret: false, isSaved: false };
}

function saved(value: string): ResolvedInput {
  return { value, isSecret: false, isSaved: true };
}

function result(value: string): ResolvedInput {
  return { value, isSecret: false, isSaved: false, isResult: true };
}

const kinds = (): string[] => events.map((event) => event.replace(/:.*/s, ''));

describe.runIf(process.platform !== 'win32')('the inputs of a server', () => {
  it('are asked for after the question about its definition, which has their names', async () => {
    const start = createStarts();
    const definition = { command: 'node', args: ['one.js', '--token', '${input:token}'], env: { A: '${input:a}' } };
    const secret = { value: 'hunter2', isSecret: true, isSaved: false };
    expect(await start(definition, { token: secret, a: typed('x') })).toMatchObject({
      args: ['one.js', '--token', 'hunter2'],
      env: { A: 'x' },
    });
    expect(kinds()).toEqual(['trust', 'input', 'input']);
    expect(events[0]).toContain('${input:token}');
    expect(events[0]).toContain('Hands the value you enter for the input token to node one.js.');
    expect(events[0]).not.toContain('hunter2');
    await start(definition, { token: { ...secret, isSaved: true }, a: typed('other') });
    expect(kinds()).toEqual(['input', 'input']);
  });

  it('ask nothing more for a script that the person enters, until it changes', async () => {
    const start = createStarts();
    const definition = { command: 'node', args: ['${input:script}'] };
    await start(definition, { script: typed('one.js') });
    expect(kinds()).toEqual(['trust', 'input']);
    await start(definition, { script: saved('one.js') });
    expect(kinds()).toEqual(['input']);
    await writeFile(join(folder, 'app', 'one.js'), 'other');
    await start(definition, { script: saved('one.js') });
    expect(kinds()).toEqual(['input', 'trust']);
    expect(events[1]).toContain('The values of its inputs decide what runs.');
    expect(events[1]).toMatch(/The file \S+one\.js has changed/);
    await start(definition, { script: typed('two.js') });
    expect(kinds()).toEqual(['input']);
  });

  it.each<[string, ServerDefinition, string]>([
    ['a script', { command: 'node', args: ['${input:c}'] }, 'two.js'],
    ['an option with a script', { command: 'node', args: ['${input:c}', 'one.js'] }, '--require=./two.js'],
    ['code', { command: 'node', args: ['${input:c}', 'x'] }, '--eval=process.exit()'],
    ['code for a shell', { command: 'bash', args: ['-c', '${input:c}'] }, 'rm -rf ~'],
    ['a package', { command: 'npx', args: ['-y', '${input:c}'] }, 'evil@1.0.0'],
    ['a folder', { command: 'node', args: ['one.js'], cwd: '${input:c}' }, '/'],
    ['a program', { command: '${input:c}', args: [] }, './one.js'],
    ['options of Node.js', { command: 'node', env: { NODE_OPTIONS: '${input:c}' } }, '--import=data:text/javascript,x'],
    ['a host', { url: 'https://${input:c}/mcp' }, 'evil.example'],
    ['an environment file', { command: 'node', args: ['one.js'], envFile: '${input:c}' }, 'two.js'],
  ])('ask again where the result of a command is %s, and not each time', async (_, definition, value) => {
    const start = createStarts();
    await start(definition, { c: result(value) });
    expect(kinds()).toEqual(['trust', 'input', 'trust']);
    expect(events[2]).toContain(value);
    await start(definition, { c: result(value) });
    expect(kinds()).toEqual(['input']);
  });

  it('ask nothing more where the result of a command decides nothing', async () => {
    const start = createStarts();
    for (const port of ['8080', '8081']) {
      await start({ command: 'node', args: ['one.js', '--port', '${input:c}'] }, { c: result(port) });
    }
    expect(kinds()).toEqual(['input']);
  });
});
