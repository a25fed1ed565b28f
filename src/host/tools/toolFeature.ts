import { type TextDocument, type Uri, type WebviewPanel, window, workspace } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { PatchbayError } from '../../base/errors.ts';
import { isRecord, type JsonObject } from '../../base/json.ts';
import { toolDisplayName } from '../../protocol/mcp/displayName.ts';
import type { SchemaValidator } from '../../client/validation/schemaValidator.ts';
import type { Tool } from '../../protocol/mcp/tools.ts';
import { type ContentPicker, createContentPicker, type FeatureContext } from '../invocation/contentPicker.ts';
import { ensureListed, findServer, findTool, readContentTarget, readOccurrence } from '../invocation/contentTarget.ts';
import type { AddressSeal } from '../platform/addressSeal.ts';
import { CommandIds } from '../commandIds.ts';
import { notificationText } from '../platform/displayText.ts';
import { isByPerson } from '../platform/personArguments.ts';
import type { LoadedFiles } from '../platform/readOnlyFileSystem.ts';
import { type ActingCommandContext, copyOf } from '../platform/registerCommand.ts';
import type { WholeValue } from '../results/wholeDocuments.ts';
import { registerArgumentLanguage } from './argumentLanguage.ts';
import { chooseSavedCall } from '../calls/savedCallQuestions.ts';
import type { SavedCalls } from '../calls/savedCallStore.ts';
import type { AppFeature } from '../apps/appFeature.ts';
import { createAppPresenter } from '../apps/presentApp.ts';
import { createToolDrafts } from './toolDrafts.ts';
import { createToolEditors, followTextEditor, type ToolEditors } from './toolEditor.ts';
import { createToolFiles, type ToolFiles } from './toolFiles.ts';
import type { ToolCallerOptions } from './toolCaller.ts';
import { createToolLibrary, type ToolLibrary, type ToolLibraryOptions } from './toolLibrary.ts';
import type { ToolTab } from './toolTab.ts';

/** What {@link ToolFeature} needs of the host. */
export type ToolFeatureOptions = FeatureContext &
  ActingCommandContext &
  Pick<ToolLibraryOptions, 'historyFolder' | 'knownSecrets' | 'isSignedIn' | 'askModel'> &
  Pick<ToolCallerOptions, 'traces'> & {
    readonly extensionUri: Uri;
    readonly validator: SchemaValidator;
    readonly seal: AddressSeal;
    /** Loads the code of apps. */
    readonly loadApps: () => Promise<AppFeature>;
    /** The folder for what was typed. */
    readonly folder: string;
    readonly savedCalls: () => Promise<SavedCalls>;
  };

/** The commands about tools. Arguments come unchecked from VS Code. */
export interface ToolFeature extends Disposable {
  /** *Call Tool…*. The argument is a row of the tree, `{ server, tool, arguments? }` or nothing. @returns the server's result */
  call(argument: unknown): Promise<unknown>;
  /** *Open Tool…*, with the same arguments. @param isAnother opens one more tab */
  open(argument: unknown, isAnother: boolean): Promise<void>;
  /** *Open Saved Call…*: fills the form, and calls nothing. The argument is a row of the tree, `{ server, tool, name }` or nothing. */
  openSaved(argument: unknown): Promise<void>;
  /** *Show Saved Call in File*, with the same arguments. */
  showSaved(argument: unknown): Promise<void>;
  /** *Delete Saved Call…*, with the same arguments. */
  deleteSaved(argument: unknown): Promise<void>;
  /** *Save Call…*: the call in the active tab. */
  saveActive(): Promise<void>;
  /** *Forget Call History…* */
  forgetHistory(): Promise<void>;
  /** The files of the scheme `patchbay-tool`. */
  readonly files: LoadedFiles;
  /** Fills the panel that VS Code has made for such a file. */
  resolve(document: TextDocument, panel: WebviewPanel): Promise<void>;
  /** The result in the active tab, whole. */
  readonly active: WholeValue | undefined;
}

/** Lets a person choose a tool of any server. */
function createToolPicker(options: ToolFeatureOptions): ContentPicker<Tool> {
  return createContentPicker({
    ...options,
    placeholder: 'Choose a tool',
    noun: 'tools',
    storageKey: 'patchbay.recentTools',
    itemsOf: ({ tools }) =>
      tools.map((item) => ({
        item,
        icon: 'tools',
        label: toolDisplayName(item),
        name: item.name,
        about: item.description,
      })),
  });
}

/** Loaded with the first of these commands. */
export async function createToolFeature(options: ToolFeatureOptions): Promise<ToolFeature> {
  return new LoadedToolFeature(options, await options.savedCalls());
}

class LoadedToolFeature implements ToolFeature {
  readonly #files: ToolFiles;
  readonly #options: ToolFeatureOptions;
  readonly #savedCalls: SavedCalls;
  readonly #store = new DisposableStore();
  readonly #picker: ContentPicker<Tool>;
  readonly #library: ToolLibrary;
  readonly #editors: ToolEditors;

