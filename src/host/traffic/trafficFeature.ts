import { type Uri, type WebviewPanel, window } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { isCancellation, messageOf } from '../../base/errors.ts';
import type { Event } from '../../base/event.ts';
import { createSlices } from '../../base/slices.ts';
import type { Logger } from '../../base/logger.ts';
import { findRequest, type SentRequest } from '../../client/trace/sentRequest.ts';
import { toHar, toTrafficLine } from '../../client/trace/trafficExport.ts';
import type { TrafficLog } from '../../client/trace/trafficLog.ts';
import type { TrafficRow } from '../../client/trace/trafficRow.ts';
import type { TrafficToPanel } from '../../shared/trafficMessages.ts';
import { countOf, notificationText } from '../platform/displayText.ts';
import { copyToClipboard, saveAs } from '../platform/sendTo.ts';
import { showError } from '../platform/showError.ts';
import { createSinglePanel } from '../platform/webviewPanel.ts';
import { labelFromArgument } from '../servers/serverArgument.ts';
import { act, actionsOf, type TrafficActionPorts } from './trafficActions.ts';
import { TrafficPageConnection } from './trafficPanel.ts';

export interface TrafficPorts extends TrafficActionPorts {
  readonly extensionUri: Uri;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly log: TrafficLog;
  /** Name and version of Patchbay, for files. */
  readonly creator: { readonly name: string; readonly version: string };
}

/** The tab *Traffic*: the only one. Loaded when it is first shown. */
export class TrafficFeature implements Disposable {
  readonly #ports: TrafficPorts;
  readonly #panel;
  #page: TrafficPageConnection | undefined;

  constructor(ports: TrafficPorts) {
    this.#ports = ports;
    const { extensionUri } = ports;
    this.#panel = createSinglePanel({ extensionUri, name: 'traffic', title: 'Traffic' }, (panel, isRestored) =>
      this.#connect(panel, isRestored),
    );
  }

  /** *Show Traffic*. The argument is a row of a server, its name, or nothing: then all is shown. */
  show(argument: unknown): void {
    const label = labelFromArgument(argument);
    const isOpen = this.#page !== undefined;
    this.#panel.show();
    if (label !== undefined) this.#page?.show(`server:${JSON.stringify(label).replaceAll('\\', '')}`);
    else if (!isOpen) this.#page?.show('');
  }

  /** @returns false where the row of a call is no longer kept */
  showCall(sent: readonly SentRequest[]): boolean {
    const row = findRequest(this.#ports.log, sent);
    if (row === undefined) return false;
    this.#panel.show();
    this.#page?.show('', row.id);
    return true;
  }

  /** Takes the tab that was open before the window was reloaded. */
  restore(panel: WebviewPanel): void {
    this.#panel.adopt(panel);
  }

  dispose(): void {
    this.#panel.dispose();
  }

  #connect({ webview }: WebviewPanel, isRestored: boolean): Disposable {
    const ports = this.#ports;
    const post = (message: TrafficToPanel): void => void webview.postMessage(message);
    const onMessage = webview.onDidReceiveMessage as Event<unknown>;
    const page = new TrafficPageConnection(
      { post, onMessage },
      {
        log: ports.log,
        clock: ports.clock,
        isRestored,
        actionsOf: (row) => actionsOf(row, ports),
        act: (row, action) => act(row, action, ports),
        copy: copyToClipboard,
        exportRows: (rows, format) => this.#export(rows, format),
        run: (work) => this.#run(work),
      },
    );
    this.#page = page;
    return {
      dispose: () => {
        if (this.#page === page) this.#page = undefined;
        page.dispose();
      },
    };
  }

  async #export(rows: readonly TrafficRow[], format: 'jsonl' | 'har'): Promise<void> {
    const { creator } = this.#ports;
    const name = format === 'har' ? 'mcp-traffic.har' : 'mcp-traffic.jsonl';
    const pieces = format === 'har' ? toHar(rows, creator) : toLines(rows);
    const target = await saveAs(name, async () => joinPieces(pieces, this.#ports.clock));
    if (target === undefined) return;
    const text = `Exported ${countOf(rows.length, 'row')} to ${target.fsPath}. Known secrets are hidden.`;
    void window.showInformationMessage(notificationText(text, 1_000));
  }

  #run(work: Promise<unknown>): void {
    work.catch((error: unknown) => {
      if (isCancellation(error)) return;
      this.#ports.logger.error(() => `Traffic: ${messageOf(error)}`);
      showError(error);
    });
  }
}

function* toLines(rows: readonly TrafficRow[]): Generator<string, void, undefined> {
  for (const row of rows) yield toTrafficLine(row);
}

async function joinPieces(pieces: Iterable<string>, clock: Clock): Promise<Uint8Array> {
  const made: Uint8Array[] = [];
  const encoder = new TextEncoder();
  // Each piece is searched for secrets: of a hostile server that takes long.
  const nextSlice = createSlices(clock, () => new Promise((resolve) => void clock.after(0, resolve)));
  for (const piece of pieces) {
    made.push(encoder.encode(piece));
    await nextSlice();
  }
  return Buffer.concat(made);
}
