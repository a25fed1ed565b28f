import { commands, RelativePattern, Uri, type WebviewPanel, workspace } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { Coalescer } from '../../base/coalescer.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { isCancellation, messageOf } from '../../base/errors.ts';
import type { Event } from '../../base/event.ts';
import { createLatestReading } from '../../base/latestReading.ts';
import type { Logger } from '../../base/logger.ts';
import {
  type CallListFromPanel,
  type CallListToPanel,
  type ListedCall,
  readCallListMessage,
} from '../../shared/callListMessages.ts';
import type { HistoryAction } from '../../shared/toolMessages.ts';
import { showError } from '../platform/showError.ts';
import { createSinglePanel } from '../platform/webviewPanel.ts';
import { isHistoryOn } from './callHistory.ts';

interface CallListOptions {
  readonly extensionUri: Uri;
  /** Of the history: a window on the same folder adds calls to it too. */
  readonly folder: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly list: () => Promise<readonly ListedCall[]>;
  /** What {@link list} gives, or the setting, has changed. */
  readonly onDidChange: Event<unknown>;
  readonly act: (id: string, action: HistoryAction) => Promise<void>;
  readonly forgetAll: () => Promise<void>;
}

/** The least time between two readings of the list. */
const intervalMs = 250;

/** Shows the calls of all tools in an editor tab. */
export function createCallListPanel(options: CallListOptions) {
  const { extensionUri } = options;
  const connectPage = (panel: WebviewPanel): DisposableStore => connect(panel, options);
  return createSinglePanel({ extensionUri, name: 'calls', title: 'Call History' }, connectPage);
}

function connect({ webview }: WebviewPanel, options: CallListOptions): DisposableStore {
  const { folder, clock, logger, list, onDidChange, act, forgetAll } = options;
  const store = new DisposableStore();
  let isReady = false;
  const read = createLatestReading(list);

  async function send(): Promise<void> {
    const calls = isReady ? await read() : undefined;
    if (calls === undefined) return;
    const message: CallListToPanel = { type: 'calls', calls, isKept: isHistoryOn('enabled') };
    await webview.postMessage(message);
  }

  function receive(message: CallListFromPanel): Promise<unknown> {
    switch (message.type) {
      case 'ready':
        isReady = true;
        return send();
      case 'history':
        return act(message.id, message.action);
      case 'forgetAll':
        return forgetAll();
      case 'openSetting':
        return Promise.resolve(commands.executeCommand('workbench.action.openSettings', 'patchbay.history.enabled'));
    }
  }

  function run(work: Promise<unknown>): void {
    work.catch((error: unknown) => {
      if (isCancellation(error)) return;
      logger.error(() => `The history of calls: ${messageOf(error)}`);
      showError(error);
    });
  }

  const changes = store.add(new Coalescer(clock, intervalMs, () => run(send())));
  const watcher = store.add(
    workspace.createFileSystemWatcher(new RelativePattern(Uri.file(folder), '*.json'), false, true),
  );
  watcher.onDidCreate(() => changes.request());
  watcher.onDidDelete(() => changes.request());
  store.add(onDidChange(() => changes.request()));
  webview.onDidReceiveMessage((value: unknown) => {
    const message = readCallListMessage(value);
    if (message !== undefined) run(receive(message));
  });
  return store;
}
