import { mkdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256 } from '../../base/digest.ts';
import { messageOf } from '../../base/errors.ts';
import { isRecord, isString } from '../../base/json.ts';
import type { Logger } from '../../base/logger.ts';
import { readToolsPage, type Tool } from '../../protocol/mcp/tools.ts';
import { hasCode, keepNewest, replaceFile } from '../platform/plainFiles.ts';

/** What a person has typed for one tool, and the definition it was typed for. */
export interface ToolDraft {
  readonly text: string;
  /** As it was last seen, so that the form is there before the server runs. */
  readonly tool?: Tool | undefined;
  /** The text was not kept, as it holds a secret that Patchbay knows. */
  readonly isWithheld?: boolean;
}

/** Keeps drafts over reloads, beside the workspace's other state. Nothing here fails: what cannot be kept is logged. */
export interface ToolDrafts {
  /** @param key identifies the document */
  read(key: string): Promise<ToolDraft | undefined>;
  write(key: string, draft: ToolDraft): Promise<void>;
  /** Removes all drafts. */
  forgetAll(): Promise<void>;
}

/** Drafts kept; those written longest ago go first. */
const maximumDrafts = 200;

/** Bytes of one file, which may hold a definition of the largest size. */
const maximumBytes = 8 * 1024 * 1024;

/** What a draft holds in the place of a text that is not kept. */
const withheldText = '{}\n';

/** @param folder created with the first draft. @param holdsSecret true for a text that must not be kept */
export function createToolDrafts(
  folder: string,
  logger: Logger,
  holdsSecret: (text: string) => Promise<boolean>,
): ToolDrafts {
  let written = Promise.resolve();
  const pathOf = async (key: string): Promise<string> => join(folder, `${(await sha256(key)).slice(0, 32)}.json`);

  async function write(key: string, draft: ToolDraft): Promise<void> {
    const path = await pathOf(key);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // Another window may be writing the same draft.
    const temporary = `${path}.${crypto.randomUUID()}.new`;
    await replaceFile(path, JSON.stringify({ key, ...(await withoutSecrets(draft)) }), { temporary, isSynced: false });
    await keepNewest(folder, maximumDrafts);
  }

  async function withoutSecrets({ text, tool }: ToolDraft): Promise<ToolDraft> {
    const isKept = tool === undefined || !(await holdsSecret(JSON.stringify(tool)));
    const kept = isKept ? { tool } : {};
    return (await holdsSecret(text)) ? { ...kept, text: withheldText, isWithheld: true } : { ...kept, text };
  }

  return {
    async read(key) {
      await written;
      const path = await pathOf(key);
      try {
        if ((await stat(path)).size > maximumBytes) return undefined;
        return readDraft(key, JSON.parse(await readFile(path, 'utf8')));
      } catch (error) {
        if (!hasCode(error, 'ENOENT'))
          logger.warn(() => `The arguments kept in ${path} cannot be read: ${messageOf(error)}`);
        return undefined;
      }
    },
    write(key, draft) {
      written = written
        .then(() => write(key, draft))
        .catch((error: unknown) => logger.warn(() => `Arguments are not kept: ${messageOf(error)}`));
      return written;
    },
    forgetAll() {
      written = written
        .then(() => rm(folder, { recursive: true, force: true }))
        .catch((error: unknown) => logger.warn(() => `Arguments are not forgotten: ${messageOf(error)}`));
      return written;
    },
  };
}

function readDraft(key: string, value: unknown): ToolDraft | undefined {
  if (!isRecord(value) || value['key'] !== key || !isString(value['text'])) return undefined;
  const { text, tool } = value;
  const isWithheld = value['isWithheld'] === true;
  const [read] = readToolsPage({ tools: tool === undefined ? [] : [tool] }).items;
  return { text, tool: read, ...(isWithheld && { isWithheld }) };
}
