import { FileSystemError, type FileStat, FileType, type Uri } from 'vscode';
import type { LoadedFiles } from '../platform/readOnlyFileSystem.ts';
import type { ToolDraft, ToolDrafts } from './toolDrafts.ts';
import type { AddressSeal } from '../platform/addressSeal.ts';
import { readToolUri } from './toolUri.ts';
import type { Tool } from '../../protocol/mcp/tools.ts';

/** Characters of one document. */
const maximumCharacters = 2_000_000;

/** The files of the scheme `patchbay-tool`: for each tool the arguments that were typed, as JSON. */
export interface ToolFiles extends LoadedFiles {
  /** The definition that a document was last shown with. */
  definition(uri: Uri): Promise<Tool | undefined>;
  keepDefinition(uri: Uri, tool: Tool): void;
  /** True if the document is empty because its text was not kept, as it held a secret. */
  isWithheld(uri: Uri): Promise<boolean>;
  /** Forgets what was typed. Documents that are open keep their text. @param open their URIs */
  forgetAll(open: ReadonlySet<string>): Promise<void>;
}

/** A document that was never written holds no arguments. */
const emptyText = '{}\n';

interface OpenFile extends ToolDraft {
  readonly changedAt: number;
}

/** @param now milliseconds since the epoch */
export function createToolFiles(seal: AddressSeal, drafts: ToolDrafts, now: () => number): ToolFiles {
  const files = new Map<string, OpenFile>();

  async function find(uri: Uri): Promise<OpenFile> {
    if (readToolUri(seal, uri) === undefined) throw FileSystemError.FileNotFound(uri);
    const key = uri.toString();
    const known = files.get(key);
    if (known !== undefined) return known;
    const draft = (await drafts.read(key)) ?? { text: emptyText };
    const file = files.get(key) ?? { ...draft, changedAt: now() };
    files.set(key, file);
    return file;
  }

  return {
    async stat(uri): Promise<FileStat> {
      const { text, changedAt } = await find(uri);
      return { type: FileType.File, ctime: changedAt, mtime: changedAt, size: Buffer.byteLength(text) };
    },
    async readFile(uri) {
      return Buffer.from((await find(uri)).text, 'utf8');
    },
    readDirectory: () => [],
    async writeFile(uri, content) {
      const { tool } = await find(uri);
      const text = Buffer.from(content).toString('utf8');
      if (text.length > maximumCharacters) {
        throw FileSystemError.NoPermissions(`Arguments of more than ${maximumCharacters} characters cannot be kept.`);
      }
      files.set(uri.toString(), { text, tool, changedAt: now() });
      await drafts.write(uri.toString(), { text, tool });
    },
    async definition(uri) {
      return (await find(uri)).tool;
    },
    async isWithheld(uri) {
      return (await find(uri)).isWithheld === true;
    },
    keepDefinition(uri, tool) {
      const file = files.get(uri.toString());
      if (file === undefined || file.tool === tool) return;
      files.set(uri.toString(), { ...file, tool });
      void drafts.write(uri.toString(), { text: file.text, tool });
    },
    async forgetAll(open) {
      for (const key of files.keys()) if (!open.has(key)) files.delete(key);
      await drafts.forgetAll();
    },
  };
}
