import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ConfiguredServer } from '../../../../src/config/configuredServer.ts';
import { createLaunchPlan, type LaunchContext } from '../../../../src/config/createLaunchPlan.ts';
import type { ResolvedInput } from '../../../../src/config/expandVariables.ts';
import type { RootsChoice, ServerDefinition } from '../../../../src/config/serverDefinition.ts';
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

/** The folders that the user chooses, each time. */
const folders: RootsChoice[] = [];

let folder: string;
let globalState: ReturnType<typeof sampleState>;
let path: string;

beforeEach(async () => {
  editor.answer = 'Start Server';
  folders.splice(0);
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
    showConfiguration: async () => {},
    roots: {
      sharedPaths: (choice) => (choice === 'none' ? [] : [join(folder, 'app')]),
      choose: async (label) => {
        editor.questions.push({ ...unasked, text: `folders of ${label}` });
        return folders.shift();
      },
    },
    start: async () => {},
    lookAlike: (label) => (label === 'nоtes' ? 'looks like “notes”, has Cyrillic letters' : undefined),
  });
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
  it('shows the folders again as they were chosen, before anything starts [consent-roots]', async () => {
    editor.answers.push('Choose Folders…', 'Choose Folders…');
    folders.push('none');
    await start(createTrust(), ['node', 'server.js']);
    const [first, choice, second, given, third] = editor.questions;
    expect(first?.detail).toContain(`told of these workspace folders: ${join(folder, 'app')}, any that is added later`);
    expect([choice, given]).toMatchObject([{ text: 'folders of notes' }, { text: 'folders of notes' }]);
    for (const asked of [second, third]) expect(asked?.detail).toContain('told of no workspace folder');
    expect(editor.questions).toHaveLength(5);
    const refused = createTrust();
    editor.answers.push('Choose Folders…', 'Show Configuration');
    await expect(start(refused, ['node', 'server.js'])).rejects.toMatchObject({ code: 'needsTrust' });
  });

  it('shows the choice that is set', async () => {
    await start(createTrust(), ['node', 'server.js'], { options: { roots: 'none' } });
    expect(editor.questions[0]?.detail).toContain('told of no workspace folder');
  });

  it.each([userSource, copilotSource])('asks once for all workspaces about a server of $title', async (source) => {
    await start(createTrust(), ['node', '--fast'], { source });
    await start(createTrust(), ['node', '--fast'], { source });
    expect(editor.questions).toHaveLength(1);
    expect(editor.questions[0]?.detail).toContain('those of any other window that starts it');
    await start(createTrust(), ['node', '--slow'], { source });
    expect(editor.questions).toHaveLength(2);
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

  it('was asked for with the label that another one looks like', async () => {
    await start(createTrust(), ['node'], { label: 'nоtes' });
    await start(createTrust(), ['node', '--other']);
    expect(editor.questions.map(({ detail }) => detail.includes("This server's label looks like “notes”"))).toEqual([
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
    editor.answer = "This Folder's Files May Change";
    await start(trust, ['node', 'server.js']);
    expect(editor.questions[0]?.buttons).toEqual([
      'Show Configuration',
      'Start Server',
      "This Folder's Files May Change",
      'Choose Folders…',
    ]);
    await write('app/server.js', 'server 2');
    await start(trust, ['node', 'server.js']);
    expect(editor.questions).toHaveLength(1);
    expect((await trust.load()).trustedServers()).toMatchObject([{ filesMayChange: true }]);
    editor.answer = 'Start Server';
    await start(trust, ['node', 'server.js', '--other']);
    expect(editor.questions.at(-1)?.detail).toContain('server.js may change.');
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
      return 'Start Server';
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
    expect(editor.questions[0]?.detail).toMatch(/^Another extension asks for this server\./);
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
