import { readdir } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { messageOf } from '../base/errors.ts';
import { limits } from '../base/limits.ts';
import { configurationPaths, containerFile, copilotFile } from '../config/configurationPaths.ts';
import { type ConfigurationProblem, createLocator } from '../config/configurationProblem.ts';
import type { ConfigurationSource, ConfiguredServer, WorkspaceFolder } from '../config/configuredServer.ts';
import type { InputDefinition } from '../config/inputs.ts';
import { type LoadedSource, mergeConfiguration } from '../config/mergeConfiguration.ts';
import { parseConfiguration } from '../config/parseConfiguration.ts';
import { type FileKind, limitsOf, mayHaveServers } from '../config/serverSection.ts';
import { readOrdinaryFile } from '../transport/stdio/ordinaryFile.ts';
import { UsageError } from './exitCodes.ts';

/** A server of a configuration file, with what its file defines for it. */
export interface FoundServer {
  readonly server: ConfiguredServer;
  readonly inputs: readonly InputDefinition[];
  /** Where its definition is; lines from 1. */
  readonly place: { readonly path: string; readonly line: number };
}

export interface FoundServers {
  readonly servers: readonly FoundServer[];
  /** Errors and warnings of the files, as `.mcp.json:3: …`. */
  readonly problems: readonly string[];
  /** The files that were read. */
  readonly files: readonly string[];
}

interface ConfigurationFile {
  readonly path: string;
  readonly kind: FileKind;
  readonly source: ConfigurationSource;
  /** It must be there, and be readable. */
  readonly isNamed: boolean;
}

/**
 * Reads the servers of a folder, in the order of precedence of the editor, or those of one file.
 * @throws {UsageError} for a named file that cannot be used
 */
export async function loadServers(cwd: string, named: string | undefined): Promise<FoundServers> {
  const files = named === undefined ? await filesOf(cwd) : [namedFile(cwd, named)];
  const loaded = (await Promise.all(files.map(load))).filter((each) => each !== undefined);
  const sources = loaded.map(({ source }) => source);
  const { servers, problems } = mergeConfiguration(sources, { user: undefined, workspace: new Map() });
  const paths = new Map(loaded.map(({ source, file }) => [source.source.uri, { source, file }]));
  return {
    servers: servers.flatMap((server) => {
      const { source, file } = paths.get(server.source.uri) ?? {};
      if (source === undefined || file === undefined) return [];
      const place = { path: file.path, line: lineOf(source, server.range?.offset) };
      return [{ server, inputs: source.parsed.inputs, place }];
    }),
    problems: sources.flatMap((source, index) => describeProblems(source, problems[index] ?? [])),
    files: loaded.map(({ file }) => file.path),
  };
}

/** The kind of a file by its name and folder: what is not known is read like `.mcp.json`, which has the most forms. */
function kindOfFile(path: string): FileKind {
  const known = configurationPaths.find((file) => `${sep}${path}`.endsWith(`${sep}${join(file.path)}`));
  if (known !== undefined) return known.kind;
  if (basename(path) === copilotFile) return 'copilot';
  if (basename(path) === 'devcontainer.json') return 'devcontainer';
  return path.endsWith('.code-workspace') ? 'codeWorkspace' : 'mcpJson';
}

function namedFile(cwd: string, name: string): ConfigurationFile {
  const path = resolve(cwd, name);
  const kind = kindOfFile(path);
  const isInFolder = /[\\/]\.(?:vscode|cursor|github|devcontainer)$/.test(dirname(path));
  const folder = isInFolder ? dirname(dirname(path)) : dirname(path);
  return fileOf(kind, path, name, folder, true);
}

function fileOf(kind: FileKind, path: string, title: string, folder: string, isNamed: boolean): ConfigurationFile {
  const uri = pathToFileURL(path).toString();
  return { path, kind, isNamed, source: { kind, uri, folder: toFolder(folder), title } };
}

/** A folder as `${workspaceFolder}` and roots have it. */
export function toFolder(path: string): WorkspaceFolder {
  return { name: basename(path), uri: pathToFileURL(path).toString(), path };
}

async function filesOf(cwd: string): Promise<readonly ConfigurationFile[]> {
  const containers = await readdir(join(cwd, dirname(dirname(containerFile))), { withFileTypes: true }).catch(() => []);
  const names = containers.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const folders = names.toSorted().slice(0, limits.configuration.matching);
  return configurationPaths.flatMap(({ kind, path: pattern }) => {
    const found = pattern.includes('*') ? folders.map((name) => pattern.replace('*', () => name)) : [pattern];
    return found.map((path) => fileOf(kind, join(cwd, path), path, cwd, false));
  });
}

async function load(file: ConfigurationFile) {
  const { path, kind, source, isNamed } = file;
  try {
    const text = await readOrdinaryFile(path, limitsOf(kind).bytes);
    if (!isNamed && !mayHaveServers(text, kind)) return undefined;
    return { file, source: { source, text, parsed: parseConfiguration(text, kind) } satisfies LoadedSource };
  } catch (error) {
    const message = messageOf(error);
    if (isNamed) throw new UsageError(`The configuration file ${path} ${message}.`);
    if (message === 'does not exist') return undefined;
    const problem = {
      code: 'unreadable',
      severity: 'error',
      message: `The file ${message}.`,
      range: undefined,
    } as const;
    return { file, source: { source, parsed: { servers: [], labels: [], inputs: [], problems: [problem] } } };
  }
}

function lineOf({ text = '' }: LoadedSource, offset = 0): number {
  return createLocator(text)(offset).line + 1;
}

function describeProblems(source: LoadedSource, problems: readonly ConfigurationProblem[]): readonly string[] {
  return problems
    .filter(({ severity }) => severity !== 'information')
    .map(({ message, range }) => `${source.source.title}:${lineOf(source, range?.offset)}: ${message}`);
}
