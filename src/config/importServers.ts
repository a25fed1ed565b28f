import { isRecord, isString } from '../base/json.ts';
import { limits } from '../base/limits.ts';
import type { InputDefinition } from './inputs.ts';
import { parseJsonDocument } from './jsonDocument.ts';
import { parseServersSetting } from './parseConfiguration.ts';
import type { ServerDefinition } from './serverDefinition.ts';

type ImportFormat = 'mcpServers' | 'claudeCode' | 'vscode' | 'zed';

export interface ImportPlace {
  readonly platform: 'win32' | 'darwin' | 'linux';
  readonly userHome: string;
  /** For `APPDATA` and `XDG_CONFIG_HOME`. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** @returns the user-level configuration files of other clients, whether they exist or not */
export function importCandidates({ platform, userHome, environment }: ImportPlace) {
  const isWindows = platform === 'win32';
  const settings = {
    win32: environment['APPDATA'] ?? `${userHome}/AppData/Roaming`,
    darwin: `${userHome}/Library/Application Support`,
    linux: environment['XDG_CONFIG_HOME'] ?? `${userHome}/.config`,
  }[platform];
  const cline = 'globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json';
  const rows: readonly (readonly [client: string, format: ImportFormat, path: string])[] = [
    ['Claude Desktop', 'mcpServers', `${settings}/Claude/claude_desktop_config.json`],
    ['Claude Code', 'claudeCode', `${userHome}/.claude.json`],
    ['Cursor', 'mcpServers', `${userHome}/.cursor/mcp.json`],
    ['Windsurf', 'mcpServers', `${userHome}/.codeium/windsurf/mcp_config.json`],
    ['Gemini CLI', 'mcpServers', `${userHome}/.gemini/settings.json`],
    ['VS Code', 'vscode', `${settings}/Code/User/mcp.json`],
    ['VS Code Insiders', 'vscode', `${settings}/Code - Insiders/User/mcp.json`],
    ['VSCodium', 'vscode', `${settings}/VSCodium/User/mcp.json`],
    ['Cline', 'mcpServers', `${settings}/Code/User/${cline}`],
    ['Zed', 'zed', isWindows ? `${settings}/Zed/settings.json` : `${userHome}/.config/zed/settings.json`],
  ];
  return rows.map(([client, format, written]) => {
    return { client, format, path: isWindows ? written.replaceAll('/', '\\') : written };
  });
}

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

const nothing: Import = { servers: [], inputs: [], problems: [] };

/** Reads the servers in a file of another client. Never throws. */
export function importServers(text: string, format: ImportFormat): Import {
  const value: unknown = parseJsonDocument(text, limits.import).root?.value;
  if (!isRecord(value)) return { ...nothing, problems: ['The file is not a JSON object.'] };
  switch (format) {
    case 'mcpServers':
      return toImport(value['mcpServers']);
    case 'vscode':
      return toImport(value['servers'], value['inputs']);
    case 'zed':
      return toImport(ownServers(value['context_servers']));
    case 'claudeCode': {
      const projects = isRecord(value['projects']) ? Object.entries(value['projects']) : [];
      const all: [string | undefined, unknown][] = [[undefined, value], ...projects];
      const imports = all.map(([path, place]) => toImport(isRecord(place) && place['mcpServers'], [], path));
      return {
        servers: imports.flatMap(({ servers }) => servers),
        inputs: [],
        problems: imports.flatMap(({ problems }) => problems),
      };
    }
  }
}

/**
 * Reads a snippet of documentation: a whole file of any client, part of one (`"label": { … }`), or a single definition,
 * which gets `fallbackLabel`. Never throws.
 */
export function importPasted(text: string, fallbackLabel: string): Import {
  const trimmed = text.trim().replace(/,$/, '');
  const root: unknown = parseJsonDocument(trimmed.startsWith('"') ? `{${trimmed}}` : trimmed).root?.value;
  if (!isRecord(root)) return { ...nothing, problems: ['The text is not a JSON object.'] };
  const whole = isRecord(root['mcp']) ? root['mcp'] : root;
  if (isRecord(whole['mcpServers'])) return toImport(whole['mcpServers']);
  if (isRecord(whole['servers'])) return toImport(whole['servers'], whole['inputs']);
  if (isRecord(whole['context_servers'])) return toImport(ownServers(whole['context_servers']));
  const isDefinition = ['command', 'url', 'serverUrl', 'httpUrl'].some((key) => isString(whole[key]));
  return toImport(isDefinition ? { [fallbackLabel]: whole } : whole);
}

function toImport(servers: unknown, inputs?: unknown, project?: string): Import {
  if (!isRecord(servers)) return nothing;
  const normal = Object.fromEntries(Object.entries(servers).map(([label, entry]) => [label, normalise(entry)]));
  const parsed = parseServersSetting(normal, inputs);
  return {
    servers: parsed.servers.map(({ label, definition }) => ({ label, definition, project })),
    inputs: parsed.inputs,
    problems: parsed.problems.filter(({ severity }) => severity === 'error').map(({ message }) => message),
  };
}

/** Windsurf uses `serverUrl`, Gemini CLI `httpUrl`. In Zed the command may be an object, and `env` null. */
function normalise(entry: unknown): unknown {
  if (!isRecord(entry)) return entry;
  const { serverUrl, httpUrl, command, env, ...rest } = entry;
  const isNested = isRecord(command) && isString(command['path']);
  const program = isNested ? { command: command['path'], args: command['args'] } : { command };
  const local = { ...rest, ...program, env: (isNested ? command['env'] : env) ?? undefined };
  if (isString(httpUrl)) return { ...local, type: 'http', url: httpUrl };
  return isString(serverUrl) && rest['url'] === undefined ? { ...local, url: serverUrl } : local;
}

/** Zed lists the settings of servers that its extensions bring, too. */
function ownServers(servers: unknown): unknown {
  const entries = isRecord(servers) ? Object.entries(servers) : [];
  return Object.fromEntries(
    entries.filter(([, entry]) => isRecord(entry) && (entry['command'] !== undefined || entry['url'] !== undefined)),
  );
}
