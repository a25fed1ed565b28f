import { isString } from '../base/json.ts';
import { type ConfigurationFix, replaceFix, type ReportProblem } from './configurationProblem.ts';
import type { SourceKind, TextRange } from './configuredServer.ts';
import { limits } from '../base/limits.ts';
import { isRemark, synonyms } from './entryKeys.ts';
import { type JsonNode, type JsonProperty, nodeAt, propertyOf } from './jsonDocument.ts';
import type { JsonLimits } from './jsonLimits.ts';
import type { VariableSyntax } from './variables.ts';

export type FileKind = Exclude<SourceKind, 'user' | 'demo'>;

interface KindOfFile {
  /** The key of the object with the servers. */
  readonly own: 'servers' | 'mcpServers';
  /** Where that is in files that are about more than servers. Nothing else in them is read or reported. */
  readonly within?: readonly string[];
  /** Where servers stand in some of them that are not read there, which is reported. */
  readonly elsewhere?: readonly (readonly string[])[];
  /** Of the clients that it is for; otherwise that of editors. */
  readonly syntax?: VariableSyntax;
}

export const fileKinds: Readonly<Record<FileKind, KindOfFile>> = {
  vscode: { own: 'servers' },
  mcpJson: { own: 'mcpServers', syntax: 'shell' },
  cursor: { own: 'mcpServers' },
  github: { own: 'mcpServers', syntax: 'dollar' },
  devcontainer: {
    own: 'servers',
    within: ['customizations', 'vscode', 'mcp'],
    elsewhere: [['customizations', 'vscode', 'settings', 'mcp']],
    syntax: 'container',
  },
  codeWorkspace: { own: 'servers', within: ['settings', 'mcp'], elsewhere: [['settings', 'mcp.servers'], ['mcp']] },
  copilot: { own: 'mcpServers', syntax: 'dollar' },
};

export function variableSyntax(kind: SourceKind): VariableSyntax {
  const ofFiles: Partial<Record<SourceKind, KindOfFile>> = fileKinds;
  return ofFiles[kind]?.syntax ?? 'editor';
}

/** True for kinds of files of which most have no servers. */
export function isAboutMore(kind: FileKind): boolean {
  return fileKinds[kind].within !== undefined;
}

/** False for a file about more that has no servers: nothing in it is Patchbay's to report. */
export function mayHaveServers(text: string, kind: FileKind): boolean {
  return !isAboutMore(kind) || /"mcp(?:\.servers)?"\s*:/.test(text);
}

/** A file that is about more may be as large as that needs. */
export function limitsOf(kind: FileKind): JsonLimits {
  return isAboutMore(kind) ? limits.aboutMore : limits.configuration;
}

/** Where a document has its servers. Paths lead from its root. */
export interface ServerSection {
  /** `top`: under its name. `nested`: inside `mcp`. `bare`: the file has no section, its members are the servers. */
  readonly kind: 'top' | 'nested' | 'bare';
  /** The path of the object with the servers, which may not exist yet. */
  readonly path: readonly string[];
  /** The path of the list of inputs, which may not exist yet. */
  readonly inputsPath: readonly string[];
}

/**
 * The one rule of where a file has its servers, for reading and for adding. The first that applies: the section of the name
 * for this kind of file; the section of the name for other files; in `.mcp.json`, members that are servers without a section,
 * as VS Code and Claude Code read them; a section inside `mcp`, which is the form of VS Code's settings. In a workspace file and
 * a devcontainer.json, only what is in `mcp` at its place.
 * @param root the document; `undefined` if it is empty
 */
export function findServerSection(root: JsonNode | undefined, kind: FileKind): ServerSection {
  const { own, within = [] } = fileKinds[kind];
  const names = [own, otherSection(own)];
  const holder = nodeAt(root, within);
  const found = holder && sectionIn(holder, names);
  if (root === undefined || found !== undefined || within.length > 0)
    return { kind: 'top', ...pathsTo(...within, found ?? own) };
  if (kind === 'mcpJson' && root.properties.some(({ value }) => isServer(value)))
    return { kind: 'bare', path: [], inputsPath: ['inputs'] };
  const mcp = propertyOf(root, 'mcp');
  const nested = mcp && !isServer(mcp.value) ? sectionIn(mcp.value, names) : undefined;
  if (nested === undefined) return { kind: 'top', ...pathsTo(own) };
  const hasInputs = propertyOf(root, 'inputs') !== undefined;
  return { kind: 'nested', ...pathsTo('mcp', nested), ...(hasInputs && { inputsPath: ['inputs'] }) };
}

