import { FileSystemError, type FileStat, FileType, type Uri } from 'vscode';
import { isString, type JsonObject, type UnknownRecord } from '../../base/json.ts';
import type { Logger } from '../../base/logger.ts';
import { getOrMake } from '../../base/memoize.ts';
import { type Tool, readToolsPage } from '../../protocol/mcp/tools.ts';
import type { AddressSeal } from '../platform/addressSeal.ts';
import { createKeptFiles } from '../platform/keptFiles.ts';
import { writeArguments } from './argumentText.ts';
import { readToolUri } from './toolUri.ts';

const maximumCharacters = 2_000_000;

/** No arguments: of a document that was never written, or whose text was not kept. */
const emptyText = '{}\n';

interface OpenFile extends ToolDraft {
  readonly changedAt: number;
}

export type ToolFiles = ReturnType<typeof createToolFiles>;

/**
 * The files of the scheme `patchbay-tool`: for each tool the arguments that were typed, as JSON.
 * @param now milliseconds since the epoch
 */
export function createToolFiles(seal: AddressSeal, drafts: ToolDrafts, now: () => number) {
  const files = new Map<string, OpenFile>();

  /** What was typed, and the definition that the document was last shown with. */
  async function find(uri: Uri): Promise<OpenFile> {
    if (readToolUri(seal, uri) === undefined) throw FileSystemError.FileNotFound(uri);
    const key = uri.toString();
    const known = files.get(key);
    if (known !== undefined) return known;
    const draft = (await drafts.read(key)) ?? { text: emptyText };
    return getOrMake(files, key, () => ({ ...draft, changedAt: now() }));
  }

  /** Keeps something with the text of a document. */
  function keep(uri: Uri, kept: Partial<Pick<ToolDraft, 'tool' | 'isForCommand' | 'callsAgain'>>): void {
    const file = files.get(uri.toString());
    if (file === undefined) return;
    const { text, tool, isForCommand, callsAgain, changedAt } = { ...file, ...kept };
    if (file.tool === tool && file.isForCommand === isForCommand && file.callsAgain === callsAgain) return;
    const draft: ToolDraft = { text, tool, isForCommand, callsAgain };
    files.set(uri.toString(), { ...draft, changedAt });
    void drafts.write(uri.toString(), draft);
  }

  return {
    find,
    keep,
    /** @param first the arguments of a document that was never there; of an empty one `undefined` */
    async begin(uri: Uri, tool: Tool, first: () => Promise<JsonObject | undefined>): Promise<void> {
      const key = uri.toString();
      const isKnown = files.has(key) || (await drafts.read(key)) !== undefined;
      const args = isKnown ? undefined : await first();
      if (args !== undefined) getOrMake(files, key, () => ({ text: writeArguments(args), changedAt: now() }));
      keep(uri, { tool });
    },
    async stat(uri: Uri): Promise<FileStat> {
      const { text, changedAt } = await find(uri);
      return { type: FileType.File, ctime: changedAt, mtime: changedAt, size: Buffer.byteLength(text) };
    },
    readFile: async (uri: Uri): Promise<Uint8Array> => Buffer.from((await find(uri)).text, 'utf8'),
    readDirectory: () => [],
    async writeFile(uri: Uri, content: Uint8Array): Promise<void> {
      const { tool, isForCommand, callsAgain } = await find(uri);
      const text = Buffer.from(content).toString('utf8');
      if (text.length > maximumCharacters)
        throw FileSystemError.NoPermissions(`Arguments of more than ${maximumCharacters} characters cannot be kept.`);
      const draft: ToolDraft = { text, tool, isForCommand, callsAgain };
      files.set(uri.toString(), { ...draft, changedAt: now() });
      await drafts.write(uri.toString(), draft);
    },
    /** Forgets what was typed. Documents that are open keep their text. @param open their URIs */
    async forgetAll(open: ReadonlySet<string>): Promise<void> {
      for (const key of files.keys()) if (!open.has(key)) files.delete(key);
      await drafts.forgetAll();
    },
  };
}

export interface ToolDraft {
  readonly text: string;
  /** As it was last seen, so that the form is there before the server runs. */
  readonly tool?: Tool | undefined;
  /** The text was not kept, as it holds a secret that Patchbay knows. */
  readonly isWithheld?: boolean;
  /** See `ToolSession.isForCommand`. */
  readonly isForCommand?: boolean | undefined;
  /** See `ToolSession.callsAgain`. */
  readonly callsAgain?: boolean | undefined;
}

/** Drafts that are kept, and bytes of one. */
const maximum = { files: 200, bytes: 8 * 1024 * 1024 };
/** Characters of a definition that is kept with a draft. */
const maximumDefinition = 1_000_000;

export type ToolDrafts = ReturnType<typeof createToolDrafts>;

/**
 * Keeps drafts over reloads, beside the workspace's other state. Nothing here fails: what cannot be kept is logged.
 * @param holdsSecret true for a text that must not be kept
 */
export function createToolDrafts(folder: string, logger: Logger, holdsSecret: (text: string) => Promise<boolean>) {
  const files = createKeptFiles(folder, maximum, logger);
  /** Without pictures, which may be larger than all else together, and come again with the list. */
  async function keptDefinition(tool: Tool): Promise<Tool | undefined> {
    const { icons: _, ...definition } = tool;
    const written = JSON.stringify(definition);
    return written.length > maximumDefinition || (await holdsSecret(written)) ? undefined : definition;
  }
  return {
    read: async (key: string): Promise<ToolDraft | undefined> => readDraft((await files.read(key)) ?? {}),
    write: (key: string, { text, tool, isForCommand, callsAgain }: ToolDraft) =>
      files.write(key, async (): Promise<ToolDraft> => {
        const kept = { tool: tool && (await keptDefinition(tool)), ...flagsOf({ isForCommand, callsAgain }) };
        return (await holdsSecret(text)) ? { ...kept, text: emptyText, isWithheld: true } : { ...kept, text };
      }),
    forgetAll: files.forgetAll,
  };
}

function flagsOf({ isForCommand, callsAgain }: UnknownRecord) {
  return { ...(isForCommand === true && { isForCommand }), ...(callsAgain === true && { callsAgain }) };
}

function readDraft({ text, tool, isWithheld, ...flags }: UnknownRecord): ToolDraft | undefined {
  if (!isString(text)) return undefined;
  const [read] = readToolsPage({ tools: tool === undefined ? [] : [tool] }).items;
  return {
    text,
    tool: read,
    ...(isWithheld === true && { isWithheld }),
    ...flagsOf(flags),
  };
}
