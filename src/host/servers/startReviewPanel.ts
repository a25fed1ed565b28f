import type { WebviewPanel } from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { readStartReviewMessage, type StartReviewToPanel, type StartRow } from '../../shared/startReviewMessages.ts';
import { showError } from '../platform/showError.ts';
import { tellMoves } from '../platform/webviewPanel.ts';

/** The tab with the servers that need a yes. Not restored after a reload: nothing is approved by a page of before. */
export class StartReviewPanel implements Disposable {
  readonly #open: () => WebviewPanel;
  readonly #onApprove: (chosen: readonly number[]) => Promise<void>;
  #panel: WebviewPanel | undefined;
  #isReady = false;
  /** Counts what was shown; an answer to another turn is void. */
  #turn = 0;
  #rows: readonly StartRow[] | undefined;

  /** @param onApprove gets the indexes of the rows that the person has chosen, once for each time that rows were shown */
  constructor(open: () => WebviewPanel, onApprove: (chosen: readonly number[]) => Promise<void>) {
    this.#open = open;
    this.#onApprove = onApprove;
  }

  show(rows: readonly StartRow[]): void {
    this.#turn += 1;
    this.#rows = rows;
    if (this.#panel === undefined) this.#create();
    else this.#panel.reveal();
    this.#post();
  }

  dispose(): void {
    this.#panel?.dispose();
  }

  #create(): void {
    const panel = this.#open();
    this.#panel = panel;
    this.#isReady = false;
    tellMoves(panel);
    panel.webview.onDidReceiveMessage((message: unknown) => panel === this.#panel && this.#receive(message));
    panel.onDidDispose(() => {
      if (panel !== this.#panel) return;
      this.#panel = undefined;
      this.#rows = undefined;
    });
  }

  #receive(value: unknown): void {
    const message = readStartReviewMessage(value);
    if (message?.type === 'ready') {
      this.#isReady = true;
      this.#post();
    } else if (message?.type === 'cancel') this.dispose();
    else if (message?.type === 'start' && message.turn === this.#turn && this.#rows !== undefined) {
      // One answer for each turn.
      this.#rows = undefined;
      this.#onApprove(message.chosen).catch(showError);
    }
  }

  #post(): void {
    if (!this.#isReady || this.#rows === undefined) return;
    const message: StartReviewToPanel = { type: 'show', turn: this.#turn, rows: this.#rows };
    void this.#panel?.webview.postMessage(message);
  }
}
