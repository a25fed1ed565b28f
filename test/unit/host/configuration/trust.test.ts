import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { isCancellation } from '../../../../src/base/errors.ts';
import type { ConfiguredServer } from '../../../../src/config/configuredServer.ts';
import { createLaunchPlan, type LaunchContext } from '../../../../src/config/createLaunchPlan.ts';
import type { ResolvedInput } from '../../../../src/config/expandVariables.ts';
import type { ServerDefinition } from '../../../../src/config/serverDefinition.ts';
import { type RequestedBy, UnrequestedStartError } from '../../../../src/host/configuration/requester.ts';
import {
  createLaunchPreparation,
  createTrustService,
  type TrustService,
} from '../../../../src/host/configuration/trust.ts';
import { copilotSource, fileSource, stdioView, userSource } from '../../../fixtures/launches.ts';
import { unhurried } from '../../../fixtures/unhurried.ts';
import { temporaryFolder } from '../../../fixtures/temporaryFolder.ts';
import { editor, unasked } from '../../../fixtures/vscode.ts';
import { sampleState } from '../sampleState.ts';

beforeEach(unhurried);

let folder: string;
let globalState: ReturnType<typeof sampleState>;
let path: string;

beforeEach(async () => {
  editor.answer = 'Start';
  globalState = sampleState();
  folder = await temporaryFolder();
  await mkdir(join(folder, 'bin'));
  await mkdir(join(folder, 'app'));
  path = join(folder, 'bin');
  await write('bin/node', 'node 1');
  await write('app/server.js', 'server 1');
});

async function write(name: string, text: string): Promise<void> {
  await writeFile(join(folder, name), text);
  await chmod(join(folder, name), 0o755);
}

function createTrust(workspaceState = sampleState()): TrustService {
  return createTrustService({
    workspaceState,
    globalState,
    isTest: false,
    platform: process.platform,
    folders: () => [join(folder, 'app')],
    environment: async () => ({ PATH: path }),
    sharedPaths: (choice) => (choice === 'none' ? [] : [join(folder, 'app')]),
    lookAlike: (label) => (label === 'nоtes' ? 'looks like “notes”, has Cyrillic letters' : undefined),
  });
}

/** The text of a document without the breaks that were put into its lines. */
function unwrapped(text: unknown): string {
  return String(text).replace(/ ↩\n/g, '');
}

function serverOf(definition: ServerDefinition, changes: Partial<ConfiguredServer> = {}): ConfiguredServer {
  const source = { ...fileSource, folder: { name: 'app', uri: '', path: join(folder, 'app') } };
  return { label: 'notes', definition, options: {}, source, range: undefined, shadows: [], ...changes };
}

async function start(
  trust: TrustService,
  line: readonly string[],
  changes: Partial<ConfiguredServer> = {},
  requestedBy: RequestedBy = 'person',
) {
  const [command = '', ...args] = line;
  const view = stdioView(line, { cwd: join(folder, 'app') });
  const plan = { kind: 'stdio', command, args, cwd: view.cwd, env: {} } as const;
  const asking = { requestedBy: () => requestedBy, signal: new AbortController().signal };
  return (await trust.load()).confirm(serverOf({ command, args }, changes), { plan, view }, asking);
}

