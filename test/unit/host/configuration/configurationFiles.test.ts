import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import {
  configurationFileAt,
  configurationFiles,
  documentSelector,
  loadConfiguration,
  watchedPattern,
  watchedPlaces,
} from '../../../../src/host/configuration/configurationFiles.ts';
import { saveTargets } from '../../../../src/host/configuration/saveServers.ts';
import { editor, FileType, type RelativePattern, Uri } from '../../../fixtures/vscode.ts';

const paths = [
  '.vscode/mcp.json',
  '.mcp.json',
  '.cursor/mcp.json',
  '.github/mcp.json',
  '.devcontainer/devcontainer.json',
  '.devcontainer.json',
];
/** Files that are about more than servers have schemas of their own; VS Code has one for its own file. */
const withOtherSchemas = /devcontainer|^\.vscode/;
const copilotFolder = join(homedir(), '.copilot');
const copilotFile = `${copilotFolder}/mcp-config.json`;

beforeEach(() => vi.stubEnv('COPILOT_HOME', undefined));
afterEach(() => vi.unstubAllEnvs());

it('reads the files of a folder and of the person, in their order of precedence, and follows each in every way', () => {
  expect(configurationFiles().map(({ source }) => source.title)).toEqual([...paths, '~/.copilot/mcp-config.json']);
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
    readonly contributes: { readonly jsonValidation: readonly JsonObject[] };
  };
  const [selector] = documentSelector;
  const selected = selector?.pattern.slice('**/{'.length, -1).split(',') ?? [];
  for (const path of paths) {
    expect(watchedPattern.slice(1, -1).split(',')).toContain(path);
    expect(selected).toContain(path);
    if (!withOtherSchemas.test(path))
      expect(manifest.contributes.jsonValidation[0]?.['fileMatch']).toContain(`/${path}`);
  }
  expect(selected).toEqual(expect.arrayContaining(['*.code-workspace', 'mcp-config.json']));
  expect(manifest.contributes.jsonValidation[0]?.['fileMatch']).toContain('/.copilot/mcp-config.json');
});

it("watches the folders, the folder of the workspace file and Copilot's", () => {
  editor.workspaceFile = Uri.file('/all/[my] work.code-workspace');
  vi.stubEnv('COPILOT_HOME', '/home/me/.copilot');
  const places = (watchedPlaces() as unknown as RelativePattern[]).map(({ base, pattern }) => {
    return [base instanceof Uri ? base.path : (base as { readonly name: string }).name, pattern];
  });
  expect(places).toEqual([
    ['w', watchedPattern],
    ['/all', '*.code-workspace'],
    ['/home/me/.copilot', 'mcp-config.json'],
    ['/home/me', '.copilot'],
  ]);
});

it('looks where Copilot CLI was told to keep its files', () => {
  vi.stubEnv('COPILOT_HOME', '/elsewhere');
  expect(configurationFiles().at(-1)?.uri.path).toBe('/elsewhere/mcp-config.json');
  vi.stubEnv('COPILOT_HOME', 'relative');
  expect(configurationFiles().at(-1)?.uri.path).toBe(copilotFile);
});

it('has no workspace file while the workspace was never saved', () => {
  editor.workspaceFile = { scheme: 'untitled', path: 'Untitled-1.code-workspace' };
  expect(configurationFiles().map(({ kind }) => kind)).not.toContain('codeWorkspace');
});

const load = async () => (await loadConfiguration(undefined, [])).snapshot;
const server = (command: string) => ({ command });

