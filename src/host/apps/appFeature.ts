import { readFile } from 'node:fs/promises';
import { Uri, ViewColumn, type WebviewPanel, window } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { PatchbayError } from '../../base/errors.ts';
import { getOrMake } from '../../base/memoize.ts';
import { emptyContents } from '../../client/contents.ts';
import type { ConnectionTap } from '../../client/trace/connectionTap.ts';
import { followSecrets } from '../../client/trace/tappedChannel.ts';
import type { TrafficLog } from '../../client/trace/trafficLog.ts';
import type { LaunchPlan } from '../../base/launchPlan.ts';
import { appUriOf } from '../../protocol/mcp/apps.ts';
import { toolDisplayName } from '../../protocol/mcp/displayName.ts';
import type { SamplingMessage } from '../../protocol/mcp/sampling.ts';
import { type AppTarget, readAppMemory } from '../../shared/appMessages.ts';
import { readPastCall } from '../calls/callRecord.ts';
import { createToolPicker } from '../invocation/contentPicker.ts';
import { findTool, readContentTarget, readOccurrence } from '../invocation/contentTarget.ts';
import { toolContent } from '../invocation/modelQuestion.ts';
import { singleLine } from '../platform/displayText.ts';
import { createTextDocuments } from '../platform/textDocuments.ts';
import { openWebviewPanel } from '../platform/webviewPanel.ts';
import { chooseAppAction } from './appActions.ts';
import type { ShownCall } from './appRun.ts';
import { AppOrigins } from './appOrigins.ts';
import type { AppParts, AppPorts } from './appPorts.ts';
import { AppTab } from './appTab.ts';

/** Before its first start, a server has no secrets to hide. */
const nothingStarted: LaunchPlan = { kind: 'stdio', command: '', args: [], env: {} } as unknown as LaunchPlan;

/** Loaded with the first app. */
export async function createAppFeature(ports: AppPorts): Promise<AppFeature> {
  const script = Uri.joinPath(ports.extensionUri, 'dist', 'webview', 'appFrame.js');
  const [frameScript, log] = await Promise.all([readFile(script.fsPath, 'utf8'), ports.traffic.log()]);
  return new AppFeature(ports, frameScript, log);
}

export class AppFeature implements Disposable {
  readonly #parts: AppParts;
  readonly #store = new DisposableStore();
  readonly #picker;
  readonly #tabs = new Map<string, AppTab>();
  readonly #log: TrafficLog;
  #isDisposed = false;
  readonly #taps = new Map<string, ConnectionTap>();