describe('what is agreed to', () => {
  it('is asked again beside its details, which stay, with the focus on what starts nothing [consent-roots]', async () => {
    editor.answers.push('Show Details', 'Start');
    const trust = createTrust();
    await start(trust, ['node', 'server.js']);
    const [first, second] = editor.questions;
    expect(first?.buttons).toContain('Show Details');
    expect(second?.text).toBe(first?.text);
    expect(second?.choices.map(({ label }) => label)).toEqual([
      'Not Now',
      'Start',
      "Start and Don't Ask When Files Change",
    ]);
    expect(second?.options).toMatchObject({ ignoreFocusOut: true });
    expect(unwrapped(editor.documents.at(-1))).toContain(
      `It can see these folders: ${join(folder, 'app')}, and folders you add later`,
    );
    await start(trust, ['node', 'server.js']);
    expect(editor.questions).toHaveLength(2);
  });

  it.each([[[undefined]], [['Show Details', 'Not Now']], [['Show Details', undefined]]])(
    'is not started after %j: that is a cancellation and no failure, and is asked again next time',
    async (given) => {
      const trust = createTrust();
      editor.answers.push(...given);
      await expect(start(trust, ['node', 'server.js'])).rejects.toSatisfy(isCancellation);
      expect((await trust.load()).trustedServers()).toEqual([]);
      await start(trust, ['node', 'server.js']);
      expect(editor.questions).toHaveLength(given.length + 1);
    },
  );

  it('has Start first where the person asks for a start without risks, and the details first otherwise', async () => {
    const firstButton = async (...asked: Parameters<typeof start>): Promise<unknown> => {
      await start(...asked);
      return editor.questions.at(-1)?.buttons[0];
    };
    expect(await firstButton(createTrust(), ['node', 'server.js'])).toBe('Start');
    expect(await firstButton(createTrust(), ['npx', '-y', 'x'])).toBe('Start');
    expect(await firstButton(createTrust(), ['node', 'server.js'], {}, 'extension')).toBe('Show Details');
    expect(await firstButton(createTrust(), ['sudo', 'node'])).toBe('Show Details');
    expect(await firstButton(createTrust(), ['node'], { label: 'nоtes' })).toBe('Show Details');
    const trust = createTrust();
    expect(await firstButton(trust, ['node', 'server.js'])).toBe('Start');
    expect(await firstButton(trust, ['node', 'server.js', '--changed'])).toBe('Show Details');
  });

  it('is started without a question where it is the demo server of the extension, for nobody too', async () => {
    const source = { kind: 'demo', uri: undefined, folder: undefined, title: 'Built-in demo server' } as const;
    await start(createTrust(), ['node', 'demoServer.js'], { label: 'demo', source });
    expect(editor.questions).toEqual([]);
    await start(createTrust(), ['node', 'demoServer.js'], { label: 'demo' });
    expect(editor.questions).toHaveLength(1);
  });

  it('is agreed to under a new name for the same launch alone', async () => {
    const trust = createTrust();
    await start(trust, ['node', 'server.js']);
    await (await trust.load()).rename(serverOf({ command: 'node', args: ['server.js'] }), 'better');
    await start(trust, ['node', 'server.js'], { label: 'better' });
    expect(editor.questions).toHaveLength(1);
    await start(trust, ['node', 'other.js'], { label: 'better' });
    await start(trust, ['node', 'server.js']);
    expect(editor.questions).toHaveLength(3);
  });

  it('shows the choice of folders that is set', async () => {
    editor.answers.push('Show Details');
    await start(createTrust(), ['node', 'server.js'], { options: { roots: 'none' } });
    expect(editor.documents.at(-1)).toContain('It can see no workspace folder.');
  });

  it.each([userSource, copilotSource])('asks once for all workspaces about a server of $title', async (source) => {
    await start(createTrust(), ['node', '--fast'], { source });
    await start(createTrust(), ['node', '--fast'], { source });
    expect(editor.questions).toHaveLength(1);
    editor.answers.push('Show Details');
    await start(createTrust(), ['node', '--slow'], { source });
    expect(editor.questions).toHaveLength(3);
    expect(unwrapped(editor.documents.at(-1))).toContain('and the folders of any other window that uses it');
  });

  it.each([
    [userSource, true],
    [copilotSource, true],
    [fileSource, false],
    [{ ...fileSource, kind: 'codeWorkspace' as const, title: 'all.code-workspace' }, false],
  ])(
    'in Restricted Mode, is nothing that a workspace defines, with a folder or without: $title',
    (source, isAllowed) => {
      editor.isTrusted = false;
      const check = (): void => createTrust().checkWorkspace(serverOf({ command: 'node' }, { source }));
      if (isAllowed) expect(check).not.toThrow();
      else expect(check).toThrow(expect.objectContaining({ code: 'needsTrust' }));
    },
  );

  it.each([
    ['${workspaceFolder}/w.js', false, true],
    ['${workspaceFolder}/w.js', true, false],
    ['/usr/lib/w.js', false, false],
  ])(
    'is asked about with a warning where it uses a folder in Restricted Mode: %s, %s',
    async (file, isTrusted, isSaid) => {
      editor.isTrusted = isTrusted;
      await start(createTrust(), ['node', file], { source: userSource, definition: { command: 'node', args: [file] } });
      expect(editor.questions[0]?.detail.includes('which is in Restricted Mode')).toBe(isSaid);
    },
  );

  it('was asked for with the label that another one looks like', async () => {
    await start(createTrust(), ['node'], { label: 'nоtes' });
    await start(createTrust(), ['node', '--other']);
    expect(editor.questions.map(({ detail }) => detail.includes("This server's name looks like “notes”"))).toEqual([
      true,
      false,
    ]);
  });

  it.each([
    [['${workspaceFolder}'], userSource],
    [['${workspaceFolderBasename}'], userSource],
    [['${workspaceRoot}'], userSource],
    [['${cwd}/x'], userSource],
    [['${workspaceRootFolderName}'], userSource],
    [['${A:-', '${workspaceFolder:w}'], copilotSource],
    [['${env:A:-', '${workspaceFolder:w}'], copilotSource],
    [['${env:A:-', '${workspaceFolder}'], userSource],
  ])('asks once in each workspace where the folder is part of the command, however often: %j', async (args, source) => {
    const definition = { command: 'node', args };
    const windows = [createTrust(), createTrust()];
    for (const window of [0, 1, 0, 1]) {
      const trust = windows[window];
      if (trust !== undefined) await start(trust, ['node', `/${window}`], { source, definition });
    }
    expect(editor.questions).toHaveLength(2);
  });

  it('is forgotten one by one', async () => {
    const trust = createTrust();
    await start(trust, ['node', 'server.js']);
    const agreements = (await trust.load()).trustedServers();
    expect(agreements).toMatchObject([{ label: 'notes', uri: fileSource.uri, filesMayChange: false }]);
    await (await trust.load()).forget(agreements);
    await start(trust, ['node', 'server.js']);
    expect(editor.questions.map(({ text }) => text.includes('has changed'))).toEqual([false, false]);
  });
});

