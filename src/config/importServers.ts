import { isRecord, isString, type UnknownRecord } from '../base/json.ts';
import { limits } from '../base/limits.ts';
import type { InputDefinition } from './inputs.ts';
import { parseJsonDocument } from './jsonDocument.ts';
import { type ParsedConfiguration, parseServersSetting } from './parseConfiguration.ts';
import type { ServerDefinition } from './serverDefinition.ts';

/** The file formats of other clients. */
export type ImportFormat = 'mcpServers' | 'claudeCode' | 'vscode' | 'zed';

/** A file that may define servers for another client. */
export interface ImportCandidate {
  readonly client: string;
  readonly format: ImportFormat;
  readonly path: string;
}

/** The machine whose clients are searched. */
export interface ImportPlace {
  readonly platform: 'win32' | 'darwin' | 'linux';
  readonly userHome: string;
  /** For `APPDATA` and `XDG_CONFIG_HOME`. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** @returns the user-level configuration files of other clients, whether they exist or not */
export function importCandidates(place: ImportPlace): ImportCandidate[] {
  const { userHome } = place;
  const settings = settingsFolder(place);
  const inHome = (client: string, format: ImportFormat, ...segments: string[]): ImportCandidate => {
    return { client, format, path: join(place, userHome, ...segments) };
  };
  const inSettings = (client: string, format: ImportFormat, ...segments: string[]): ImportCandidate => {
    return { client, format, path: join(place, settings, ...segments) };
  };
  return [
    inSettings('Claude Desktop', 'mcpServers', 'Claude', 'claude_desktop_config.json'),
    inHome('Claude Code', 'claudeCode', '.claude.json'),
    inHome('Cursor', 'mcpServers', '.cursor', 'mcp.json'),
    inHome('Windsurf', 'mcpServers', '.codeium', 'windsurf', 'mcp_config.json'),
    inHome('Gemini CLI', 'mcpServers', '.gemini', 'settings.json'),
    inSettings('VS Code', 'vscode', 'Code', 'User', 'mcp.json'),
    inSettings('VS Code Insiders', 'vscode', 'Code - Insiders', 'User', 'mcp.json'),
    inSettings('VSCodium', 'vscode', 'VSCodium', 'User', 'mcp.json'),
    inSettings(
      'Cline',
      'mcpServers',
      'Code',
      'User',
      'globalStorage',
      'saoudrizwan.claude-dev',
      'settings',
      'cline_mcp_settings.json',
    ),
    place.platform === 'win32'
      ? inSettings('Zed', 'zed', 'Zed', 'settings.json')
      : inHome('Zed', 'zed', '.config', 'zed', 'settings.json'),
  ];
}

function settingsFolder(place: ImportPlace): string {
  const { platform, userHome, environment } = place;
  switch (platform) {
    case 'win32':
      return environment['APPDATA'] ?? join(place, userHome, 'AppData', 'Roaming');
    case 'darwin':
      return join(place, userHome, 'Library', 'Application Support');
    case 'linux':
      return environment['XDG_CONFIG_HOME'] ?? join(place, userHome, '.config');
  }
}

function join({ platform }: ImportPlace, ...segments: string[]): string {
  return segments.join(platform === 'win32' ? '\\' : '/');
}

/** A server definition of another client. */
export interface ImportedServer {
  readonly label: string;
  readonly definition: ServerDefinition;
  /** The project it belongs to; `undefined` for all projects. */
  readonly project: string | undefined;
}

export interface Import {
  readonly servers: readonly ImportedServer[];
  /** The inputs that the definitions use; only VS Code's files have them. */
  readonly inputs: readonly InputDefinition[];
  /** One sentence for each entry that cannot be imported. */
  readonly problems: readonly string[];
}

/** Reads the servers in a file of another client. Never throws. */
export function importServers(text: string, format: ImportFormat): Import {
  const value: unknown = parseJsonDocument(text, limits.import).root?.value;
  if (!isRecord(value)) return { servers: [], inputs: [], problems: ['The file is not a JSON object.'] };
  switch (format) {
    case 'mcpServers':
      return toImport(value['mcpServers'], undefined);
    case 'vscode':
      return toImport(value['servers'], undefined, value['inputs']);
    case 'zed':
      return toImport(fromZed(value['context_servers']), undefined);
    case 'claudeCode':
      return concatenate([toImport(value['mcpServers'], undefined), ...claudeProjects(value['projects'])]);
  }
}

/**
 * Reads a snippet of documentation: a whole file of any client, part of one (`"label": { … }`), or a single definition,
 * which gets `fallbackLabel`. Never throws.
 */
export function importPasted(text: string, fallbackLabel: string): Import {
  const trimmed = text.trim().replace(/,$/, '');
  const whole: unknown = parseJsonDocument(trimmed.startsWith('"') ? `{${trimmed}}` : trimmed).root?.value;
  if (!isRecord(whole)) return { servers: [], inputs: [], problems: ['The text is not a JSON object.'] };
  if (isRecord(whole['mcp'])) return fromPastedObject(whole['mcp'], fallbackLabel);
  return fromPastedObject(whole, fallbackLabel);
}

function fromPastedObject(whole: UnknownRecord, fallbackLabel: string): Import {
  if (isRecord(whole['mcpServers'])) return toImport(whole['mcpServers'], undefined);
  if (isRecord(whole['servers'])) return toImport(whole['servers'], undefined, whole['inputs']);
  if (isRecord(whole['context_servers'])) return toImport(fromZed(whole['context_servers']), undefined);
  const isDefinition = ['command', 'url', 'serverUrl', 'httpUrl'].some((key) => isString(whole[key]));
  return toImport(isDefinition ? { [fallbackLabel]: whole } : whole, undefined);
}

function toImport(servers: unknown, project: string | undefined, inputs?: unknown): Import {
  if (!isRecord(servers)) return { servers: [], inputs: [], problems: [] };
  const normal = Object.fromEntries(Object.entries(servers).map(([label, entry]) => [label, normalise(entry)]));
  const parsed: ParsedConfiguration = parseServersSetting(normal, inputs);
  return {
    servers: parsed.servers.map(({ label, definition }) => ({ label, definition, project })),
    inputs: parsed.inputs,
    problems: parsed.problems.filter(({ severity }) => severity === 'error').map(({ message }) => message),
  };
}

/** Windsurf uses `serverUrl`, Gemini CLI `httpUrl`. */
function normalise(entry: unknown): unknown {
  if (!isRecord(entry)) return entry;
  const { serverUrl, httpUrl, ...rest } = entry;
  if (isString(httpUrl)) return { ...rest, type: 'http', url: httpUrl };
  return isString(serverUrl) && rest['url'] === undefined ? { ...rest, url: serverUrl } : rest;
}

/** In Zed the command is either a string or an object with path, args and env. */
function fromZed(servers: unknown): unknown {
  if (!isRecord(servers)) return undefined;
  return Object.fromEntries(
    Object.entries(servers).flatMap(([label, entry]) => {
      if (!isRecord(entry) || (entry['command'] === undefined && entry['url'] === undefined)) return [];
      const { command } = entry;
      const isNested = isRecord(command) && isString(command['path']);
      return [
        [
          label,
          isNested
            ? { command: command['path'], args: command['args'], env: command['env'] ?? undefined }
            : pickZed(entry),
        ],
      ];
    }),
  );
}

function pickZed({ command, args, env, url, headers }: UnknownRecord): UnknownRecord {
  return { command, args, env: env ?? undefined, url, headers };
}

function claudeProjects(projects: unknown): Import[] {
  if (!isRecord(projects)) return [];
  return Object.entries(projects).map(([path, project]) =>
    toImport(isRecord(project) ? project['mcpServers'] : undefined, path),
  );
}

function concatenate(imports: readonly Import[]): Import {
  return {
    servers: imports.flatMap(({ servers }) => servers),
    inputs: imports.flatMap(({ inputs }) => inputs),
    problems: imports.flatMap(({ problems }) => problems),
  };
}
