import { messageOf } from '../base/errors.ts';
import { isRecord, isString } from '../base/json.ts';
import { limits } from '../base/limits.ts';
import { type ImportFormat, importFormats } from './importClients.ts';
import { normaliseEntry } from './importEntry.ts';
import { convertVariables } from './importVariables.ts';
import type { InputDefinition } from './inputs.ts';
import { isRemark } from './entryKeys.ts';
import { type JsonNode, nodeAt, parseJsonDocument, propertyOf, readJson } from './jsonDocument.ts';
import { pastedDefinition } from './pastedDefinition.ts';
import { parseServersSetting } from './parseConfiguration.ts';
import type { ServerDefinition, ServerOptions } from './serverDefinition.ts';
import { isServer, serverKeys } from './serverSection.ts';
import { findVariables, type VariableSyntax } from './variables.ts';

export interface ImportedServer {
  readonly label: string;
  readonly definition: ServerDefinition;
  /** The project it belongs to; `undefined` for all projects. */
  readonly project: string | undefined;
  /** One sentence for each part of the entry that is left out or changed. */
  readonly notes: readonly string[];
  /** Those of the notes without which the server may not work. */
  readonly needed: readonly string[];
  /** The other client does not start it. */
  readonly isOff: boolean;
}

export interface Import {
  readonly servers: readonly ImportedServer[];
  /** The inputs that the definitions use. */
  readonly inputs: readonly InputDefinition[];
  /** One sentence for each entry that cannot be imported. */
  readonly problems: readonly string[];
}

const nothing: Import = { servers: [], inputs: [], problems: [] };

interface ImportContext {
  readonly style: VariableSyntax;
  /** The environment of this machine; empty if it must not count. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

interface SectionContext extends ImportContext {
  readonly inputs?: unknown;
  readonly project?: string | undefined;
}

/**
 * Reads the servers in a file of another client. Never throws. What reads TOML and YAML is loaded with the first such file.
 */
export async function readImport(text: string, format: ImportFormat, context: ImportContext): Promise<Import> {
  const { syntax } = importFormats[format];
  if (syntax === 'json') return importJson(text, format, context);
  if (!mentionsServers(text, format)) return nothing;
  // Nothing stops their parsers, and these files are written by hand.
  if (text.length > limits.imported.characters)
    return { ...nothing, problems: ['The file is too large: TOML and YAML are read up to 128 KB.'] };
  try {
    const value = syntax === 'toml' ? await parseToml(text) : await parseYaml(text);
    return importDocument(value, format, context);
  } catch (error) {
    // The lines after the first one quote the file, which may hold keys.
    const [fault] = messageOf(error).split('\n');
    return { ...nothing, problems: [`The file cannot be read: ${fault}`] };
  }
}

async function parseToml(text: string): Promise<unknown> {
  const { parse } = await import('smol-toml');
  return parse(text, { integersAsBigInt: 'asNeeded' });
}

async function parseYaml(text: string): Promise<unknown> {
  const { isScalar, parseDocument, visit } = await import('yaml');
  // The parser compares each key with all others.
  const document = parseDocument(text, {
    prettyErrors: false,
    logLevel: 'error',
    uniqueKeys: false,
    intAsBigInt: true,
  });
  const [fault] = document.errors;
  if (fault !== undefined) throw fault;
  visit(document, {
    Map(_, { items }) {
      const names = new Set<unknown>();
      for (const { key } of items) {
        const name = isScalar(key) ? key.value : key;
        if (names.has(name)) throw new Error(`${JSON.stringify(name)} is there twice`);
        names.add(name);
      }
    },
  });
  return document.toJS({ maxAliasCount: 100 });
}

/** @returns the value with the numbers that JavaScript writes otherwise as texts, as they are written */
function valueAsWritten({ type, value, written, properties, items }: JsonNode): unknown {
  if (type === 'array') return items.map(valueAsWritten);
  if (type !== 'object') return written ?? value;
  return Object.fromEntries(properties.map((property) => [property.key, valueAsWritten(property.value)]));
}

function importJson(text: string, format: ImportFormat, context: ImportContext): Import {
  const { root, problems } = parseJsonDocument(text, limits.import);
  const imported = importDocument(root && valueAsWritten(root), format, context);
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
        toImport(section, { ...context, inputs: inputsIn(holder), project }),
      ),
    ),
  );
}

