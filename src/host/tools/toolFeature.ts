import { window, workspace } from 'vscode';
import { type HistoryAction, outcomeSentence } from '../../shared/toolMessages.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { PatchbayError } from '../../base/errors.ts';
import { isRecord, type JsonObject } from '../../base/json.ts';
import { AppPresenter } from '../apps/registerApps.ts';
import { createCallListPanel } from '../calls/callListPanel.ts';
import type { WholePastCall } from '../calls/callRecord.ts';
import { chooseSavedCall } from '../calls/savedCallQuestions.ts';
import { createToolPicker } from '../invocation/contentPicker.ts';
import { CommandIds } from '../commandIds.ts';
import {
  checkIdentity,
  ensureListed,
  findServer,
  findTool,
  readContentTarget,
  readOccurrence,
} from '../invocation/contentTarget.ts';
import { notificationText } from '../platform/displayText.ts';
import { asPreview } from '../platform/documents.ts';
import { isByPerson, isForPreview } from '../platform/personArguments.ts';
import { copyOf } from '../platform/registerCommand.ts';
import { registerArgumentLanguage } from './argumentLanguage.ts';
import { createToolDrafts, createToolFiles, type ToolFiles } from './toolFiles.ts';
import { followTextEditor, ToolEditors } from './toolEditor.ts';
import { openSavedCall, ToolLibrary } from './toolLibrary.ts';
import type { RegisterToolsOptions, ToolPorts } from './toolPorts.ts';
import { pastOutcome } from './toolOutcome.ts';
import type { ToolTab } from './toolTab.ts';
import type { SentRequest } from '../../client/trace/sentRequest.ts';
import type { CallTarget } from '../traffic/trafficActions.ts';
import { parseExactly, stringifyExactly } from '../../base/exactIntegers.ts';

export async function createToolFeature(options: RegisterToolsOptions): Promise<ToolFeature> {
  const [seal, savedCalls, traffic] = await Promise.all([
    options.loadSeal(),
    options.savedCalls(),
    options.traffic.log(),
  ]);
  return new ToolFeature({ ...options, seal, savedCalls, traffic, apps: new AppPresenter(options.loadApps) });
}

/** The commands about tools, their files and their tabs. Arguments of commands come unchecked from VS Code. */
export class ToolFeature implements Disposable {
  readonly files: ToolFiles;
  readonly editors: ToolEditors;
  readonly #ports: ToolPorts;
  readonly #store = new DisposableStore();
  readonly #picker;
  readonly #library: ToolLibrary;
  readonly #calls: ReturnType<typeof createCallListPanel>;

