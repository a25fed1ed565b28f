import { isPatchbayError } from '../../base/errors.ts';
import type { ResourceContents } from '../../protocol/mcp/content.ts';
import type { ReadResourceResult } from '../../protocol/mcp/resources.ts';
import { readGetSkillResult, type Skill } from '../../protocol/mcp/skills.ts';
import { assertListed, verifySkillFile } from './verifySkillFile.ts';

/** A file of a skill that is what the skill's entry says. Its text is a stranger's all the same. */
export interface VerifiedSkillFile {
  readonly skill: Skill;
  readonly contents: ResourceContents;
}

/** The server a skill comes from: nothing of a skill is ever read from another one. */
export interface SkillSource {
  /** The skills it lists, which need not be all it has. */
  readonly listed: readonly Skill[];
  /** @returns the raw result of `skills/get` */
  readonly get: (uri: string) => Promise<unknown>;
  readonly read: (uri: string) => Promise<ReadResourceResult>;
  /** The skill's entry and a file do not fit together: one of them may be an old one. */
  readonly refresh: (fileUri: string) => void;
}

/**
 * Reads a file of a skill and holds it against the skill's entry.
 * @param skillUri of its SKILL.md; a skill that is not listed is asked for
 * @param fileUri one of the skill's files, SKILL.md included
 * @throws {PatchbayError} `notVerified` for what must not be used; what reading throws
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
