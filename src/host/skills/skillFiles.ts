import { type FileStat, FileSystemError, FileType, type Uri } from 'vscode';
import { readOnlyStat } from '../platform/readOnlyFileSystem.ts';
import type { AddressSeal } from '../platform/addressSeal.ts';
import type { DocumentReads } from '../resources/documentReads.ts';
import type { LoadedResource, ResourceStore } from '../resources/resourceStore.ts';
import type { ServerRegistry } from '../servers/serverRegistry.ts';
import type { Skill } from '../../protocol/mcp/skills.ts';
import { decodeSegment, encodeSegment, fileName, uniqueNames, nameFromUri } from '../platform/fileName.ts';
import { skillScheme, type UriParts } from '../platform/uriSchemes.ts';

/** Skills as read-only folders. A file is read and verified when an editor reads it, never before. */
export class SkillFiles {
  readonly #seal: AddressSeal;
  readonly #registry: Pick<ServerRegistry, 'get'>;
  readonly #store: ResourceStore;
  readonly #reads: DocumentReads;

  readonly onDidChangeFile;

  constructor(seal: AddressSeal, registry: Pick<ServerRegistry, 'get'>, store: ResourceStore, reads: DocumentReads) {
    this.#seal = seal;
    this.#registry = registry;
    this.#store = store;
    this.#reads = reads;
    this.onDidChangeFile = reads.onDidChangeFile;
  }

  async stat(uri: Uri): Promise<FileStat> {
    const address = this.#addressOf(uri);
    if (address.path === '' || this.#children(address).size > 0) return readOnlyStat(FileType.Directory, 0);
    const { parts, changedAt } = await this.#load(uri, address);
    return readOnlyStat(FileType.File, changedAt, parts[0]?.bytes.length);
  }

  async readFile(uri: Uri): Promise<Uint8Array> {
    const address = this.#addressOf(uri);
    if (this.#children(address).size > 0) throw FileSystemError.FileIsADirectory(uri);
    const { parts } = await this.#load(uri, address);
    return parts[0]?.bytes ?? new Uint8Array();
  }

  /** From the listed entry of the skill, without a request. */
  readDirectory(uri: Uri): [string, FileType][] {
    return [...this.#children(this.#addressOf(uri))];
  }

  #addressOf(uri: Uri): SkillAddress {
    const address = readSkillUri(this.#seal, uri);
    if (address === undefined) throw FileSystemError.FileNotFound(uri);
    return address;
  }

  #children({ server, skill, path }: SkillAddress): ReadonlyMap<string, FileType> {
    const folder = path === '' ? '' : `${path}/`;
    const below = [...this.#paths(server, skill).keys()].filter((known) => known.startsWith(folder));
    const names = below.map((known) => known.slice(folder.length).split('/'));
    return new Map(names.map(([name = '', ...rest]) => [name, rest.length === 0 ? FileType.File : FileType.Directory]));
  }

  /** Empty for a skill that is not listed. */
  #paths(server: string, skill: string): ReadonlyMap<string, string> {
    const listed = this.#registry.get(server)?.server.contents.skills.find((candidate) => candidate.uri === skill);
    return listed === undefined ? new Map<string, string>() : skillPaths(listed);
  }

  async #load(uri: Uri, { server, skill, path }: SkillAddress): Promise<LoadedResource> {
    const key = skillFileKey(skill, this.#paths(server, skill).get(path) ?? skillFileUri(skill, path));
    const load = (): Promise<LoadedResource> => this.#store.load(server, key);
    return this.#reads.read(uri, server, load, () => this.#store.last(server, key));
  }
}

export interface SkillFileTarget {
  readonly server: string;
  readonly skill: string;
  readonly file: string;
}

/** What stands for a file of a skill in the store of what was read. @param skill the URI of its SKILL.md */
export function skillFileKey(skill: string, file: string): string {
  return JSON.stringify([skill, file]);
}

/**
 * The meaning of a URI of Patchbay: `patchbay-skill://<server>/<seal>/<skill URI>/<name>/<path>`. The server is part of it,
 * since two servers may each have a skill of one URI (ext-skills, "Skill URIs"); the path is as it is in the skill's folder,
 * so that links between its files lead somewhere: the seal covers the skill, and not the path.
 */
export interface SkillAddress {
  readonly server: string;
  /** The URI of its SKILL.md. */
  readonly skill: string;
  /** Below the folder of the skill; empty for the folder. */
  readonly path: string;
}

/** The URI under which the editor opens a file of a skill. The name of the skill is there for people only. */
export function toSkillUri(seal: AddressSeal, { server, skill, path }: SkillAddress): UriParts {
  const folder = `/${seal.of(skillScheme, server, skill)}/${encodeSegment(skill)}/${folderName(skill)}`;
  return { scheme: skillScheme, authority: encodeSegment(server), path: `${folder}/${path}` };
}

/** @returns `undefined` for a URI that {@link toSkillUri} never made, and for what is above the folder of a skill */
export function readSkillUri(seal: AddressSeal, { scheme, authority, path }: UriParts): SkillAddress | undefined {
  const [start, sealed = '', encoded = '', name, ...segments] = path.replace(/\/$/, '').split('/');
  const server = decodeSegment(authority);
  const skill = decodeSegment(encoded);
  if (scheme !== skillScheme || server === undefined || skill === undefined) return undefined;
  // An encoded slash hides `..` from VS Code, which would otherwise have followed it.
  if (start !== '' || name !== folderName(skill) || segments.some((segment) => /^\.{0,2}$/.test(segment)))
    return undefined;
  return seal.holds(sealed, scheme, server, skill) ? { server, skill, path: segments.join('/') } : undefined;
}

function folderName(skill: string): string {
  return fileName(nameFromUri(skill.slice(0, skill.lastIndexOf('/'))));
}

/** The files of a skill by the paths they have here: without what could be taken for something else by an editor. */
export function skillPaths({ uri, files }: Skill): ReadonlyMap<string, string> {
  const known = files === 'dynamic' ? [{ uri, path: 'SKILL.md' }] : files;
  const safe = known.map(({ path }) =>
    path
      .split('/')
      .map((name) => fileName(name))
      .join('/'),
  );
  return new Map(uniqueNames(safe).map((path, index) => [path, known[index]?.uri ?? uri]));
}

/** Where nothing is known of the files of a skill, their URIs follow from their paths. */
export function skillFileUri(skillUri: string, path: string): string {
  return skillUri.slice(0, skillUri.lastIndexOf('/') + 1) + path.split('/').map(encodeURIComponent).join('/');
}
