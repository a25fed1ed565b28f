import { isPatchbayError } from '../../base/errors.ts';
import type { ResourceContents } from '../../protocol/mcp/content.ts';
import type { ReadResourceResult } from '../../protocol/mcp/resources.ts';
import { readGetSkillResult, type Skill } from '../../protocol/mcp/skills.ts';
import { assertListed, verifySkillFile } from './verifySkillFile.ts';

/** A file that matches the skill's entry. Its text is still untrusted. */
export interface VerifiedSkillFile {
  readonly skill: Skill;
  readonly contents: ResourceContents;
}

/** The server that offers the skill: all files of a skill are read from the same server. */
export interface SkillSource {
  /** The skills that it lists; it may have others. */
  readonly listed: readonly Skill[];
  /** @returns the raw result of `skills/get` */
  readonly get: (uri: string) => Promise<unknown>;
  readonly read: (uri: string) => Promise<ReadResourceResult>;
  /** Called when a file does not match the skill's entry: one of them may be out of date. */
  readonly refresh: (fileUri: string) => void;
}

/**
 * Reads a file of a skill and verifies it against the skill's entry.
 * @param skillUri of its SKILL.md; the entry of a skill that is not listed is requested
 * @param fileUri one of the skill's files, or SKILL.md itself
 * @throws {PatchbayError} `notVerified` for a file that must not be used; what reading throws
 */
export async function readSkillFile(
  source: SkillSource,
  skillUri: string,
  fileUri: string,
): Promise<VerifiedSkillFile> {
  const listed = source.listed.find(({ uri }) => uri === skillUri);
  const skill = listed ?? readGetSkillResult(await source.get(skillUri));
  try {
    assertListed(skill, fileUri);
    return { skill, contents: await verifySkillFile(skill, fileUri, await source.read(fileUri)) };
  } catch (error) {
    if (isPatchbayError(error, 'notVerified')) source.refresh(fileUri);
    throw error;
  }
}
