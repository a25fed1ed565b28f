import { FileSystemError, type FileStat, FileType, type Uri } from 'vscode';
import type { LoadedFiles } from '../platform/readOnlyFileSystem.ts';
import type { ToolDraft, ToolDrafts } from './toolDrafts.ts';
import type { AddressSeal } from '../platform/addressSeal.ts';
import { readToolUri } from './toolUri.ts';
import type { Tool } from '../../protocol/mcp/tools.ts';

const maximumCharacters = 2_000_000;

/** A document that was never written holds no arguments. */
const emptyText = '{}\n';

interface OpenFile extends ToolDraft {
  readonly changedAt: number;
}

/** The files of the scheme `patchbay-tool`: for each tool the arguments that were typed, as JSON. */
export class ToolFiles implements LoadedFiles {
  readonly #seal: AddressSeal;
  readonly #drafts: ToolDrafts;
  readonly #now: () => number;
  /** By URI. */
  readonly #files = new Map<string, OpenFile>();

  /** @param now milliseconds since the epoch */
  constructor(seal: AddressSeal, drafts: ToolDrafts, now: () => number) {
    this.#seal = seal;
    this.#drafts = drafts;
    this.#now = now;
  }

  /** What was typed, and the definition that the document was last shown with. */
  async find(uri: Uri): Promise<OpenFile> {
    if (readToolUri(this.#seal, uri) === undefined) throw FileSystemError.FileNotFound(uri);
    const key = uri.toString();
    const known = this.#files.get(key);
    if (known !== undefined) return known;
    const draft = (await this.#drafts.read(key)) ?? { text: emptyText };
    const file = this.#files.get(key) ?? { ...draft, changedAt: this.#now() };
    this.#files.set(key, file);
    return file;
  }

  async stat(uri: Uri): Promise<FileStat> {
    const { text, changedAt } = await this.find(uri);
    return { type: FileType.File, ctime: changedAt, mtime: changedAt, size: Buffer.byteLength(text) };
  }

  async readFile(uri: Uri): Promise<Uint8Array> {
    return Buffer.from((await this.find(uri)).text, 'utf8');
  }

  readDirectory(): [] {
    return [];
  }

  async writeFile(uri: Uri, content: Uint8Array): Promise<void> {
    const { tool } = await this.find(uri);
    const text = Buffer.from(content).toString('utf8');
    if (text.length > maximumCharacters)
      throw FileSystemError.NoPermissions(`Arguments of more than ${maximumCharacters} characters cannot be kept.`);
    this.#files.set(uri.toString(), { text, tool, changedAt: this.#now() });
    await this.#drafts.write(uri.toString(), { text, tool });
  }

  /** The definition that a document is shown with from now on. */
  keepDefinition(uri: Uri, tool: Tool): void {
    const file = this.#files.get(uri.toString());
    if (file === undefined || file.tool === tool) return;
    this.#files.set(uri.toString(), { ...file, tool });
    void this.#drafts.write(uri.toString(), { text: file.text, tool });
  }

  /** Forgets what was typed. Documents that are open keep their text. @param open their URIs */
  async forgetAll(open: ReadonlySet<string>): Promise<void> {
    for (const key of this.#files.keys()) if (!open.has(key)) this.#files.delete(key);
    await this.#drafts.forgetAll();
  }
}
