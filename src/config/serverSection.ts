import { isString } from '../base/json.ts';
import type { SourceKind } from './configuredServer.ts';
import { type JsonNode, type JsonProperty, propertyOf } from './jsonDocument.ts';

export type FileKind = Exclude<SourceKind, 'user' | 'demo'>;

/** The key of the object with the servers, by kind of file. */
export const sectionNames: Readonly<Record<FileKind, 'servers' | 'mcpServers'>> = {
  vscode: 'servers',
  mcpJson: 'mcpServers',
  cursor: 'mcpServers',
  github: 'mcpServers',
};

/** Where a document has its servers. Paths lead from its root. */
export interface ServerSection {
  /** `own`: under the name for this kind of file. `bare`: the file has no section, its members are the servers. */
  readonly kind: 'own' | 'other' | 'nested' | 'bare';
  /** The path of the object with the servers, which may not exist yet. */
  readonly path: readonly string[];
  /** The path of the list of inputs, which may not exist yet. */
  readonly inputsPath: readonly string[];
}

/**
 * The one rule of where a file has its servers, for reading and for adding. The first that applies: the section of the name
 * for this kind of file; the section of the name for other files; in `.mcp.json`, members that are servers without a section,
 * as VS Code and Claude Code read them; a section inside `mcp`, which is the form of VS Code's settings.
 * @param root the document; `undefined` if it is empty
 */
export function findServerSection(root: JsonNode | undefined, kind: FileKind): ServerSection {
  const own = sectionNames[kind];
  const names = [own, otherSection(own)];
  const found = root && sectionIn(root, names);
  if (root === undefined || found !== undefined)
    return { kind: found === undefined || found === own ? 'own' : 'other', ...pathsTo(found ?? own) };
  if (kind === 'mcpJson' && root.properties.some(({ value }) => isServer(value)))
    return { kind: 'bare', path: [], inputsPath: ['inputs'] };
  const mcp = propertyOf(root, 'mcp');
  const nested = mcp && !isServer(mcp.value) ? sectionIn(mcp.value, names) : undefined;
  if (nested === undefined) return { kind: 'own', ...pathsTo(own) };
  const hasInputs = propertyOf(root, 'inputs') !== undefined;
  return { kind: 'nested', ...pathsTo('mcp', nested), ...(hasInputs && { inputsPath: ['inputs'] }) };
}

function pathsTo(...path: readonly string[]): Pick<ServerSection, 'path' | 'inputsPath'> {
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

/** @returns the name of the section in files of the other kind */
export function otherSection(name: string): string {
  return name === 'servers' ? 'mcpServers' : 'servers';
}

/** True for an object with the member that says what to start or where to connect. */
export function isServer(node: JsonNode): boolean {
  return ['command', 'url'].some((key) => isString(propertyOf(node, key)?.value.value));
}

/** @returns the entries of a section in the order of the file, repeated labels included */
export function entriesOf(section: ServerSection, object: JsonNode): readonly JsonProperty[] {
  if (section.kind !== 'bare') return object.properties;
  return object.properties.filter(({ key, value }) => value.type === 'object' && key !== 'inputs');
}
