import type { Skill } from '../../protocol/mcp/skills.ts';
import type { AddressSeal } from '../platform/addressSeal.ts';
import { decodeSegment, encodeSegment, fileName, uniqueNames } from '../platform/fileName.ts';
import { nameFromUri } from '../platform/fileName.ts';
import { skillScheme, type UriParts } from '../platform/uriSchemes.ts';

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