function pathsTo(...path: readonly string[]) {
  return { path, inputsPath: [...path.slice(0, -1), 'inputs'] };
}

/** @returns the first name of an object, else the first name that is there with another value */
function sectionIn(holder: JsonNode, names: readonly string[]): string | undefined {
  const [own] = names;
  const present = names.filter((name) => {
    const value = propertyOf(holder, name)?.value;
    // A server may have the name that other files have for their section.
    return value !== undefined && (name === own || !isServer(value));
  });
  return present.find((name) => propertyOf(holder, name)?.value.type === 'object') ?? present[0];
}

function otherSection(name: string): string {
  return name === 'servers' ? 'mcpServers' : 'servers';
}

export const serverKeys = ['command', 'url', 'serverUrl', 'httpUrl'];
/** An object with one of them is meant as a server too, and its mistakes are reported. */
const entryKeys: ReadonlySet<string> = new Set(['args', 'cwd', 'env', 'envFile', 'headers', ...Object.keys(synonyms)]);

/** True for an object with a member that says what to start, or how or where to connect. */
export function isServer(node: JsonNode): boolean {
  const hasText = (object: JsonNode | undefined): boolean =>
    serverKeys.some((key) => object && isString(propertyOf(object, key)?.value.value));
  const type = propertyOf(node, 'type')?.value.value;
  if (type === 'stdio' || type === 'http' || type === 'sse' || type === 'replay' || isCommandList(node)) return true;
  return hasText(node) || hasText(propertyOf(node, 'transport')?.value);
}

/** As opencode has it. */
function isCommandList(node: JsonNode): boolean {
  const command = propertyOf(node, 'command')?.value;
  return command !== undefined && command.items.length > 0 && command.items.every(({ value }) => isString(value));
}

/** True for an object that is no server, and has some among its members, which are all objects. */
export function holdsServers(node: JsonNode): boolean {
  const values = node.properties.map(({ value }) => value);
  return values.every(({ type }) => type === 'object') && !isServer(node) && values.some(isServer);
}

/** @returns the entries of a section in the order of the file, repeated labels included */
export function entriesOf(section: ServerSection, object: JsonNode): readonly JsonProperty[] {
  const isEntry = ({ key, value }: JsonProperty): boolean => value.type === 'object' || !isRemark(key);
  return object.properties.filter(section.kind === 'bare' ? isBareEntry : isEntry);
}

function isBareEntry({ key, value }: JsonProperty): boolean {
  if (value.type !== 'object' || key === 'inputs' || isRemark(key)) return false;
  return isServer(value) || holdsServers(value) || value.properties.some((member) => entryKeys.has(member.key));
}

/**
 * Reports servers outside the section that is read, and a section under the name or at the place of another client.
 */
