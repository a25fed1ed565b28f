import { type FileStat, FileSystemError, FileType, type Uri } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { isCancellation } from '../../base/errors.ts';
import { describeError } from '../platform/describeError.ts';
import { notificationText } from '../platform/displayText.ts';
import { readOnlyStat } from '../platform/readOnlyFileSystem.ts';
import { findServer } from '../invocation/contentTarget.ts';
import type { AddressSeal } from '../platform/addressSeal.ts';
import type { DocumentReads } from '../resources/documentReads.ts';
import { createResourceStore, type LoadedResource } from '../resources/resourceStore.ts';
import type { ServerRegistry } from '../servers/serverRegistry.ts';
import { readSkillUri, type SkillAddress, skillFileUri, skillPaths } from './skillUri.ts';

/** Skills as read-only folders. A file is read and verified when an editor reads it, never before. */
export class SkillFiles {
  readonly #seal: AddressSeal;
  readonly #registry: Pick<ServerRegistry, 'get'>;
  readonly #store: SkillStore;
  readonly #reads: DocumentReads;

  /** A document that could not be read can be read now. */
  readonly onDidChangeFile;

  constructor(seal: AddressSeal, registry: Pick<ServerRegistry, 'get'>, store: SkillStore, reads: DocumentReads) {
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
    const file = this.#paths(server, skill).get(path) ?? skillFileUri(skill, path);
    const target = { server, skill, file };
    try {
      return await this.#reads.read(
        uri,
        server,
        () => this.#store.load(target),
        () => this.#store.last(target),
      );
    } catch (error) {
      throw FileSystemError.Unavailable(
        isCancellation(error)
          ? 'Reading was cancelled.'
          : notificationText(`${uri.path}: ${describeError(error).message}`, 1_000),
      );
    }
  }
}

export interface SkillFileTarget {
  readonly server: string;
  /** The URI of its SKILL.md. */
  readonly skill: string;
  readonly file: string;
}

/** Files of running servers that were read and verified, kept for 2 s like those of resources. */
export function createSkillStore(registry: ServerRegistry, clock: Clock) {
  const store = createResourceStore({
    clock,
    definitionOf: (label) => registry.get(label)?.server.identity,
    async read(label, key, signal) {
      const [skill, file] = JSON.parse(key) as [skill: string, file: string];
      const { server } = findServer(registry, label);
      const { contents } = await server.readSkillFile(skill, file, signal && { signal });
      return { contents: [contents] };
    },
  });
  return {
    /** @throws {PatchbayError} `notVerified`; what reading throws */
    load: ({ server, skill, file }: SkillFileTarget, signal?: AbortSignal): Promise<LoadedResource> =>
      store.load(server, JSON.stringify([skill, file]), signal),
    /** What was read and verified last, of whatever age. */
    last: ({ server, skill, file }: SkillFileTarget): LoadedResource | undefined =>
      store.last(server, JSON.stringify([skill, file])),
  };
}

type SkillStore = ReturnType<typeof createSkillStore>;
