import { type OutputChannel, window } from 'vscode';
import { type Disposable, DisposableStore, toDisposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { TraceSink } from '../../client/trace/messageTrace.ts';
import { singleLine } from '../platform/displayText.ts';

/** Shows the messages of a server, both ways, in an output channel of their own, while that is switched on. */
export class MessageTraces implements Disposable {
  readonly #isWanted: (label: string) => boolean;
  readonly #store = new DisposableStore();
  readonly #onDidChange = this.#store.add(new Emitter<string>());
  readonly #switched = new Map<string, boolean>();
  readonly #channels = new Map<string, OutputChannel>();
  readonly #captures = new Set<readonly [label: string, sink: TraceSink]>();

  readonly onDidChange = this.#onDidChange.event;

  /** @param isWanted what the option `trace` of a server says */
  constructor(isWanted: (label: string) => boolean) {
    this.#isWanted = isWanted;
  }

  isOn(label: string): boolean {
    return this.#switched.get(label) ?? this.#isWanted(label);
  }

  /** Switches for this window, in place of the option `trace`. Running servers need no restart. */
  switch(label: string, isOn: boolean): void {
    if (this.isOn(label) === isOn) return;
    this.#switched.set(label, isOn);
    this.#onDidChange.fire(label);
  }

  /** Where the messages of a server go; `undefined` while they are not shown. Asked for each message. */
  sink(label: string): TraceSink | undefined {
    const shown = this.isOn(label) ? (entry: string): void => this.#channel(label).appendLine(entry) : undefined;
    if (this.#captures.size === 0) return shown;
    const sinks = [...this.#captures].flatMap(([from, sink]) => (from === label ? [sink] : []));
    if (shown !== undefined) sinks.push(shown);
    return sinks.length === 0 ? undefined : (entry) => sinks.forEach((sink) => sink(entry));
  }

  show(label: string): void {
    this.#channel(label).show(true);
  }

  /** Gives the messages of a server to `sink` too, until it is disposed of. */
  capture(label: string, sink: TraceSink): Disposable {
    const captured = [label, sink] as const;
    this.#captures.add(captured);
    return toDisposable(() => this.#captures.delete(captured));
  }

  dispose(): void {
    this.#store.dispose();
  }

  #channel(label: string): OutputChannel {
    const known = this.#channels.get(label);
    if (known !== undefined) return known;
    // Not a log channel: its level could hide what was asked for, and only the person could change it.
    const made = this.#store.add(window.createOutputChannel(`Patchbay: ${singleLine(label, 80)} (messages)`, 'log'));
    this.#channels.set(label, made);
    return made;
  }
}
