import { messageOf } from '../base/errors.ts';
import { isRecord, isString } from '../base/json.ts';
import { limits } from '../base/limits.ts';
import { type ImportedVariables, readImportedEntry } from './importedEntry.ts';
import type { InputDefinition } from './inputs.ts';
import { parseJsonDocument } from './jsonDocument.ts';
import { parseServersSetting } from './parseConfiguration.ts';
import type { ServerDefinition, ServerOptions } from './serverDefinition.ts';

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
  /** One sentence for each part of the entry that is left out or changed. */
  readonly notes: readonly string[];
}

export interface Import {
  readonly servers: readonly ImportedServer[];
  /** The inputs that the definitions use. */
  readonly inputs: readonly InputDefinition[];
  /** Sentences: which entries cannot be imported, and what of the others is left out or changed. */
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
      return toImport(value['servers'], { inputs: value['inputs'], variables: 'editor' });
    case 'zed':
      return toImport(ownServers(value['context_servers']), { variables: 'editor' });
    case 'claudeCode': {
      const projects = isRecord(value['projects']) ? Object.entries(value['projects']) : [];
      const all: [string | undefined, unknown][] = [[undefined, value], ...projects];
      const imports = all.map(([path, place]) => toImport(isRecord(place) && place['mcpServers'], { project: path }));
      return {
        servers: imports.flatMap(({ servers }) => servers),
        inputs: [],
        problems: imports.flatMap(({ problems }) => problems),
      };
    }
  }
}

async function parseYaml(text: string): Promise<unknown> {
  const { parseDocument } = await import('yaml');
  const document = parseDocument(text, { prettyErrors: false, logLevel: 'error' });
  const [fault] = document.errors;
  if (fault !== undefined) throw fault;
  return document.toJS({ maxAliasCount: 100 });
}

/** The same for JSON, at once. */
export function importServers(text: string, format: ImportFormat, context?: ImportContext): Import {
  const { root, problems } = parseJsonDocument(text, limits.import);
  const imported = importDocument(root?.value, format, context ?? { style: styleOf(format) });
  // Later ones are usually consequences of the first.
  const faults = mentionsServers(text, format) ? problems.slice(0, 1).map(({ message }) => message) : [];
  return { ...imported, problems: [...faults, ...imported.problems] };
}

/** Most settings of other programs have no servers: what is wrong with those is not Patchbay's to say. */
function mentionsServers(text: string, format: ImportFormat): boolean {
  return importFormats[format].sections.some((path) => text.includes(path.at(-1) ?? ''));
}

function importDocument(value: unknown, format: ImportFormat, context: ImportContext): Import {
  return joinImports(
    importFormats[format].sections.flatMap((path) =>
      sectionsAt(value, path).map(({ holder, section, project }) =>
        toImport(section, { ...context, inputs: isRecord(holder) ? holder['inputs'] : undefined, project }),
      ),
    ),
  );
}

interface FoundSection {
  readonly holder: unknown;
  readonly section: unknown;
  readonly project: string | undefined;
}

/** @returns the values at a path; `*` is every member, whose name is a project */
function sectionsAt(value: unknown, [key = '', ...rest]: readonly string[], project?: string): FoundSection[] {
  if (!isRecord(value)) return [];
  if (key === '*') return Object.entries(value).flatMap(([name, member]) => sectionsAt(member, rest, name));
  const section = Object.hasOwn(value, key) ? value[key] : undefined;
  return rest.length === 0 ? [{ holder: value, section, project }] : sectionsAt(section, rest, project);
}

function joinImports(imports: readonly Import[]): Import {
  return {
    servers: imports.flatMap(({ servers }) => servers),
    inputs: imports.flatMap(({ inputs }) => inputs),
    problems: imports.flatMap(({ problems }) => problems),
  };
}

/**
 * Reads a snippet of documentation: a whole file of any client, part of one (`"label": { … }`), or a single definition,
 * which gets `fallbackLabel`. Never throws.
 */
export function importPasted(text: string, fallbackLabel: string): Import {
  const trimmed = text.trim().replace(/,$/, '');
  const root: unknown = parseJsonDocument(trimmed.startsWith('"') ? `{${trimmed}}` : trimmed).root?.value;
  if (!isRecord(root)) return { ...nothing, problems: ['The text is not a JSON object.'] };
  for (const place of placesOf(root)) {
    const [section] = Object.keys(place).filter((key) => /(?:^|\.)mcpServers$/.test(key) && isRecord(place[key]));
    if (section !== undefined) return toImport(place[section]);
    if (isRecord(place['servers'])) return toImport(place['servers'], { inputs: place['inputs'], variables: 'editor' });
    if (isRecord(place['context_servers']))
      return toImport(ownServers(place['context_servers']), { variables: 'editor' });
  }
  const whole = isRecord(root['mcp']) ? root['mcp'] : root;
  const isOpencode = /"command"\s*:\s*\[|\{env:/.test(trimmed);
  const isDefinition =
    Array.isArray(whole['command']) || ['command', 'url', 'serverUrl', 'httpUrl'].some((key) => isString(whole[key]));
  const servers = isDefinition ? { [fallbackLabel]: whole } : whole;
  return toImport(servers, { variables: isOpencode || whole !== root ? 'opencode' : 'shell' });
}

/** The objects of a document in which clients have their sections: settings, workspace files and dev containers of VS Code too. */
function placesOf(root: Record<string, unknown>): readonly Record<string, unknown>[] {
  const paths = [[], ['mcp'], ['settings', 'mcp']];
  const devContainer = ['customizations', 'vscode'];
  const values = [...paths, ...paths.map((path) => [...devContainer, ...path])].map((path) =>
    path.reduce<unknown>((value, key) => (isRecord(value) ? value[key] : undefined), root),
  );
  return values.filter((value) => isRecord(value));
}

interface ImportOptions {
  readonly inputs?: unknown;
  readonly project?: string | undefined;
  readonly variables?: ImportedVariables;
}

function toImport(servers: unknown, { inputs, project, variables = 'shell' }: ImportOptions = {}): Import {
  if (!isRecord(servers)) return nothing;
  const read = Object.entries(servers).map(([label, entry]) => ({ label, ...readImportedEntry(entry, variables) }));
  // Of another person's file only what a workspace may set, too: it is copied to any place.
  const parsed = parseServersSetting(
    Object.fromEntries(read.map(({ label, entry }) => [label, entry])),
    inputs,
    'workspace',
  );
  const said = parsed.problems.filter(({ code }) => code !== 'disabled').map(({ message }) => message);
  const notes = read.flatMap(({ label, notes: parts }) => parts.map((part) => `Server "${label}": ${part}.`));
  return {
    servers: parsed.servers.map(({ label, definition, options }) => {
      return { label, definition: withOptions(definition, options), project };
    }),
    inputs: parsed.inputs,
    problems: [...said, ...notes],
  };
}

/** Nothing that is imported starts by itself, so what turns that off says nothing. */
function withOptions(definition: ServerDefinition, options: ServerOptions): ServerDefinition {
  const kept = Object.fromEntries(Object.entries(options).filter(([name]) => name !== 'autoStart'));
  return Object.keys(kept).length === 0 ? definition : { ...definition, patchbay: kept };
}

/** Zed lists the settings of servers that its extensions bring, too. */
function ownServers(servers: unknown): unknown {
  const entries = isRecord(servers) ? Object.entries(servers) : [];
  return Object.fromEntries(
    entries.filter(([, entry]) => isRecord(entry) && (entry['command'] !== undefined || entry['url'] !== undefined)),
  );
}