describe.runIf(process.platform !== 'win32')('the files that run', () => {
  it('ask again when a script of the workspace has changed, and say so', async () => {
    const trust = createTrust();
    for (const line of [['node', 'server.js'], ['./server.js'], ['node', '--import=./server.js', 'x']]) {
      await write('app/server.js', 'server 1');
      await start(trust, line);
      const before = editor.questions.length;
      await start(trust, line);
      expect(editor.questions).toHaveLength(before);
      await write('app/server.js', 'server 2');
      await start(trust, line);
      expect(editor.questions).toHaveLength(before + 1);
      expect(editor.questions.at(-1)?.text).toContain('has changed');
      expect(editor.questions.at(-1)?.detail).toMatch(/The (file|program) \S+server\.js (has changed|was updated)/);
    }
  });

  it('may change where the person builds them, which is on record and can be taken back', async () => {
    const trust = createTrust();
    editor.answer = "Start and Don't Ask When Files Change";
    await start(trust, ['node', 'server.js']);
    expect(editor.questions[0]?.buttons).toEqual(['Start', "Start and Don't Ask When Files Change", 'Show Details']);
    await write('app/server.js', 'server 2');
    await start(trust, ['node', 'server.js']);
    expect(editor.questions).toHaveLength(1);
    expect((await trust.load()).trustedServers()).toMatchObject([{ filesMayChange: true }]);
    editor.answer = 'Start';
    editor.answers.push('Show Details');
    await start(trust, ['node', 'server.js', '--other']);
    expect(editor.documents.at(-1)).toMatch(/changes to:\n• .*server\.js/);
  });

  it('ask once for all servers after an update of the program', async () => {
    const trust = createTrust();
    await start(trust, ['node', 'server.js']);
    await start(trust, ['node', 'server.js'], { label: 'other' });
    await write('bin/node', 'node 2');
    await start(trust, ['node', 'server.js']);
    expect(editor.questions.at(-1)?.detail).toContain(`The program ${join(folder, 'bin', 'node')} was updated`);
    await start(trust, ['node', 'server.js'], { label: 'other' });
    expect(editor.questions).toHaveLength(3);
  });

  it('are read again after the answer: what was swapped meanwhile is asked about', async () => {
    const trust = createTrust();
    editor.answers.push(async () => {
      await write('app/server.js', 'swapped');
      return 'Start';
    });
    await start(trust, ['node', 'server.js']);
    expect(editor.questions).toHaveLength(2);
    expect(editor.questions[1]?.detail).toContain('server.js has changed');
  });

  it('are started by the very path that was looked at, also where PATH leads into the workspace', async () => {
    const trust = createTrust();
    await write('app/node', 'a trap');
    path = `${join(folder, 'app')}:${join(folder, 'bin')}`;
    expect(await start(trust, ['node', 'server.js'])).toMatchObject({ program: join(folder, 'app', 'node') });
    expect(editor.questions[0]?.detail).toContain('It runs the node of this folder');
    expect(editor.questions[0]?.detail).toContain('PATH leads into this folder');
  });

  it('are followed through links, and through the first line of a script', async () => {
    const trust = createTrust();
    await write('outside.js', 'outside 1');
    await symlink(join(folder, 'outside.js'), join(folder, 'app', 'link.js'));
    await start(trust, ['node', 'link.js']);
    expect(editor.questions[0]?.detail).toContain('link.js is a link out of this folder');
    await write('outside.js', 'outside 2');
    await start(trust, ['node', 'link.js']);
    expect(editor.questions[1]?.detail).toContain('outside.js has changed');
    await write('bin/tool', '#!/usr/bin/env node\n');
    await start(trust, ['tool']);
    await write('bin/node', 'node 2');
    await start(trust, ['tool']);
    expect(editor.questions.at(-1)?.detail).toContain(`The program ${join(folder, 'bin', 'node')} was updated`);
  });

  it('are not opened where they are no files', async () => {
    const trust = createTrust();
    await mkdir(join(folder, 'app', 'folder.js'));
    await start(trust, ['node', 'folder.js', '/dev/zero', 'missing.js']);
    expect(editor.questions[0]?.detail).not.toContain('/dev/zero:');
    expect(editor.questions).toHaveLength(1);
  });
});