  constructor(ports: AppPorts, frameScript: string, log: TrafficLog) {
    this.#log = log;
    this.#parts = {
      ...ports,
      frameScript,
      tap: (label) => this.#tap(label),
      origins: this.#store.add(new AppOrigins()),
      pastCall: (id) => readPastCall(ports.historyFolder, id),
      documents: this.#store.add(
        createTextDocuments({ scheme: 'patchbay-app', missingText: 'The app is no longer open.\n' }),
      ),
    };
    const placeholder = 'Choose a tool with an app';
    const shown = { placeholder, icon: 'window', storageKey: 'patchbay.recentApps' } as const;
    this.#picker = createToolPicker(ports, shown, (tool) => appUriOf(tool) !== undefined);
  }

  /** *Open App*. The argument is a row of the tree, `{ server, tool }` or nothing. */
  async open(argument: unknown): Promise<void> {
    const given = readContentTarget(argument, 'tool');
    const chosen = given === undefined ? await this.#picker.pick('Open App') : undefined;
    const server = chosen?.host.label ?? given?.server ?? '';
    const tool = chosen?.item.name ?? given?.name ?? '';
    const contents = this.#parts.registry.get(server)?.server.contents ?? emptyContents;
    const target = { server, tool, occurrence: readOccurrence(chosen ?? argument, contents, tool) };
    const found = findTool(contents, tool, target.occurrence);
    const title = found === undefined ? tool : toolDisplayName(found);
    const tab = this.#tabs.get(keyOf(target)) ?? this.#openTab(target, title, false);
    tab.panel.reveal();
    await tab.open(tab.call);
  }

  /** Shows the app of a tool with a call, in its tab beside the active one. @param kept the id in the history of one that has ended */
  show(target: AppTarget, title: string, call: ShownCall, kept?: Promise<string | undefined>): void {
    const known = this.#tabs.get(keyOf(target));
    const tab = known ?? this.#openTab(target, title, true);
    known?.panel.reveal();
    void tab.open(call, kept);
  }

  /** The call that {@link show} was given last has ended. @param kept its id in the history */
  endCall(target: AppTarget, call: ShownCall, kept: Promise<string | undefined>): void {
    this.#tabs.get(keyOf(target))?.endCall(call, kept);
  }

  /** Takes a tab that was open before the window was reloaded. @param state what its page kept, unchecked */
  restore(panel: WebviewPanel, state: unknown): void {
    const memory = readAppMemory(state);
    if (memory === undefined) return void panel.dispose();
    const { call, identity, ...target } = memory;
    this.#add(panel, target).restore({ call, identity });
  }

  /** *App Actions…*, for the active tab. */
  async chooseAction(): Promise<void> {
    const tab = [...this.#tabs.values()].find(({ panel }) => panel.view.active);
    if (tab === undefined) throw new PatchbayError('notFound', 'Open an app first: its tab must be the active one.');
    await chooseAppAction(tab, this.#parts);
  }

  /** What the apps of a server gave for the next question to a model. */
  contextOf(server: string): readonly SamplingMessage[] {
    return [...this.#tabs.values()].flatMap(({ target, run }) => {
      if (target.server !== server || run?.context === undefined) return [];
      const [message] = toolContent({ ...run.context, isError: false });
      if (message === undefined || message.content.length === 0) return [];
      const about = `The app of the tool ${singleLine(target.tool, 100)} says of what it shows now:`;
      return [{ role: 'user' as const, content: [{ type: 'text' as const, text: about }, ...message.content] }];
    });
  }

  dispose(): void {
    this.#isDisposed = true;
    for (const tab of this.#tabs.values()) {
      tab.dispose();
      tab.panel.view.dispose();
    }
    this.#store.dispose();
  }

  #openTab(target: AppTarget, title: string, preserveFocus: boolean): AppTab {
    const panel = openWebviewPanel({
      extensionUri: this.#parts.extensionUri,
      name: 'app',
      title: `App: ${singleLine(title, 50)}`,
      viewColumn: this.#columnBeside(),
      preserveFocus,
    });
    return this.#add(panel, target);
  }

  /** Beside what is active, and where other apps are: further apps make no further columns. */
  #columnBeside(): ViewColumn {
    const active = window.tabGroups.activeTabGroup.viewColumn;
    const columns = [...this.#tabs.values()].flatMap(({ panel }) => panel.view.viewColumn ?? []);
    const used = columns.find((column) => column !== active);
    if (used !== undefined) return used;
    return active > ViewColumn.One ? active - 1 : ViewColumn.Beside;
  }

  #add(panel: WebviewPanel, target: AppTarget): AppTab {
    const key = keyOf(target);
    const tab = new AppTab(panel, target, this.#parts, (shown) => chooseAppAction(shown, this.#parts));
    // A second tab of the same app: what the first one showed goes on in this one.
    const first = this.#tabs.get(key);
    this.#tabs.set(key, tab);
    first?.panel.view.dispose();
    panel.onDidDispose(() => {
      const isLatest = this.#tabs.get(key) === tab;
      if (isLatest) this.#tabs.delete(key);
      const { isInWindow, call, callId, app } = tab;
      tab.dispose();
      // A window of its own that is closed gives the app back to its place beside its tool. A closed panel has no title.
      if (isLatest && isInWindow && !this.#isDisposed)
        void this.#openTab(target, app?.title ?? target.tool, true).open(call, Promise.resolve(callId));
    });
    return tab;
  }

  #tap(label: string): ConnectionTap {
    const { knownSecrets } = this.#parts;
    return getOrMake(this.#taps, label, () => {
      const plan = knownSecrets.plans.get(label) ?? nothingStarted;
      const redactor = followSecrets(plan, () => undefined, knownSecrets.current);
      return this.#log.tapApp({ label, plan, redactor });
    });
  }
}

function keyOf({ server, tool, occurrence }: AppTarget): string {
  return JSON.stringify([server, tool, occurrence]);
}