/** As one of the settings of VS Code it has a longer name. */
function inputsIn(holder: unknown): unknown {
  return isRecord(holder) ? (holder['inputs'] ?? holder['mcp.inputs']) : undefined;
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
 * @returns with `problems` that include the notes of all servers
 */
export function importPasted(text: string, fallbackLabel: string): Import {
  const imported = readPasted(text, fallbackLabel);
  const notes = imported.servers.flatMap((server) => server.notes.map((note) => `Server "${server.label}": ${note}`));
  return { ...imported, problems: [...imported.problems, ...notes] };
}

function readPasted(text: string, fallbackLabel: string): Import {
  const trimmed = pastedDefinition(text).replace(/,$/, '');
  const whole = trimmed.startsWith('"') ? `{${trimmed}}` : trimmed;
  const { root, problems } = parseJsonDocument(whole);
  const isReadable = root?.type === 'object' || (root?.type === 'array' && root.items.length > 0);
  // Of a text that is something else each word is a fault.
  const fault = problems.find(({ code }) => isReadable || code === 'tooLarge');
  if (!isReadable) return { ...nothing, problems: [fault?.message ?? 'The text is not a JSON object.'] };
  // A program without its last arguments is another one, and so is a part of an address.
  if (fault !== undefined && breaksOff(whole))
    return { ...nothing, problems: ['The JSON breaks off before its end. Copy all of it, and paste it again.'] };
  const imported = importPlaces(root, trimmed, fallbackLabel);
  return { ...imported, problems: [...(fault === undefined ? [] : [fault.message]), ...imported.problems] };
}

/** True where something is missing at the end: the rest of a text, of a list or of an object. */
function breaksOff(text: string): boolean {
  return readJson(text, true).faults.some(
    ({ range, fault }) => range.offset + range.length >= text.trimEnd().length && fault !== 'end of file expected',
  );
}

function importPlaces(root: JsonNode, text: string, fallbackLabel: string): Import {
  if (root.type === 'array') return toImport(valueAsWritten(root), { style: 'shell' });
  const hasLists = /"command"\s*:\s*\[|(?<!\$)\{env:/.test(text);
  for (const path of pastedPlaces) {
    const place = nodeAt(root, path);
    const value = place && valueAsWritten(place);
    if (!isRecord(value)) continue;
    for (const [name, editorStyle] of pastedSections) {
      const key = Object.keys(value).find((one) => name.test(one) && typeof value[one] === 'object');
      const style = editorStyle === 'editor' && hasLists ? 'opencode' : editorStyle;
      if (key !== undefined) return toImport(value[key], { style, inputs: inputsIn(value) });
    }
  }
  const other = otherDocuments.find(([key]) => !['object', undefined].includes(propertyOf(root, key)?.value.type));
  if (other !== undefined) return { ...nothing, problems: [other[1]] };
  const mcp = nodeAt(root, ['mcp']);
  // A server may be called "mcp".
  const whole = mcp?.type === 'object' && !isServer(mcp) ? mcp : root;
  if (whole.properties.every(({ value }) => value.type !== 'object') && !isServer(whole)) return nothing;
  const style = hasLists || whole !== root ? 'opencode' : 'shell';
  const value = valueAsWritten(whole);
  if (!isServer(whole) || !isRecord(value)) return toImport(value, { style });
  const { name, inputs, ...rest } = value;
  // A link of VS Code has the inputs beside the members of the server.
  const server = Array.isArray(inputs) ? { ...rest, name } : value;
  return toImport({ [isString(name) && name.trim() !== '' ? name : fallbackLabel]: server }, { style, inputs });
}

/** The names of sections, in settings perhaps after that of a program, and how variables are written in them. */
const pastedSections: readonly (readonly [RegExp, VariableSyntax])[] = [
  [/(?:^|\.)mcp_?servers$/i, 'shell'],
  [/^(?:mcp\.)?servers$|^context_servers$/, 'editor'],
];

const bundleAdvice =
  'This is the manifest of a bundle, whose program is inside of the bundle. Install that, then add its command.';
/** What else is called a definition of a server, by a member that only it has. */
const otherDocuments: readonly (readonly [string, string])[] = [
  ['manifest_version', bundleAdvice],
  ['dxt_version', bundleAdvice],
  ['packages', 'This describes a server for the registry. Paste what its documentation has for a client.'],
  ['remotes', 'This describes a server for the registry. Add the address that is in "remotes".'],
  ['mcpServers', '"mcpServers" names another file. Paste what is in that file.'],
];

/** Where clients have their sections: in the whole file, and in settings, workspace files and dev containers of VS Code. */
const pastedPlaces = [[], ['mcp'], ['settings', 'mcp']].flatMap((path) => [
  path,
  ['customizations', 'vscode', ...path],
]);

function toImport(section: unknown, context: SectionContext): Import {
  const { inputs } = context;
  const servers = withInnerSection(section);
  // Continue has a list of entries with names.
  const entries = Array.isArray(servers)
    ? servers.map((entry: unknown, index): [string, unknown] => {
        const name = isRecord(entry) ? (entry['name'] ?? entry['uses']) : undefined;
        return [isString(name) ? name : `server-${index + 1}`, entry];
      })
    : Object.entries(isRecord(servers) ? servers : {}).filter(([label, entry]) => isRecord(entry) || !isRemark(label));
  const known = new Map<string, unknown>();
  for (const input of Array.isArray(inputs) ? (inputs as unknown[]) : [])
    if (isRecord(input) && isString(input['id']) && JSON.stringify(input).length <= limits.imported.input)
      known.set(input['id'], input);
  const read = entries.slice(0, limits.imported.servers);
  const imported = joinImports(
    read.map(([label, entry]) => {
      try {
        return importEntry(label, entry, known, context);
      } catch {
        // YAML can hold itself.
        return { ...nothing, problems: [`Server "${label}": it cannot be read.`] };
      }
    }),
  );
  const more = entries.length > read.length ? [`Only the first ${read.length} of its servers are read.`] : [];
  return {
    ...imported,
    inputs: [...new Map(imported.inputs.map((input) => [input.id, input])).values()],
    problems: [...imported.problems, ...more],
  };
}

/**
 * @returns a section with what is in the member "servers" that newer files of opencode have there; unchanged if that is a server of
 *   that name
 */
function withInnerSection(section: unknown): unknown {
  const inner = isRecord(section) ? section['servers'] : undefined;
  if (!isRecord(section) || !isRecord(inner)) return section;
  if (!Object.values(inner).every(isRecord) || isRecord(inner['environment'])) return section;
  const beside = Object.entries(section).filter(
    ([, entry]) => isRecord(entry) && serverKeys.some((key) => key in entry),
  );
  return { ...Object.fromEntries(beside), ...inner };
}

/** @param known the inputs of the file, by id */
function importEntry(
  label: string,
  written: unknown,
  known: ReadonlyMap<string, unknown>,
  { style, environment = {}, project }: SectionContext,
): Import {
  const normal = isRecord(written) ? normaliseEntry(written, style) : undefined;
  if (isString(normal)) return { ...nothing, problems: [`Server "${label}": ${normal}.`] };
  const converted = normal && convertVariables(normal.entry, style, environment, normal.secrets);
  // Anything else is reported as no object.
  const entry = converted?.entry ?? null;
  const used = [...inputsOf(entry)].flatMap((id) => known.get(id) ?? []);
  const secrets = converted?.secrets ?? new Set<string>();
  const asked = [...secrets].map((id) => ({ type: 'promptString', id, password: true }));
  // Of another person's file only what a workspace may set, too: it is copied to any place.
  const parsed = parseServersSetting({ [label]: entry }, [...used, ...asked], 'workspace');
  const isSaid = style === 'editor' && (converted?.notes ?? []).length > 0;
  const problems = parsed.problems
    .filter(({ code }) => code !== 'disabled')
    .filter(({ code, severity }) => !(isSaid && code === 'unknownVariable' && severity === 'warning'));
  const messages = problems.map(({ message }) => message);
  const [server] = parsed.servers;
  if (server === undefined) return { ...nothing, problems: messages };
  const definition = withOptions(server.definition, server.options);
  const ids = inputsOf(definition);
  const asks = [...ids].some((id) => secrets.has(id));
  const kept = asks ? ['The other client keeps its secrets, so Patchbay asks for them.'] : [];
  const said = ({ message }: { readonly message: string }): string => message.replace(`Server "${label}": `, '');
  const notes = [...(converted?.notes ?? []), ...kept, ...problems.map(said)];
  const needed = [...problems.filter(({ severity }) => severity !== 'information').map(said), ...kept];
  const isOff = parsed.problems.some(({ code }) => code === 'disabled');
  return {
    servers: [{ label, definition, project, notes, needed, isOff }],
    inputs: parsed.inputs.filter(({ id }) => ids.has(id)),
    problems: [],
  };
}

/** @returns the ids of the inputs that a value uses */
function inputsOf(value: unknown): ReadonlySet<string> {
  const found = findVariables(JSON.stringify(value), 'editor');
  return new Set(found.flatMap(({ meaning }) => (meaning.kind === 'input' ? meaning.id : [])));
}

function withOptions(definition: ServerDefinition, options: ServerOptions): ServerDefinition {
  const isEmpty = (value: unknown): boolean => isRecord(value) && Object.keys(value).length === 0;
  const kept = Object.fromEntries(
    Object.entries(options).filter(([name, value]) => name !== 'autoStart' && !isEmpty(value)),
  );
  return Object.keys(kept).length === 0 ? definition : { ...definition, patchbay: kept };
}