  constructor(options: ToolFeatureOptions, savedCalls: SavedCalls) {
    const { clock, logger, folder, seal, knownSecrets } = options;
    this.#options = options;
    this.#savedCalls = savedCalls;
    const picker = createToolPicker(options);
    const apps = createAppPresenter(options.loadApps);
    const library = this.#store.add(createToolLibrary({ ...options, apps, savedCalls }));
    const editor = this.#store.add(followTextEditor());
    const holdsSecret = async (text: string): Promise<boolean> => (await knownSecrets.collector()).holdsSecret(text);
    const files = createToolFiles(seal, createToolDrafts(folder, logger, holdsSecret), () => clock.now());
    this.#files = files;
    this.#picker = picker;
    this.#library = library;
    this.#editors = this.#store.add(
      createToolEditors({
        ...options,
        library,
        apps,
        files,
        lastEditor: editor.last,
        markUsed: ({ address }) => picker.markUsed({ server: address.server, name: address.tool }),
      }),
    );
    this.#store.add(registerArgumentLanguage(this.#editors));
  }

  async call(requested: unknown): Promise<unknown> {
    const isByHand = isByPerson(requested, CommandIds.callTool);
    // The one who gave the argument can change it while a question is open.
    const argument = isByHand ? requested : copyOf(requested);
    const args = readArguments(argument);
    const given = readContentTarget(argument, 'tool');
    // The person has chosen a row, but has not seen arguments that come with a command.
    const isOwn = args === undefined && (given === undefined || isByHand);
    if (given !== undefined && !isOwn && !(await this.#mayStart(given.server, argument))) return undefined;
    const tab = await this.#openTab(argument, 'Call Tool', 'free');
    return tab.callOrEdit({ caller: isOwn ? 'form' : 'command', args });
  }

  async open(argument: unknown, isAnother: boolean): Promise<void> {
    const args = readArguments(argument);
    const tab = await this.#openTab(argument, 'Open Tool', isAnother ? 'another' : 'first');
    tab.session.isForCommand = false;
    await tab.edit(args);
  }

  async openSaved(argument: unknown): Promise<void> {
    const key = await chooseSavedCall(argument, this.#savedCalls, 'Open Saved Call');
    const { args, notice } = await this.#savedCalls.open(key);
    await this.open({ server: key.server, tool: key.tool, arguments: args }, false);
    if (notice !== undefined) void window.showInformationMessage(notificationText(notice, 600));
  }

  async showSaved(argument: unknown): Promise<void> {
    await this.#savedCalls.show(await chooseSavedCall(argument, this.#savedCalls, 'Show Saved Call in File'));
  }

  async deleteSaved(argument: unknown): Promise<void> {
    await this.#savedCalls.delete(await chooseSavedCall(argument, this.#savedCalls, 'Delete Saved Call'));
  }

  async saveActive(): Promise<void> {
    const session = this.#editors.activeSession;
    if (session === undefined) throw new PatchbayError('notFound', 'Open a tool first, and fill in its arguments.');
    await this.#library.receive(session, { type: 'saveCall' });
  }

  async forgetHistory(): Promise<void> {
    if (!(await this.#library.forgetAll())) return;
    await this.#files.forgetAll(new Set(workspace.textDocuments.map(({ uri }) => uri.toString())));
  }

  async resolve(document: TextDocument, panel: WebviewPanel): Promise<void> {
    await this.#editors.resolve(document, panel);
  }

  get files(): LoadedFiles {
    return this.#files;
  }

  get active(): WholeValue | undefined {
    return this.#editors.active;
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** Opens the tab of the tool that the argument of a command names, or that the person chooses. */
  async #openTab(argument: unknown, title: string, which: 'first' | 'another' | 'free'): Promise<ToolTab> {
    const given = readContentTarget(argument, 'tool');
    const chosen = given === undefined ? await this.#picker.pick(title) : undefined;
    const host = chosen?.host ?? findServer(this.#options.registry, given?.server ?? '');
    const { server, label } = host;
    const name = chosen?.item.name ?? given?.name ?? '';
    const occurrence = readOccurrence(chosen ?? argument, server.contents, name);
    await ensureListed(host, 'tools', this.#options.clock);
    const tool = findTool(server.contents, name, occurrence);
    if (tool === undefined)
      throw new PatchbayError('notFound', `The server "${label}" does not offer a tool "${name}".`);
    return this.#editors.open({ server: label, identity: server.identity, tool, occurrence, which });
  }

  /** A call of a running server is asked about with the tool in sight. A stopped one would start for it. */
  async #mayStart(label: string, argument: unknown): Promise<boolean> {
    const { registry, confirmElsewhere } = this.#options;
    const isRunning = findServer(registry, label).server.state.kind === 'running';
    return isRunning || confirmElsewhere('Start a server, to call a tool', argument);
  }
}

/** @returns a copy: another extension could change its own. @throws {PatchbayError} `invalidArguments` */
function readArguments(argument: unknown): JsonObject | undefined {
  const given = isRecord(argument) ? argument['arguments'] : undefined;
  if (given === undefined) return undefined;
  const copy: unknown = JSON.parse(JSON.stringify(given));
  if (isRecord(copy)) return copy as JsonObject;
  throw new PatchbayError('invalidArguments', 'The member "arguments" of the command\'s argument must be an object.');
}
