import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { sendToolCall } from '../../src/client/toolCalls/sendToolCall.ts';
import { ToolCalls } from '../../src/client/toolCalls/toolCalls.ts';
import { protocolRevisions } from '../../src/protocol/session/revision.ts';
import { CommandIds } from '../../src/host/commandIds.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** What `workshop` may import, and what is above it too. */
const toWorkshop = ['base', 'schema', 'secrets', 'protocol', 'transport', 'auth', 'config', 'models', 'client'];

/** Each layer, a folder or a file of src, with what it may import besides itself. */
const layers: Readonly<Record<string, readonly string[]>> = {
  base: [],
  schema: ['base'],
  secrets: ['base'],
  protocol: ['base', 'schema', 'secrets'],
  transport: ['base', 'secrets', 'protocol'],
  auth: ['base', 'secrets', 'protocol'],
  config: ['base', 'secrets', 'protocol'],
  models: ['base', 'secrets', 'protocol'],
  client: ['base', 'schema', 'secrets', 'protocol', 'transport/transport.ts', 'auth', 'config', 'models'],
  workshop: toWorkshop,
  shared: ['base', 'schema'],
  forms: ['base', 'schema'],
  webview: ['base', 'schema', 'shared', 'forms'],
  demo: ['base', 'protocol'],
  checker: ['base'],
  host: [...toWorkshop, 'workshop', 'shared', 'forms'],
  'extension.ts': ['base', 'host'],
  'headless.ts': ['base', 'secrets', 'protocol', 'transport', 'auth', 'config', 'models', 'client'],
  cli: [...toWorkshop, 'workshop', 'headless.ts'],
};

const lint = readFileSync(join(root, '.oxlintrc.json'), 'utf8');

/** The rooms of host, from the bottom up: each may import those before it. The files at the top of host are no rooms. */
const rooms = [...lint.matchAll(/"src\/host\/(\w+)\/\*\*"/g)].map(([, room = '']) => room).concat('compose');

const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.ts'));

function layerOf(path: string): string {
  return path.split('/')[0] ?? path;
}

