import { type OutputChannel, window } from 'vscode';
import { type Disposable, DisposableStore, toDisposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import { getOrMake } from '../../base/memoize.ts';
import type { TraceSink } from '../../client/trace/textTap.ts';
import { singleLine } from '../platform/displayText.ts';

/**
 * Shows the messages of a server, both ways, in an output channel of their own, while that is switched on.
 * @param isWanted what the option `trace` of a server says
 */
export function createMessageTraces(isWanted: (label: string) => boolean) {
  const store = new DisposableStore();
  const didChange = store.add(new Emitter<string>());
  const switched = new Map<string, boolean>();
  const channels = new Map<string, OutputChannel>();
  const captures = new Set<readonly [label: string, sink: TraceSink]>();
  const isOn = (label: string): boolean => switched.get(label) ?? isWanted(label);
  // Not a log channel: its level could hide what was asked for, and only the person could change it.
  const make = (label: string): OutputChannel =>
    store.add(window.createOutputChannel(`Patchbay: ${singleLine(label, 80)} (messages)`, 'log'));
  const channel = (label: string): OutputChannel => getOrMake(channels, label, () => make(label));

  return {
    onDidChange: didChange.event,
    isOn,
    /** Switches for this window, in place of the option `trace`. Running servers need no restart. */
    switch(label: string, on: boolean): void {
      if (isOn(label) === on) return;
      switched.set(label, on);
      didChange.fire(label);
    },
    /** Where the messages of a server go; `undefined` while they are not shown. Asked for each message. */
    sink(label: string): TraceSink | undefined {
      const shown = isOn(label) ? (entry: string): void => channel(label).appendLine(entry) : undefined;
      if (captures.size === 0) return shown;
      const sinks = [...captures].flatMap(([from, sink]) => (from === label ? [sink] : []));
      if (shown !== undefined) sinks.push(shown);
      return sinks.length === 0 ? undefined : (entry) => sinks.forEach((sink) => sink(entry));
    },
    show: (label: string): void => channel(label).show(true),
    /** Gives the messages of a server to `sink` too, until it is disposed of. */
    capture(label: string, sink: TraceSink): Disposable {
      const captured = [label, sink] as const;
      captures.add(captured);
      return toDisposable(() => captures.delete(captured));
    },
    dispose: (): void => store.dispose(),
  };
}

export type MessageTraces = ReturnType<typeof createMessageTraces>;