  constructor(ports: ToolPorts) {
    const { clock, logger, folder, seal, knownSecrets } = ports;
    this.#ports = ports;
    const shown = { placeholder: 'Choose a tool', icon: 'tools', storageKey: 'patchbay.recentTools' } as const;
    this.#picker = createToolPicker(ports, { ...shown, actsAtOnce: true });
    this.#library = this.#store.add(new ToolLibrary(ports));
    const editor = this.#store.add(followTextEditor());
    const holdsSecret = async (text: string): Promise<boolean> => (await knownSecrets.collector()).holdsSecret(text);
    this.files = createToolFiles(seal, createToolDrafts(folder, logger, holdsSecret), () => clock.now());
    this.#calls = this.#store.add(
      createCallListPanel({
        extensionUri: ports.extensionUri,
        folder: ports.historyFolder,
        clock,
        logger,
        list: () => this.#library.all(),
        onDidChange: this.#library.onDidChange,
        act: (id, action) => this.#useCall(id, action),
        forgetAll: () => this.#forgetCalls(),
      }),
    );
    this.editors = this.#store.add(
      new ToolEditors({
        ...ports,
        library: this.#library,
        files: this.files,
        lastEditor: editor.last,
        showAllCalls: () => this.#calls.show(),
        markUsed: ({ address }) => this.#picker.markUsed({ server: address.server, name: address.tool }),
      }),
    );
    this.#store.add(registerArgumentLanguage(this.editors));
  }

  /**
   * The argument is a row of the tree, `{ server, tool, arguments? }` or nothing; for saved calls, `{ server, tool, name }`. With
   * `preview: true` the tab is shown as a preview: without the focus, and without starting the server.
   */
  readonly commands = {
    [CommandIds.callTool]: (argument) => this.#call(argument),
    [CommandIds.openTool]: (argument) => this.#open(argument, 'first'),
    [CommandIds.openAnotherTool]: (argument) => this.#open(argument, 'another'),
    /** Fills the form, and calls nothing. */
    [CommandIds.openSavedCall]: async (argument) => {
      const { savedCalls } = this.#ports;
      const key = await chooseSavedCall(argument, savedCalls, 'Open Saved Call');
      const { server, tool } = key;
      const args = await openSavedCall(savedCalls, key);
      await this.#open({ server, tool, arguments: args, preview: isForPreview(argument) }, 'first');
    },
    [CommandIds.showSavedCall]: async (argument) => {
      const { savedCalls } = this.#ports;
      await savedCalls.show(await chooseSavedCall(argument, savedCalls, 'Show Saved Call in File'));
    },
    [CommandIds.deleteSavedCall]: async (argument) => {
      const { savedCalls } = this.#ports;
      await savedCalls.delete(await chooseSavedCall(argument, savedCalls, 'Delete Saved Call'));
    },
    /** Of the call in the active tab. */
    [CommandIds.saveCall]: async () => {
      const session = this.editors.activeSession;
      if (session === undefined) throw new PatchbayError('notFound', 'Open a tool first, and fill in its arguments.');
      await this.#library.receive(session, { type: 'saveCall' });
    },
    /** Of the call whose result is in the active tab. */
    [CommandIds.showExchange]: async () => {
      const show = this.editors.activeSession?.outcome?.showExchange;
      if (show === undefined)
        throw new PatchbayError('notFound', 'Call a tool first: its messages are shown from its tab.');
      await show();
    },
    [CommandIds.forgetCallHistory]: () => this.#forgetCalls(),
    [CommandIds.showCallHistory]: async () => this.#calls.show(),
  } satisfies Record<string, (argument: unknown) => Promise<unknown>>;

  /** Calls a tool from its tab with the arguments of an earlier call, which the person has seen. */
  async callAgain(
    { server, identity, tool: name }: CallTarget & { identity: string },
    args: JsonObject,
  ): Promise<void> {
    const host = findServer(this.#ports.registry, server);
    checkIdentity(host, identity);
    const tool = host.server.isRemembered ? undefined : findTool(host.server.contents, name, 0);
    const tab = await this.editors.open({ server, identity, tool: name, occurrence: 0 }, tool, 'first', {
      preview: false,
    });
    await tab.callOrEdit({ caller: 'again', args });
  }

  /** Shows the call that a row of the traffic is of. @returns false where the history does not have it */
  async showCall(request: Pick<SentRequest, 'log' | 'position'>): Promise<boolean> {
    const id = await this.#library.findSent(request);
    if (id !== undefined) await this.#useCall(id, 'show');
    return id !== undefined;
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #forgetCalls(): Promise<void> {
    if (!(await this.#library.forgetAll())) return;
    await this.files.forgetAll(new Set(workspace.textDocuments.map(({ uri }) => uri.toString())));
  }

  /** What the person does in the list of all calls. Starts no server but to call its tool again. */
  async #useCall(id: string, action: HistoryAction): Promise<void> {
    const call = await this.#library.find(id);
    const { server, identity, tool: name, occurrence = 0 } = call;
    if (action !== 'show' && action !== 'edit' && action !== 'again') return this.#library.act(call, action);
    if (action === 'show' && this.#library.isReplaced(call)) return this.#showApart(call);
    const host = findServer(this.#ports.registry, server);
    checkIdentity(host, identity);
    const tool = host.server.isRemembered ? undefined : findTool(host.server.contents, name, occurrence);
    const tab = await this.editors.open({ server, identity, tool: name, occurrence }, tool, 'first', {
      preview: false,
    });
    // The form is as it was at the call that is shown.
    if (action === 'show') await tab.fill(call.args);
    await tab.useCall({ type: 'history', id, action });
  }

  /** Shows a call whose server is gone, or was another one: no tab of a tool is its own now. */
  async #showApart(call: WholePastCall): Promise<void> {
    const { server, identity, tool, occurrence = 0 } = call;
    const notice = 'The server that was called has changed or is no longer configured.';
    const address = { server, identity, tool, occurrence, copy: 0 };
    const { view, document } = pastOutcome(call, { address, tool: undefined }, this.#ports);
    if (document !== undefined) {
      const notices = [notice, ...(document.notices ?? [])];
      return this.#ports.show({ ...document, notices, key: `past ${call.id}` });
    }
    const words = [outcomeSentence(view), ...(view.kind === 'error' ? [view.message] : []), notice];
    await window.showInformationMessage(notificationText(words.join(' '), 600));
  }

  async #call(requested: unknown): Promise<unknown> {
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

  async #open(argument: unknown, which: 'first' | 'another'): Promise<void> {
    const args = readArguments(argument);
    const isPreview = isForPreview(argument);
    const tab = await this.#openTab(argument, 'Open Tool', which, isPreview);
    // A click on its row, or another extension, leaves the arguments of a command what they are.
    if (!isPreview && isByPerson(argument, CommandIds.openTool)) tab.session.isForCommand = false;
    await (isPreview ? tab.fill(args) : tab.edit(args));
  }

  async #openTab(
    argument: unknown,
    title: string,
    which: 'first' | 'another' | 'free',
    isPreview = false,
  ): Promise<ToolTab> {
    const given = readContentTarget(argument, 'tool');
    const chosen = given === undefined ? await this.#picker.pick(title) : undefined;
    const host = chosen?.host ?? findServer(this.#ports.registry, given?.server ?? '');
    const { server, label } = host;
    const name = chosen?.item.name ?? given?.name ?? '';
    const occurrence = readOccurrence(chosen ?? argument, server.contents, name);
    if (!isPreview) await ensureListed(host, 'tools', this.#ports.clock);
    const tool =
      findTool(server.contents, name, occurrence) ??
      (isPreview ? findTool(server.lastSeen, name, occurrence) : undefined);
    if (tool === undefined)
      throw new PatchbayError('notFound', `The server "${label}" does not offer a tool "${name}".`);
    const target = { server: label, identity: server.identity, tool: name, occurrence };
    return this.editors.open(target, tool, which, isPreview ? asPreview : { preview: false });
  }

  /** A call of a running server is asked about with the tool in sight. A stopped one would start for it. */
  async #mayStart(label: string, argument: unknown): Promise<boolean> {
    const { registry, confirmElsewhere } = this.#ports;
    const isRunning = findServer(registry, label).server.state.kind === 'running';
    return isRunning || confirmElsewhere('Start a server to call a tool', argument);
  }
}

/** @returns a copy: another extension could change its own. @throws {PatchbayError} `invalidArguments` */
function readArguments(argument: unknown): JsonObject | undefined {
  const given = isRecord(argument) ? argument['arguments'] : undefined;
  if (given === undefined) return undefined;
  const copy: unknown = parseExactly(stringifyExactly(given));
  if (isRecord(copy)) return copy as JsonObject;
  throw new PatchbayError('invalidArguments', 'The member "arguments" of the command\'s argument must be an object.');
}
