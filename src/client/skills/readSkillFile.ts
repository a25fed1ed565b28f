import { sha256 } from '../../base/digest.ts';
import { messageOf, PatchbayError } from '../../base/errors.ts';
import type { UnknownRecord } from '../../base/json.ts';
import { bytesOfBase64 } from '../../base/truncate.ts';
import type { ResourceContents } from '../../protocol/mcp/content.ts';
import type { ReadResourceResult } from '../../protocol/mcp/resources.ts';
import { maximumSkillBytes, type Skill, skillFilePath } from '../../protocol/mcp/skills.ts';

/** A file that matches the skill's entry. Its text is still untrusted. */
export interface VerifiedSkillFile {
  readonly skill: Skill;
  readonly contents: ResourceContents;
}

/**
 * Reads a file of a skill and verifies it against the skill's entry: size, SHA-256 and, for SKILL.md, each field of the
 * frontmatter (skills extension, "Integrity and Verification"). Success means only that the server does not contradict itself.
 * @param read all files of a skill are read from the server that offers it
 * @throws {PatchbayError} `notVerified` for a file that must not be used; what reading throws
 */
export async function readSkillFile(
  skill: Skill,
  uri: string,
  read: (uri: string) => Promise<ReadResourceResult>,
): Promise<VerifiedSkillFile> {
  const { files } = skill;
  const file = files === 'dynamic' ? undefined : files.find((candidate) => candidate.uri === uri);
  const isListed = files === 'dynamic' ? skillFilePath(skill.uri, uri) !== undefined : file !== undefined;
  if (!isListed) throw notVerified(uri, `it is not among the files of the skill ${skill.uri.slice(0, 200)}`);
  const [contents, ...others] = (await read(uri)).contents;
  if (contents === undefined || others.length > 0)
    throw notVerified(uri, 'the server did not send exactly one content');
  const { text, blob = '' } = contents;
  const bytes = text === undefined ? bytesOfBase64(blob) : new TextEncoder().encode(text);
  if (bytes === undefined) throw notVerified(uri, 'it is not valid base64');
  if (file === undefined && bytes.length > maximumSkillBytes)
    throw notVerified(uri, 'it is larger than a skill may be');
  if (file !== undefined && bytes.length !== file.size)
    throw notVerified(uri, `it has ${bytes.length} bytes, and the skill's entry says ${file.size}`);
  if (file !== undefined && (await sha256(bytes)) !== file.sha256)
    throw notVerified(uri, "its SHA-256 is not that of the skill's entry");
  if (uri === skill.uri) await verifyFrontmatter(skill, bytes);
  return { skill, contents };
}

async function verifyFrontmatter(skill: Skill, bytes: Uint8Array): Promise<void> {
  // The YAML parser is loaded with the first skill that is opened.
  const { differingFields, readFrontmatter } = await import('./frontmatter.ts');
  let found: UnknownRecord;
  try {
    found = readFrontmatter(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw notVerified(skill.uri, messageOf(error), error);
  }
  const differing = differingFields(found, skill.frontmatter);
  if (differing.length === 0) return;
  const names = differing.slice(0, 5).map((name) => `"${name.slice(0, 40)}"`);
  throw notVerified(skill.uri, `its frontmatter differs from the skill's entry in ${names.join(', ')}`);
}

function notVerified(uri: string, why: string, cause?: unknown): PatchbayError {
  return new PatchbayError(
    'notVerified',
    `${uri.slice(0, 200)} is not shown: ${why}. The list of skills is being refreshed, in case the skill has changed. If this continues, contact the author of the server.`,
    { cause },
  );
}
