import type { Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { OpenTap } from '../../client/trace/connectionTap.ts';

/** Which servers are recorded, by label. Loaded at once, and small: each connection asks it. */
export class RecordedServers implements Disposable {
  readonly #onDidChange = new Emitter<string>();
  readonly #taps = new Map<string, OpenTap>();

  /** Resolves when the recordings are written that were stopped by the end of the window. */
  written: Promise<unknown> = Promise.resolve();

  /** Fires with the label. */
  readonly onDidChange = this.#onDidChange.event;

  isRecorded(label: string): boolean {
    return this.#taps.has(label);
  }

  /** Follows the connections of the servers that are recorded. */
  readonly tap: OpenTap = (connection) => this.#taps.get(connection.label)?.(connection);

  /** From its next connection on, `tap` follows a server; `undefined`: nothing does. */
  set(label: string, tap: OpenTap | undefined): void {
    if (tap === undefined) this.#taps.delete(label);
    else this.#taps.set(label, tap);
    this.#onDidChange.fire(label);
  }

  dispose(): void {
    this.#onDidChange.dispose();
  }
}
