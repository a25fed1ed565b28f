import { messageOf, PatchbayError } from '../../base/errors.ts';
import type { ResourceContents } from '../../protocol/mcp/content.ts';
import type { ReadResourceResult } from '../../protocol/mcp/resources.ts';
import { maximumSkillBytes, type Skill, skillFilePath } from '../../protocol/mcp/skills.ts';

/** A file that matches the skill's entry. Its text is still untrusted. */
export interface VerifiedSkillFile {
  readonly skill: Skill;
  readonly contents: ResourceContents;
}

/**
 * Reads a file of a skill and verifies it against the skill's entry.
 * @param read all files of a skill are read from the server that offers it
 * @throws {PatchbayError} `notVerified` for a file that must not be used; what reading throws
 */
export async function readSkillFile(
  skill: Skill,
  fileUri: string,
  read: (uri: string) => Promise<ReadResourceResult>,
): Promise<VerifiedSkillFile> {
  assertListed(skill, fileUri);
  return { skill, contents: await verifySkillFile(skill, fileUri, await read(fileUri)) };
}

/**
 * Verifies a file against the skill's entry: size, SHA-256 and, for SKILL.md, each field of the frontmatter (skills
 * extension, "Integrity and Verification"). Success means only that the server does not contradict itself.
 * @throws {PatchbayError} `notVerified`: the file must not be used
 */
async function verifySkillFile(skill: Skill, uri: string, read: ReadResourceResult): Promise<ResourceContents> {
  const [contents, ...others] = read.contents;
  if (contents === undefined || others.length > 0) throw notVerified(uri, 'the server sent not exactly one content');
  const bytes = bytesOf(contents);
  if (bytes === undefined) throw notVerified(uri, 'it is not valid base64');
  await verifyBytes(skill, uri, bytes);
  if (uri === skill.uri) await verifyFrontmatter(skill, bytes);
  return contents;
}

/** Checks that the skill's entry lists the file. @throws {PatchbayError} `notVerified` */
function assertListed(skill: Skill, uri: string): void {
  const isListed =
    skill.files === 'dynamic'
      ? skillFilePath(skill.uri, uri) !== undefined
      : skill.files.some((file) => file.uri === uri);
  if (!isListed) throw notVerified(uri, `it is not among the files of the skill ${skill.uri.slice(0, 200)}`);
}

async function verifyBytes(skill: Skill, uri: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  if (skill.files === 'dynamic') {
    if (bytes.length > maximumSkillBytes) throw notVerified(uri, 'it is larger than a skill may be');
    return;
  }
  const file = skill.files.find((candidate) => candidate.uri === uri);
  if (bytes.length !== file?.size)
    throw notVerified(uri, `it has ${bytes.length} bytes, and the skill's entry says ${file?.size}`);
  if ((await sha256Of(bytes)) !== file.sha256) throw notVerified(uri, "its SHA-256 is not that of the skill's entry");
}

async function verifyFrontmatter(skill: Skill, bytes: Uint8Array): Promise<void> {
  // The YAML parser is loaded with the first skill that is opened.
  const { differingFields, readFrontmatter } = await import('./frontmatter.ts');
  const differing = differingFields(readOrRefuse(), skill.frontmatter);
  if (differing.length === 0) return;
  const names = differing.slice(0, 5).map((name) => `"${name.slice(0, 40)}"`);
  throw notVerified(skill.uri, `its frontmatter differs from the skill's entry in ${names.join(', ')}`);

  function readOrRefuse(): ReturnType<typeof readFrontmatter> {
    try {
      return readFrontmatter(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    } catch (error) {
      throw notVerified(skill.uri, messageOf(error), error);
    }
  }
}

function bytesOf({ text, blob = '' }: ResourceContents): Uint8Array<ArrayBuffer> | undefined {
  if (text !== undefined) return new TextEncoder().encode(text);
  try {
    return Uint8Array.from(atob(blob), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

async function sha256Of(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function notVerified(uri: string, why: string, cause?: unknown): PatchbayError {
  return new PatchbayError(
    'notVerified',
    `${uri.slice(0, 200)} is not shown: ${why}. The list of skills is being read again, in case the skill has changed; if this stays, tell whoever runs the server.`,
    { cause },
  );
}
