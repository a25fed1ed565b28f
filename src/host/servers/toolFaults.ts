import type { Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { Tool } from '../../protocol/mcp/tools.ts';

/** The faults in the schemas of tools, in words. */
export type Faults = ReadonlyMap<Tool, string>;

const none: Faults = new Map();

/** What `followToolFaults` has found, by the labels of servers. */
export class ToolFaults implements Disposable {
  readonly #onDidChange = new Emitter<string>();
  readonly #found = new Map<string, Faults>();

  /** Fires with the label. */
  readonly onDidChange = this.#onDidChange.event;

  of(label: string): Faults {
    return this.#found.get(label) ?? none;
  }

  set(label: string, faults: Faults): void {
    if (faults.size === 0 && !this.#found.has(label)) return;
    if (faults.size === 0) this.#found.delete(label);
    else this.#found.set(label, faults);
    this.#onDidChange.fire(label);
  }

  dispose(): void {
    this.#onDidChange.dispose();
  }
}
