import { messageOf, PatchbayError } from '../../base/errors.ts';
import { isRecord, isString, type UnknownRecord } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { percentDecoded, truncateWithCount } from '../../base/truncate.ts';
import { type BaseMetadata, invalidResult, type ListPage, readListPage } from './base.ts';
import { opaqueObject } from './readers.ts';

/** A skill of a server: instructions for models (ext-skills, "Skill Entries"). Consistent, but untrusted. */
export interface Skill extends BaseMetadata {
  /** URI of its SKILL.md, which identifies the skill within its server. */
  readonly uri: string;
  readonly description: string;
  /** The path of its parent folder, for instance `acme/billing`, since names may repeat; empty at the top level. */
  readonly prefix: string;
  readonly frontmatter: UnknownRecord;
  /** All its files; `dynamic` where they are generated for each read and cannot be verified. */
  readonly files: readonly SkillFile[] | 'dynamic';
}

export interface SkillFile {
  readonly uri: string;
  /** Path in the folder of the skill, for instance `references/FORMS.md`. */
  readonly path: string;
  /** SHA-256 of the bytes, in lower-case hexadecimal. */
  readonly sha256: string;
  readonly size: number;
}

/** The minimum that each host must accept (ext-skills, "Limits"); here it is also the maximum. */
export const maximumSkillFiles = 512;
/** The same for the bytes of all files of a skill. */
export const maximumSkillBytes = 16 * 1024 * 1024;

const manifest = '/SKILL.md';

/** Invalid entries are left out. @throws {PatchbayError} `invalidMessage` without a list */
export function readSkillsPage(result: unknown): ListPage<Skill> {
  const page = readListPage(result, 'skills', opaqueObject);
  const problems = [...page.problems];
  const items = page.items.flatMap((entry) => {
    try {
      return readSkill(entry);
    } catch (error) {
      if (problems.length < limits.list.problems) problems.push(messageOf(error));
      return [];
    }
  });
  return { ...page, items, problems };
}

/** @throws {PatchbayError} `invalidMessage` */
export function readGetSkillResult(result: unknown): Skill {
  const entry = isRecord(result) ? result['skill'] : undefined;
  if (!isRecord(entry)) throw invalidResult('"skill" is not an object');
  return readSkill(entry);
}

/** @throws {PatchbayError} `invalidMessage`, with the rule that the entry violates */
function readSkill({ uri, frontmatter, resources }: UnknownRecord): Skill {
  if (!isString(uri) || !uri.endsWith(manifest)) throw unusable(uri, 'its URI does not end in /SKILL.md');
  if (!isRecord(frontmatter)) throw unusable(uri, 'it has no frontmatter');
  const { name, description } = frontmatter;
  if (!isString(name) || !isString(description)) throw unusable(uri, 'its frontmatter lacks a name or a description');
  const above = uri.slice(0, -manifest.length).split('/');
  if (name === '' || percentDecoded(above.pop() ?? '') !== name)
    throw unusable(uri, 'its name is not the name of its folder');
  const prefix = above.join('/').replace(/^skill:\/*/, '');
  const files = resources === 'dynamic' ? resources : readFiles(uri, resources);
  if (uri.length > limits.item.uri) throw unusable(uri, `its URI is longer than ${limits.item.uri} characters`);
  const shown = truncateWithCount(description, limits.item.description);
  return { name, description: shown, uri, prefix, frontmatter, files };
}

function readFiles(uri: string, resources: unknown): readonly SkillFile[] {
  if (!Array.isArray(resources)) throw unusable(uri, 'its "resources" are neither a list nor "dynamic"');
  if (resources.length > maximumSkillFiles) throw unusable(uri, `it has more than ${maximumSkillFiles} files`);
  const files = resources.map((entry: unknown) => readFile(uri, entry));
  if (!files.some((file) => file.uri === uri)) throw unusable(uri, 'its SKILL.md is not among its files');
  if (new Set(files.map(({ path }) => path)).size < files.length)
    throw unusable(uri, 'one of its files is listed twice');
  if (files.reduce((sum, { size }) => sum + size, 0) > maximumSkillBytes)
    throw unusable(uri, `its files are more than ${maximumSkillBytes / 1024 / 1024} MiB`);
  return files;
}

function readFile(skillUri: string, entry: unknown): SkillFile {
  const { uri, digest, size } = isRecord(entry) ? entry : {};
  const sha256 = isString(digest) ? /^sha256:([0-9a-f]{64})$/.exec(digest)?.[1] : undefined;
  if (!isString(uri) || sha256 === undefined || !Number.isSafeInteger(size) || Number(size) < 0)
    throw unusable(skillUri, 'one of its files lacks a URI, a SHA-256 digest or a size');
  const path = skillFilePath(skillUri, uri);
  if (path === undefined) throw unusable(skillUri, 'one of its files is outside of its folder');
  return { uri, path, sha256, size: Number(size) };
}

/** The path of a file in the folder of its skill; `undefined` outside of it. */
export function skillFilePath(skillUri: string, fileUri: string): string | undefined {
  const folder = skillUri.slice(0, -manifest.length + 1);
  if (!fileUri.startsWith(folder) || /[?#]/.test(fileUri)) return undefined;
  const segments = fileUri.slice(folder.length).split('/').map(percentDecoded);
  return segments.every(isPlain) ? segments.join('/') : undefined;
}

/** False for names that could lead out of the folder. */
function isPlain(segment: string): boolean {
  return segment !== '' && segment !== '.' && segment !== '..' && !/[/\\\u0000]/.test(segment);
}

function unusable(uri: unknown, why: string): PatchbayError {
  const named = isString(uri) ? ` ${uri.slice(0, 200)}` : '';
  return new PatchbayError('invalidMessage', `The skill${named} cannot be used: ${why}.`);
}
