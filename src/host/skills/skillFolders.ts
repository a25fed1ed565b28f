import { type FileStat, FileSystemError, FileType, type Uri } from 'vscode';
import { isCancellation } from '../../base/errors.ts';
import { describeError } from '../platform/describeError.ts';
import { readOnlyStat } from '../platform/readOnlyFileSystem.ts';
import type { LoadedResource } from '../resources/resourceStore.ts';
import type { ServerRegistry } from '../servers/serverRegistry.ts';
import type { SkillStore } from './skillStore.ts';
import { readSkillUri, type SkillAddress, skillFileUri, skillPaths } from './skillUri.ts';

/** Skills as folders. A file is read, and verified, when it is looked at, never before. */
export class SkillFolders {
  readonly #registry: Pick<ServerRegistry, 'get'>;
  readonly #store: SkillStore;

  constructor(registry: Pick<ServerRegistry, 'get'>, store: SkillStore) {
    this.#registry = registry;
    this.#store = store;
  }

  async stat(uri: Uri): Promise<FileStat> {
    const address = readSkillUri(uri);
    if (address === undefined || address.path === '' || this.#children(address).size > 0)
      return readOnlyStat(FileType.Directory, 0);
    const { parts, changedAt } = await this.#load(uri, address);
    return readOnlyStat(FileType.File, changedAt, parts[0]?.bytes.length);
  }

  async readFile(uri: Uri): Promise<Uint8Array> {
    const address = readSkillUri(uri);
    if (address === undefined || this.#children(address).size > 0) throw FileSystemError.FileIsADirectory(uri);
    const { parts } = await this.#load(uri, address);
    return parts[0]?.bytes ?? new Uint8Array();
  }

  /** What the skill's entry lists: no server is asked. */
  readDirectory(uri: Uri): [string, FileType][] {
    const address = readSkillUri(uri);
    return address === undefined ? [] : [...this.#children(address)];
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
    try {
      const file = this.#paths(server, skill).get(path) ?? skillFileUri(skill, path);
      return await this.#store.load({ server, skill, file });
    } catch (error) {
      throw FileSystemError.Unavailable(
        isCancellation(error) ? 'Reading was cancelled.' : `${uri.path}: ${describeError(error).message}`,
      );
    }
  }
}