describe('the servers of other places', () => {
  it('are merged by precedence: folder, workspace file, Copilot, user settings', async () => {
    const [inContainer, inWorkspace, ofCopilot, ofSettings] = ['1', '2', '3', '4'].map(server);
    const mcp = { servers: { all: inContainer, container: inContainer }, inputs: [{ id: 'k', type: 'promptString' }] };
    editor.remoteName = 'dev-container';
    editor.workspaceFile = Uri.file('/w/all.code-workspace');
    editor.files.set('/w/.devcontainer/devcontainer.json', {
      text: JSON.stringify({ image: 'x', customizations: { vscode: { mcp } } }),
    });
    editor.files.set('/w/all.code-workspace', {
      text: JSON.stringify({
        folders: [],
        settings: { mcp: { servers: { all: inWorkspace, workspace: inWorkspace } } },
      }),
    });
    editor.files.set(copilotFile, {
      text: JSON.stringify({ mcpServers: { all: ofCopilot, copilot: { type: 'local', ...ofCopilot, tools: ['*'] } } }),
    });
    editor.settings['servers'] = { all: ofSettings, settings: ofSettings };
    const { servers, problemCount } = await load();
    expect(servers.map(({ label, source }) => [label, source.kind, source.title, source.folder?.name])).toEqual([
      ['all', 'devcontainer', '.devcontainer/devcontainer.json', 'w'],
      ['container', 'devcontainer', '.devcontainer/devcontainer.json', 'w'],
      ['workspace', 'codeWorkspace', 'all.code-workspace', 'w'],
      ['copilot', 'copilot', '~/.copilot/mcp-config.json', undefined],
      ['settings', 'user', 'User settings', undefined],
    ]);
    expect(servers[0]?.shadows.map(({ kind }) => kind)).toEqual(['codeWorkspace', 'copilot', 'user']);
    expect(problemCount).toEqual({ files: 0, settings: 0 });
  });

  it.each([
    ['/w/.devcontainer/devcontainer.json', '{"image": 3, "name": {"command": "x"}, broken'],
    ['/w/.devcontainer.json', '[]'],
    ['/w/all.code-workspace', '{"settings": {"servers": {"a": {}}}, "launch": {"command": "x"}}'],
    ['/w/all.code-workspace', '{"settings": {"mcp": {}, "mcpServers": {"a": {"command": "x"}}}}'],
  ])('are all that is read of %s: %s', async (path, text) => {
    editor.workspaceFile = Uri.file('/w/all.code-workspace');
    editor.files.set(path, { text });
    expect(await load()).toMatchObject({ servers: [], problemCount: { files: 0 } });
  });

  it('are counted as problems where they cannot be read, in the user settings too: they have no row', async () => {
    editor.files.set('/w/.mcp.json', { text: '{"mcpServers": {"a": {"command": 1}, "b": {"command": "x"}}}' });
    editor.settings['servers'] = { c: { args: [] }, d: { command: 'x' } };
    const { servers, problemCount } = await load();
    expect(servers.map(({ label }) => label)).toEqual(['b', 'd']);
    expect(problemCount).toEqual({ files: 1, settings: 1 });
  });

  it('are read of a large file about more, and nothing is said of one that is too large to read', async () => {
    editor.workspaceFile = Uri.file('/w/all.code-workspace');
    const words = Array.from({ length: 19_000 }, (_, index) => `word ${index}`);
    const text = JSON.stringify({ settings: { 'cSpell.words': words, mcp: { servers: { a: server('x') } } } });
    editor.files.set('/w/all.code-workspace', { text });
    editor.files.set('/w/.devcontainer.json', { size: 2 ** 30 });
    const { servers, problemCount } = await load();
    expect([servers.map(({ label }) => label), problemCount.files]).toEqual([['a'], 0]);
    expect((await saveTargets()).map((target) => target !== 'user' && target.source.title)[0]).toBe(
      'all.code-workspace',
    );
  });

  it('are read of each container that has a folder of its own', async () => {
    const file = (label: string) =>
      JSON.stringify({ customizations: { vscode: { mcp: { servers: { [label]: server('x') } } } } });
    for (const name of ['web', 'api']) {
      editor.files.set(`/w/.devcontainer/${name}`, { type: FileType.Directory });
      editor.files.set(`/w/.devcontainer/${name}/devcontainer.json`, { text: file(name) });
    }
    editor.files.set('/w/.devcontainer/web/more/devcontainer.json', { text: file('no') });
    const { servers } = await load();
    expect(servers.map(({ label, source }) => [label, source.kind, source.title])).toEqual([
      ['api', 'devcontainer', '.devcontainer/api/devcontainer.json'],
      ['web', 'devcontainer', '.devcontainer/web/devcontainer.json'],
    ]);
    const at = (path: string) => configurationFileAt(Uri.file(path) as never)?.source.title;
    expect(at('/w/.devcontainer/web/devcontainer.json')).toBe('.devcontainer/web/devcontainer.json');
    expect(at('/w/.devcontainer/web/more/devcontainer.json')).toBeUndefined();
    expect(at('/other/.devcontainer/web/devcontainer.json')).toBeUndefined();
    for (const text of [watchedPattern, documentSelector[0]?.pattern])
      expect(text).toContain('.devcontainer/*/devcontainer.json');
  });

  it('are marked where VS Code would not start them: outside the container', async () => {
    const mcp = { servers: { a: server('x') } };
    const path = '/w/.devcontainer.json';
    editor.files.set(path, { text: JSON.stringify({ customizations: { vscode: { mcp } } }) });
    const { servers, files } = await load();
    expect(servers).toHaveLength(1);
    expect(files.get(Uri.file(path).toString())?.problems).toMatchObject([
      { code: 'outsideContainer', severity: 'information' },
    ]);
  });
});

describe('the places for new servers', () => {
  const titles = async (): Promise<string[]> =>
    (await saveTargets()).map((target) => (target === 'user' ? 'settings' : target.source.title));

  it('are .mcp.json and the settings where there is no file', async () => {
    expect(await titles()).toEqual(['.mcp.json', 'settings']);
  });

  it('begin with the files that are there', async () => {
    editor.files.set('/w/.vscode/mcp.json', {});
    editor.files.set('/w/.github/mcp.json', {});
    expect(await titles()).toEqual(['.vscode/mcp.json', '.github/mcp.json', '.mcp.json', 'settings']);
    editor.files.set('/w/.mcp.json', {});
    expect(await titles()).toEqual(['.vscode/mcp.json', '.mcp.json', '.github/mcp.json', 'settings']);
  });

  it("include files about more only where they have servers, and not Copilot's", async () => {
    editor.workspaceFile = Uri.file('/w/all.code-workspace');
    editor.files.set('/w/.devcontainer.json', { text: '{"image": "x"}' });
    editor.files.set('/w/all.code-workspace', { text: '{"settings": {"mcp": {"servers": {"a": {"command": "x"}}}}}' });
    editor.files.set(copilotFile, { text: '{"mcpServers": {"a": {"command": "x"}}}' });
    expect(await titles()).toEqual(['all.code-workspace', '.mcp.json', 'settings']);
  });
});