/** What `path` imports, types and dynamic imports included: `src` paths without `src/`, or names of modules. */
function importsOf(path: string): readonly string[] {
  const text = readFileSync(join(root, 'src', path), 'utf8');
  const specifiers = [...text.matchAll(/\b(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)].map((match) => match[1] ?? '');
  return specifiers.map((name) => (name.startsWith('.') ? posix.join(posix.dirname(path), name) : name));
}

function mayImport(path: string, imported: string): boolean {
  const own = layerOf(path);
  return [own, ...(layers[own] ?? [])].some((allowed) => imported === allowed || imported.startsWith(`${allowed}/`));
}

function isInLayer(path: string): boolean {
  return Object.hasOwn(layers, layerOf(path));
}

function isBuiltin(name: string): boolean {
  return name.startsWith('node:') || builtinModules.includes(name);
}

function listViolations(paths: readonly string[], isWrong: (path: string, imported: string) => boolean): string[] {
  return paths.flatMap((path) =>
    importsOf(path).flatMap((imported) => (isWrong(path, imported) ? [`${path} imports ${imported}`] : [])),
  );
}

describe('the layers', () => {
  it('hold every source file', () => {
    expect(sources.filter((path) => !isInLayer(path))).toEqual([]);
    expect(sources.length).toBeGreaterThan(50);
  });

  it('import along the arrows only, types included', () => {
    const isWrong = (path: string, imported: string): boolean => isInLayer(imported) && !mayImport(path, imported);
    expect(listViolations(sources, isWrong)).toEqual([]);
  });

  it('know VS Code in host only', () => {
    const others = sources.filter((path) => !['host', 'extension.ts'].includes(layerOf(path)));
    expect(listViolations(others, (_path, imported) => imported === 'vscode')).toEqual([]);
  });

  it('use Node where it belongs only', () => {
    const nodeParts = [
      'transport/stdio/',
      'transport/network/',
      'workshop/suite/',
      'host/',
      'cli/',
      'demo/',
      'checker/main.ts',
      'headless.ts',
      'extension.ts',
    ];
    const others = sources.filter((path) => !nodeParts.some((part) => path.startsWith(part)));
    expect(listViolations(others, (_path, imported) => isBuiltin(imported))).toEqual([]);
  });

  it('keep views away from transports', () => {
    const views = sources.filter((path) => path.startsWith('host/sidebar/'));
    expect(views.length).toBeGreaterThan(0);
    expect(listViolations(views, (_path, imported) => layerOf(imported) === 'transport')).toEqual([]);
  });

  it('run schemas of servers in the checker only [schema-bounds]', () => {
    const others = sources.filter((path) => layerOf(path) !== 'checker');
    expect(listViolations(others, (_path, imported) => imported.startsWith('ajv'))).toEqual([]);
  });

  it('send calls of tools through one gate only [tool-consent]', () => {
    const texts = sources
      // Writes requests down for other programs, and reaches no server itself: see the next test.
      .filter(
        (path) => ['client', 'workshop', 'host', 'headless.ts', 'cli'].includes(layerOf(path)) && path !== requestText,
      )
      // Apps, which are no servers, answer such calls and make them.
      .filter((path) => !path.startsWith('client/apps/'))
      .map((path) => readFileSync(join(root, 'src', path), 'utf8'));
    const declares = (text: string, { name }: { readonly name: string }): boolean =>
      new RegExp(`(function|class) ${name}\\b`).test(text);
    const senders = texts.filter((text) => text.includes("'tools/call'"));
    expect(senders.map((text) => declares(text, sendToolCall))).toEqual([true]);
    const using = new RegExp(`\\b${sendToolCall.name}\\(`);
    const users = texts.filter((text) => !senders.includes(text) && using.test(text));
    expect(users.map((text) => declares(text, ToolCalls))).toEqual([true]);
  });

  it('write requests down without a way to send them [tool-consent]', () => {
    const exporters = sources.filter((path) => path.startsWith('host/calls/callExports'));
    expect(exporters).toContain(requestText);
    const isSender = (imported: string): boolean => ['client', 'transport'].includes(layerOf(imported));
    expect(listViolations(exporters, (_path, imported) => isSender(imported))).toEqual([]);
  });
});

/** The file that writes `tools/call` into texts that are copied. */
const requestText = 'host/calls/callExports.ts';

/** The room of a file of host; `undefined` for all else. */
function roomOf(path: string): string | undefined {
  const [layer, room = '', ...file] = path.split('/');
  return layer === 'host' && file.length > 0 ? room : undefined;
}

/** The folder of a file; the files at the top of host stand for themselves, as every room may use some of them. */
function folderOf(path: string): string {
  const folder = posix.dirname(path);
  return folder === 'host' ? path : folder;
}

describe('the rooms of host', () => {
  it('are those of the order of lint, in which src/README.md has them too', () => {
    const found = sources.map(roomOf).filter((room) => room !== undefined);
    expect([...new Set(found)].toSorted()).toEqual(rooms.toSorted());
    const readme = readFileSync(join(root, 'src/README.md'), 'utf8');
    expect([...readme.matchAll(/^\| `host\/(\w+)` \|/gm)].map(([, room]) => room)).toEqual(rooms);
  });

  it('import only rooms before them, types included', () => {
    const isWrong = (path: string, imported: string): boolean => {
      const [own, other] = [roomOf(path), roomOf(imported)];
      return own !== undefined && other !== undefined && rooms.indexOf(other) > rooms.indexOf(own);
    };
    expect(listViolations(sources, isWrong)).toEqual([]);
  });

  it('leave the API to extension.ts and compose', () => {
    const others = sources.filter((path) => path !== 'extension.ts' && roomOf(path) !== 'compose');
    expect(listViolations(others, (_path, imported) => imported === 'host/api.ts')).toEqual([]);
  });
});

describe('folders of src', () => {
  it('do not import each other', () => {
    const edges = new Set(
      sources.flatMap((path) =>
        importsOf(path).flatMap((imported) => (isInLayer(imported) ? `${folderOf(path)} ${folderOf(imported)}` : [])),
      ),
    );
    const mutual = [...edges].filter((edge) => {
      const [from = '', to = ''] = edge.split(' ');
      return from < to && edges.has(`${to} ${from}`);
    });
    expect(mutual.toSorted()).toEqual([]);
  });
});

describe('package.json', () => {
  const manifestText = readFileSync(join(root, 'package.json'), 'utf8');
  const manifest = JSON.parse(manifestText) as { contributes: { commands: { command: string }[] } };
  const translations = JSON.parse(readFileSync(join(root, 'package.nls.json'), 'utf8')) as Record<string, string>;

  it('contributes the commands of CommandIds', () => {
    const contributed = manifest.contributes.commands.map(({ command }) => command);
    expect(contributed.toSorted()).toEqual(Object.values<string>(CommandIds).toSorted());
  });

  it('names only texts that package.nls.json has, and all of them', () => {
    const keys = [...manifestText.matchAll(/%([\w.-]+)%/g)].map((match) => match[1] ?? '');
    expect([...new Set(keys)].toSorted()).toEqual(Object.keys(translations).toSorted());
  });

  it.each(['package.json', 'media/mcpServers.schema.json'])('offers each revision of the protocol, in %s', (file) => {
    const text = readFileSync(join(root, file), 'utf8');
    const [, offered = ''] = /"revision": \{[^}]*"(?:enum|examples)": (\[[^\]]*\])/.exec(text) ?? [];
    expect(JSON.parse(offered)).toEqual(protocolRevisions.toReversed());
  });
});

describe('the program behind the npm scripts', () => {
  it('needs no package before it has installed them', async () => {
    const { metafile } = await build({
      entryPoints: [join(root, 'test/tools/task.mjs')],
      absWorkingDir: root,
      bundle: true,
      format: 'esm',
      platform: 'node',
      packages: 'external',
      write: false,
      metafile: true,
    });
    const imports = Object.values(metafile.inputs).flatMap(({ imports: all }) => all);
    const atOnce = imports.filter(({ kind, external }) => kind === 'import-statement' && external === true);
    expect(atOnce.length).toBeGreaterThan(0);
    expect(atOnce.filter(({ path }) => !builtinModules.includes(path.replace(/^node:/, '')))).toEqual([]);
  });
});
