import { type TextDocument, type Uri, type WebviewPanel, window, workspace } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { PatchbayError } from '../../base/errors.ts';
import { isRecord, type JsonObject } from '../../base/json.ts';
import { toolDisplayName } from '../../protocol/mcp/displayName.ts';
import type { Tool } from '../../protocol/mcp/tools.ts';
import { type ContentPicker, createContentPicker, type FeatureContext } from '../invocation/contentPicker.ts';
import { ensureListed, findServer, readContentTarget } from '../invocation/contentTarget.ts';
import type { AddressSeal } from '../platform/addressSeal.ts';
import { notificationText } from '../platform/displayText.ts';
import type { LoadedFiles } from '../platform/readOnlyFileSystem.ts';
import type { ActingCommandContext } from '../platform/registerCommand.ts';
import type { WholeValue } from '../results/wholeDocuments.ts';
import type { HostServer } from '../servers/serverRegistry.ts';
import type { ToolNode } from '../servers/serverNodes.ts';
import { registerArgumentLanguage } from './argumentLanguage.ts';
import { chooseSavedCall } from '../calls/savedCallCommands.ts';
import type { SavedCalls } from '../calls/savedCallStore.ts';
import type { AppFeature } from '../apps/appFeature.ts';
import { createAppPresenter } from '../apps/presentApp.ts';
import { createToolDrafts } from './toolDrafts.ts';
import { createToolEditors, followTextEditor, type ToolEditors } from './toolEditor.ts';
import { createToolFiles, type ToolFiles } from './toolFiles.ts';
import type { ToolCallerOptions } from './toolCaller.ts';
import { createToolLibrary, type ToolLibrary, type ToolLibraryOptions } from './toolLibrary.ts';
import { createToolRunner, findTool, type RunTool, type ToolRunnerOptions, type WantedCall } from './toolRunner.ts';

/** What {@link ToolFeature} needs of the host. */
export type ToolFeatureOptions = FeatureContext &
  ActingCommandContext &
  Omit<ToolRunnerOptions, 'picker' | 'openForm' | 'library' | 'apps'> &
  Pick<ToolLibraryOptions, 'historyFolder' | 'knownSecrets' | 'isSignedIn'> &
  Pick<ToolCallerOptions, 'traces'> & {
    readonly extensionUri: Uri;
    readonly seal: AddressSeal;
    /** Loads the code of apps. */
    readonly loadApps: () => Promise<AppFeature>;
    /** The folder for what was typed. */
    readonly folder: string;
    readonly savedCalls: () => Promise<SavedCalls>;
    /** Knows its rows, which only an action of the person passes to a command. */
    readonly view: { isRow(argument: unknown): boolean };
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
  readonly #run: RunTool;

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
    this.#run = createToolRunner({
      ...options,
      library,
      apps,
      picker,
      openForm: (host, tool, args) => this.#openForm(host, tool, args),
    });
  }

  async call(argument: unknown): Promise<unknown> {
    const given = givenCall(argument, this.#options);
    if (given?.caller === 'command' && !(await this.#mayStart(given, argument))) return undefined;
    return this.#run(given ?? (await this.#chosenCall(argument)));
  }

  async open(argument: unknown, isAnother: boolean): Promise<void> {
    const { registry, view, clock } = this.#options;
    const args = readArguments(argument);
    const given = readContentTarget(argument, 'tool');
    const chosen = given === undefined ? await this.#choose('Open Tool') : undefined;
    const host = chosen?.host ?? findServer(registry, given?.server ?? '');
    await ensureListed(host, 'tools', clock);
    const row = chosen?.tool ?? (view.isRow(argument) ? (argument as ToolNode).item : undefined);
    const { tools } = host.server.contents;
    const occurrence = row === undefined ? readOccurrence(argument) : occurrenceOf(row, tools);
    return this.#openForm(host, findTool(host, row?.name ?? given?.name ?? '', occurrence), args, isAnother);
  }

  async openSaved(argument: unknown): Promise<void> {
    const key = await chooseSavedCall(argument, this.#savedCalls, 'Open Saved Call');
    const { server, tool, args, notice } = await this.#savedCalls.open(key);
    await this.open({ server, tool, arguments: args }, false);
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

  #openForm(host: HostServer, tool: Tool, args?: JsonObject, isAnother = false): Promise<void> {
    const occurrence = occurrenceOf(tool, host.server.contents.tools);
    return this.#editors.open({
      server: host.label,
      identity: host.server.identity,
      tool,
      occurrence,
      args,
      isAnother,
    });
  }

  /** A call of a running server is asked about with the tool in sight. A stopped one would start for it. */
  async #mayStart({ target }: WantedCall, argument: unknown): Promise<boolean> {
    const { registry, confirmElsewhere } = this.#options;
    const isRunning = findServer(registry, target.server).server.state.kind === 'running';
    return isRunning || confirmElsewhere('Start a server, to call a tool', argument);
  }

  async #chosenCall(argument: unknown): Promise<WantedCall> {
    const args = readArguments(argument);
    const { host, tool } = await this.#choose('Call Tool');
    const target = { server: host.label, name: tool.name };
    const chosen = { target, occurrence: occurrenceOf(tool, host.server.contents.tools) };
    // The person has not seen arguments that come with the command.
    return args === undefined ? { ...chosen, caller: 'form' } : { ...chosen, caller: 'command', args };
  }

  async #choose(title: string): Promise<{ readonly host: HostServer; readonly tool: Tool }> {
    const { host, item } = await this.#picker.pick(title);
    return { host, tool: item };
  }
}

/** The call that a row or an argument written by hand asks for; `undefined` if it names no tool. */
function givenCall(
  argument: unknown,
  { registry, view }: Pick<ToolFeatureOptions, 'registry' | 'view'>,
): WantedCall | undefined {
  const target = readContentTarget(argument, 'tool');
  if (target === undefined) return undefined;
  if (!view.isRow(argument))
    return { target, caller: 'command', args: readArguments(argument), occurrence: readOccurrence(argument) };
  const { item } = argument as ToolNode;
  const tools = registry.get(target.server)?.server.contents.tools ?? [];
  return { target, caller: 'form', occurrence: occurrenceOf(item, tools) };
}

/** @throws {PatchbayError} `invalidArguments` */
function readArguments(argument: unknown): JsonObject | undefined {
  const given = isRecord(argument) ? argument['arguments'] : undefined;
  if (given === undefined || isRecord(given)) return given as JsonObject | undefined;
  throw new PatchbayError('invalidArguments', 'The member "arguments" of the command\'s argument must be an object.');
}

/** The index among tools of that name, in an argument written by hand; 0 by default. */
function readOccurrence(argument: unknown): number {
  const given = isRecord(argument) ? argument['occurrence'] : undefined;
  return Number.isInteger(given) ? Number(given) : 0;
}

/** The index of a tool among those of its name. */
function occurrenceOf(tool: Tool, tools: readonly Tool[]): number {
  return Math.max(0, tools.filter(({ name }) => name === tool.name).indexOf(tool));
}
