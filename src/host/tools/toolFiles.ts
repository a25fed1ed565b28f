import { mkdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { FileSystemError, type FileStat, FileType, type Uri } from 'vscode';
import { sha256 } from '../../base/digest.ts';
import { messageOf } from '../../base/errors.ts';
import { isRecord, isString } from '../../base/json.ts';
import type { Logger } from '../../base/logger.ts';
import { type Tool, readToolsPage } from '../../protocol/mcp/tools.ts';
import type { AddressSeal } from '../platform/addressSeal.ts';
import { hasCode, keepNewest, replaceFile } from '../platform/plainFiles.ts';
import type { LoadedFiles } from '../platform/readOnlyFileSystem.ts';
import { readToolUri } from './toolUri.ts';

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

export interface ToolDraft {
  readonly text: string;
  /** As it was last seen, so that the form is there before the server runs. */
  readonly tool?: Tool | undefined;
  /** The text was not kept, as it holds a secret that Patchbay knows. */
  readonly isWithheld?: boolean;
}

/** Drafts kept; those written longest ago go first. */
const maximumDrafts = 200;

/** Bytes of one file, which may hold a definition of the largest size. */
const maximumBytes = 8 * 1024 * 1024;

/** What a draft holds in the place of a text that is not kept. */
const withheldText = '{}\n';

/** Keeps drafts over reloads, beside the workspace's other state. Nothing here fails: what cannot be kept is logged. */
export class ToolDrafts {
  readonly #folder: string;
  readonly #logger: Logger;
  readonly #holdsSecret: (text: string) => Promise<boolean>;
  #written = Promise.resolve();

  /** @param folder created with the first draft. @param holdsSecret true for a text that must not be kept */
  constructor(folder: string, logger: Logger, holdsSecret: (text: string) => Promise<boolean>) {
    this.#folder = folder;
    this.#logger = logger;
    this.#holdsSecret = holdsSecret;
  }

  async read(key: string): Promise<ToolDraft | undefined> {
    await this.#written;
    const path = await this.#pathOf(key);
    try {
      if ((await stat(path)).size > maximumBytes) return undefined;
      return readDraft(key, JSON.parse(await readFile(path, 'utf8')));
    } catch (error) {
      if (!hasCode(error, 'ENOENT'))
        this.#logger.warn(() => `The arguments kept in ${path} cannot be read: ${messageOf(error)}`);
      return undefined;
    }
  }

  write(key: string, draft: ToolDraft): Promise<void> {
    return this.#enqueue('kept', async () => {
      const path = await this.#pathOf(key);
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      // Another window may be writing the same draft.
      const temporary = `${path}.${crypto.randomUUID()}.new`;
      const text = JSON.stringify({ key, ...(await this.#withoutSecrets(draft)) });
      await replaceFile(path, text, { temporary, isSynced: false });
      await keepNewest(this.#folder, maximumDrafts);
    });
  }

  forgetAll(): Promise<void> {
    return this.#enqueue('forgotten', () => rm(this.#folder, { recursive: true, force: true }));
  }

  #enqueue(what: string, step: () => Promise<void>): Promise<void> {
    this.#written = this.#written
      .then(step)
      .catch((error: unknown) => this.#logger.warn(() => `Arguments are not ${what}: ${messageOf(error)}`));
    return this.#written;
  }

  async #pathOf(key: string): Promise<string> {
    return join(this.#folder, `${(await sha256(key)).slice(0, 32)}.json`);
  }

  async #withoutSecrets({ text, tool }: ToolDraft): Promise<ToolDraft> {
    const isKept = tool === undefined || !(await this.#holdsSecret(JSON.stringify(tool)));
    const kept = isKept ? { tool } : {};
    return (await this.#holdsSecret(text)) ? { ...kept, text: withheldText, isWithheld: true } : { ...kept, text };
  }
}

function readDraft(key: string, value: unknown): ToolDraft | undefined {
  if (!isRecord(value) || value['key'] !== key || !isString(value['text'])) return undefined;
  const { text, tool } = value;
  const isWithheld = value['isWithheld'] === true;
  const [read] = readToolsPage({ tools: tool === undefined ? [] : [tool] }).items;
  return { text, tool: read, ...(isWithheld && { isWithheld }) };
}
