import { FileSystemError, FileType, Uri } from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { isRecord, isString } from '../../base/json.ts';
import type { Skill } from '../../protocol/mcp/skills.ts';
import { CommandIds } from '../commandIds.ts';
import { withCallProgress } from '../invocation/callProgress.ts';
import { createContentPicker } from '../invocation/contentPicker.ts';
import { ensureListed, findServer, readContentTarget } from '../invocation/contentTarget.ts';
import type { AddressSeal } from '../platform/addressSeal.ts';
import { asPreview, showOwnFile } from '../platform/documents.ts';
import { decodeSegment, encodeSegment, fileName, nameFromUri, uniqueNames } from '../platform/fileName.ts';
import { isForPreview } from '../platform/personArguments.ts';
import { type LoadedFiles, readOnlyStat } from '../platform/readOnlyFileSystem.ts';
import { skillScheme, type UriParts } from '../platform/uriSchemes.ts';
import { createDocumentReads, type DocumentReads, type DocumentsOptions } from '../resources/documentReads.ts';
import type { ServerRegistry } from '../servers/serverRegistry.ts';

/** The command about skills, and the files it opens. Loaded with the first of these. */
export function createSkillFeature(options: DocumentsOptions, seal: AddressSeal) {
  const { registry, clock } = options;
  const disposables = new DisposableStore();
  // Files of running servers that were read and verified.
  const reads = disposables.add(
    createDocumentReads(options, async ({ server }, key, signal) => {
      const [skill, file] = JSON.parse(key) as [skill: string, file: string];
      const { contents } = await server.readSkillFile(skill, file, signal && { signal });
      return { contents: [contents] };
    }),
  );
  const picker = createContentPicker({
    ...options,
    placeholder: 'Choose a skill',
    noun: 'skills',
    storageKey: 'patchbay.recentSkills',
    itemsOf: ({ skills }) =>
      skills.map((item) => ({ item, icon: 'book', label: item.name, name: item.uri, about: item.description })),
  });

  async function choose(argument: unknown) {
    const named = readContentTarget(argument, 'skill');
    if (named !== undefined) {
      const file = isRecord(argument) && isString(argument['file']) ? argument['file'] : named.name;
      return { server: named.server, skill: named.name, file };
    }
    const { host, name } = await picker.pick('Open Skill');
    return { server: host.label, skill: name, file: name };
  }

  /**
   * *Open Skill*: opens a file of a skill in an editor after it was verified. The argument is a row of the tree,
   * `{ server, skill, file? }` with URIs, of SKILL.md if there is no `file`, or nothing: then the person chooses.
   */
  async function open(argument: unknown): Promise<void> {
    const { server: label, skill, file } = await choose(argument);
    const host = findServer(registry, label);
    await ensureListed(host, 'skills', clock);
    const key = skillFileKey(skill, file);
    await withCallProgress({ title: `Reading ${file}`, clock }, (signal) => reads.store.load(label, key, signal));
    picker.markUsed({ server: label, name: skill });
    const listed = host.server.contents.skills.find(({ uri }) => uri === skill);
    const known = listed && [...skillPaths(listed)].find(([, uri]) => uri === file)?.[0];
    // Derived from the URIs if the skill is not listed.
    const path = known ?? file.slice(skill.lastIndexOf('/') + 1);
    const shown = isForPreview(argument) ? asPreview : { preview: false };
    await showOwnFile(Uri.from(toSkillUri(seal, { server: label, skill, path })), shown);
  }

  return {
    files: createSkillFiles(seal, registry, reads),
    [CommandIds.openSkill]: open,
    dispose: () => disposables.dispose(),
  };
}

/** Skills as read-only folders. A file is read and verified when an editor reads it, never before. */
function createSkillFiles(seal: AddressSeal, registry: ServerRegistry, reads: DocumentReads): LoadedFiles {
  /** @returns what is in the folder `path` by the listed entry of the skill; `load` reads the file `path` */
  function look(uri: Uri) {
    const address = readSkillUri(seal, uri);
    if (address === undefined) throw FileSystemError.FileNotFound(uri);
    const { server, skill, path } = address;
    const listed = registry.get(server)?.server.contents.skills.find((candidate) => candidate.uri === skill);
    const paths = listed === undefined ? new Map<string, string>() : skillPaths(listed);
    const folder = path === '' ? '' : `${path}/`;
    const below = [...paths.keys()].filter((known) => known.startsWith(folder));
    const names = below.map((known) => known.slice(folder.length).split('/'));
    const children = new Map(
      names.map(([name = '', ...rest]) => [name, rest.length === 0 ? FileType.File : FileType.Directory]),
    );
    const load = () => reads.read(uri, server, skillFileKey(skill, paths.get(path) ?? skillFileUri(skill, path)));
    return { path, children, load };
  }
  return {
    onDidChangeFile: reads.onDidChangeFile,
    async stat(uri) {
      const { path, children, load } = look(uri);
      if (path === '' || children.size > 0) return readOnlyStat(FileType.Directory, 0);
      const { parts, changedAt } = await load();
      return readOnlyStat(FileType.File, changedAt, parts[0]?.bytes.length);
    },
    async readFile(uri) {
      const { children, load } = look(uri);
      if (children.size > 0) throw FileSystemError.FileIsADirectory(uri);
      const { parts } = await load();
      return parts[0]?.bytes ?? new Uint8Array();
    },
    readDirectory: (uri) => [...look(uri).children],
  };
}

/** What stands for a file of a skill in the store of what was read. @param skill the URI of its SKILL.md */
function skillFileKey(skill: string, file: string): string {
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
  const safePath = (path: string): string => Array.from(path.split('/'), (name) => fileName(name)).join('/');
  const safe = known.map(({ path }) => safePath(path));
  return new Map(uniqueNames(safe).map((path, index) => [path, known[index]?.uri ?? uri]));
}

/** Where nothing is known of the files of a skill, their URIs follow from their paths. */
export function skillFileUri(skillUri: string, path: string): string {
  return skillUri.slice(0, skillUri.lastIndexOf('/') + 1) + path.split('/').map(encodeURIComponent).join('/');
}