describe('a start that nobody waits for', () => {
  it('asks nothing, and goes on where the definition is trusted', async () => {
    const trust = createTrust();
    await expect(start(trust, ['node', '--new'], {}, 'nobody')).rejects.toThrow(UnrequestedStartError);
    expect(editor.questions).toEqual([]);
    await start(trust, ['node', '--new']);
    await start(trust, ['node', '--new'], {}, 'nobody');
    await expect(start(trust, ['node', '--changed'], {}, 'nobody')).rejects.toThrow('has changed since you approved');
    expect(editor.questions).toHaveLength(1);
  });

  it('is told apart from one that another extension asks for', async () => {
    await start(createTrust(), ['node', '--new'], {}, 'extension');
    expect(editor.questions[0]?.detail).toMatch(/^Another extension wants to start this server\./);
  });
});

/** Starts servers, each with the answers to its inputs. */
function createStarts() {
  const trust = createTrust();
  return async (definition: ServerDefinition, answers: Readonly<Record<string, ResolvedInput>>) => {
    const plan = (server: ConfiguredServer, changes: Pick<LaunchContext, 'resolveInput' | 'leavesInputs'>) =>
      createLaunchPlan(server, {
        folders: [],
        userHome: folder,
        pathSeparator: '/',
        environment: {},
        realPath: async (socket) => socket,
        readTextFile: async () => 'A=1',
        ...changes,
      });
    const answer = (id: string): ResolvedInput => answers[id] ?? typed('');
    const written = async (id: string) => ({ ...answer(id), value: `\${input:${id}}` });
    const ask = async (id: string) => {
      editor.questions.push({ ...unasked, text: `input: ${id}` });
      return answer(id);
    };
    const prepare = createLaunchPreparation(
      {
        resolve: (server, requestedBy) =>
          plan(server, requestedBy ? { resolveInput: ask } : { leavesInputs: true, resolveInput: written }),
      },
      trust,
    );
    editor.questions.splice(0);
    return prepare(serverOf(definition), () => 'person', new AbortController().signal);
  };
}