export function reportSections(
  document: JsonNode,
  kind: FileKind,
  section: ServerSection,
  report: ReportProblem,
): void {
  const { own, within = [], elsewhere = [] } = fileKinds[kind];
  const place = section.path.join('.');
  for (const path of elsewhere) {
    const around = nodeAt(document, path.slice(0, -1));
    const member = around && propertyOf(around, path.at(-1) ?? '');
    const found = member && [member.value, ...member.value.properties.map(({ value }) => value)];
    if (found?.some(holdsServers) !== true) continue;
    const message = `The servers in "${path.join('.')}" are not read. Move them into "${place}".`;
    report('wrongSection', 'warning', message, member?.keyRange);
  }
  const root = nodeAt(document, within);
  if (root === undefined) return;
  for (const property of root.properties) {
    const { key, keyRange: range } = property;
    if (property.isOverridden && (key === own || key === 'inputs')) {
      report('duplicateKey', 'warning', `"${key}" is given again further down; only the last one counts.`, range);
    } else if (section.kind === 'bare') {
      if (!isBareEntry(property)) reportInside(property, report);
    } else if (key === otherSection(own)) {
      reportOtherSection(root, property, kind, section, report);
    } else if (key === 'mcp' && section.kind === 'nested') {
      const expected = `Other clients expect "${section.path.at(-1)}" at the top of this file, not in "mcp".`;
      const message = `${expected} Patchbay reads it anyway.`;
      report('wrongSection', 'warning', message, range, moveOut(root, property));
    } else if (key !== own && isServer(property.value)) {
      const message = `"${key}" looks like a server, but it is not in "${place}" and is not read. Move it into "${place}".`;
      const target = nodeAt(root, section.path);
      const isFree = target?.type === 'object' && propertyOf(target, key) === undefined;
      const fix = {
        kind: 'moveInto',
        title: `Move Into "${place}"`,
        path: [...within, key],
        into: section.path,
      } as const;
      report('wrongSection', 'warning', message, range, target === undefined || isFree ? fix : undefined);
    } else if (key !== own && holdsServers(property.value)) {
      const message = `"${key}" holds what looks like servers, which are not read here. They belong in "${place}".`;
      const isFree = nodeAt(root, section.path) === undefined;
      report(
        'wrongSection',
        'warning',
        message,
        range,
        isFree ? replaceFix(`Rename to "${own}"`, range, own) : undefined,
      );
    }
  }
  if (section.kind !== 'top' || !isServer(root) || nodeAt(root, section.path) !== undefined) return;
  const message = `This is one server without a name. Put it into "${place}", under a name of your choice.`;
  report('wrongSection', 'warning', message, root.properties[0]?.keyRange);
}

/** Of a file whose members are the servers. */
function reportInside({ key, keyRange, value }: JsonProperty, report: ReportProblem): void {
  const inside = value.properties.find((member) => holdsServers(member.value));
  if (inside === undefined) return;
  const reason = 'because the servers of this file are at its top. Move them there';
  report('wrongSection', 'warning', `"${inside.key}" in "${key}" is not read, ${reason}.`, keyRange);
}

function reportOtherSection(
  root: JsonNode,
  { key, keyRange: range }: JsonProperty,
  kind: FileKind,
  { path }: ServerSection,
  report: ReportProblem,
): void {
  const { own } = fileKinds[kind];
  const read = path.at(-1);
  if (kind === 'mcpJson') return reportVisualStudio(root, range, read === key, report);
  if (read !== key) {
    const instead = `"${key}" is not read, because "${read}" is there too. Move its servers to "${read}".`;
    return report('wrongSection', 'warning', instead, range);
  }
  const message = `Other clients expect "${own}" in this file, not "${key}". Patchbay reads it anyway.`;
  const fix = propertyOf(root, own) === undefined ? replaceFix(`Rename to "${own}"`, range, own) : undefined;
  report('wrongSection', 'warning', message, range, fix);
}

/** Visual Studio reads "servers" in `.mcp.json`, beside other clients: nothing is to be moved or renamed. */
function reportVisualStudio(root: JsonNode, range: TextRange, isRead: boolean, report: ReportProblem): void {
  const labels = (section: string): string[] => propertyOf(root, section)?.value.properties.map(({ key }) => key) ?? [];
  const known = new Set(labels('mcpServers'));
  const left = labels('servers').filter((label) => !known.has(label));
  if (left.length === 0) return;
  const message = isRead
    ? 'Visual Studio and Patchbay read "servers" in this file. Other clients read "mcpServers".'
    : `Visual Studio reads "servers" in this file. Patchbay and other clients read "mcpServers", which has no ${left.map((label) => `"${label}"`).join(', ')}.`;
  report('wrongSection', 'information', message, range);
}

const movable: ReadonlySet<string> = new Set(['servers', 'mcpServers', 'inputs']);

/** @returns the fix that replaces "mcp" by its members; `undefined` where some of them have no place at the top */
function moveOut(root: JsonNode, { key, value: { properties } }: JsonProperty): ConfigurationFix | undefined {
  const fits = properties.every((member) => movable.has(member.key) && propertyOf(root, member.key) === undefined);
  return fits ? { kind: 'moveOut', title: `Move Out of "${key}"`, path: [key] } : undefined;
}