function typed(value: string): ResolvedInput {
  return { value, isSecret: false, isSaved: false };
}

function saved(value: string): ResolvedInput {
  return { ...typed(value), isSaved: true };
}

function result(value: string): ResolvedInput {
  return { ...typed(value), isResult: true };
}

const kinds = (): string[] => editor.questions.map(({ text }) => (text.startsWith('input: ') ? 'input' : 'trust'));
const textOf = (index: number): string | undefined => editor.questions[index]?.detail;

describe.runIf(process.platform !== 'win32')('the inputs of a server', () => {
  beforeEach(async () => {
    for (const name of ['one.js', 'two.js']) await write(`app/${name}`, name);
  });

  it('are asked for after the question about its definition, which has their names', async () => {
    const launch = createStarts();
    const definition = { command: 'node', args: ['one.js', '--token', '${input:token}'], env: { A: '${input:a}' } };
    const secret = { value: 'hunter2', isSecret: true, isSaved: false };
    expect(await launch(definition, { token: secret, a: typed('x') })).toMatchObject({
      args: ['one.js', '--token', 'hunter2'],
      env: { A: 'x' },
    });
    expect(kinds()).toEqual(['trust', 'input', 'input']);
    expect(textOf(0)).toContain('${input:token}');
    expect(textOf(0)).toContain('Hands the value you enter for the input token to node one.js.');
    expect(textOf(0)).not.toContain('hunter2');
    await launch(definition, { token: { ...secret, isSaved: true }, a: typed('other') });
    expect(kinds()).toEqual(['input', 'input']);
  });

  it('ask nothing more for a script that the person enters, until it changes', async () => {
    const launch = createStarts();
    const definition = { command: 'node', args: ['${input:script}'] };
    await launch(definition, { script: typed('one.js') });
    expect(kinds()).toEqual(['trust', 'input']);
    await launch(definition, { script: saved('one.js') });
    expect(kinds()).toEqual(['input']);
    await writeFile(join(folder, 'app', 'one.js'), 'other');
    await launch(definition, { script: saved('one.js') });
    expect(kinds()).toEqual(['input', 'trust']);
    expect(textOf(1)).toContain('The values of its inputs decide what runs.');
    expect(textOf(1)).toMatch(/The file \S+one\.js has changed/);
    await launch(definition, { script: typed('two.js') });
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
    const launch = createStarts();
    await launch(definition, { c: result(value) });
    expect(kinds()).toEqual(['trust', 'input', 'trust']);
    expect(textOf(2)).toContain(value);
    await launch(definition, { c: result(value) });
    expect(kinds()).toEqual(['input']);
  });

  it('ask nothing more where the result of a command decides nothing', async () => {
    const launch = createStarts();
    for (const port of ['8080', '8081']) {
      await launch({ command: 'node', args: ['one.js', '--port', '${input:c}'] }, { c: result(port) });
    }
    expect(kinds()).toEqual(['input']);
  });
});
