import { type OutputChannel, window } from 'vscode';
import { type Disposable, DisposableStore, toDisposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { TraceSink } from '../../client/trace/messageTrace.ts';
import { singleLine } from '../platform/displayText.ts';

/** Shows the messages of a server, both ways, in an output channel of their own, while that is switched on. */
export interface MessageTraces extends Disposable {
  /** Fires with the label of a server whose messages are shown from now on, or no longer. */
  readonly onDidChange: Event<string>;
  isOn(label: string): boolean;
  /** Switches for this window, in place of the option `trace`. Running servers need no restart. */
  switch(label: string, isOn: boolean): void;
  /** Where the messages of a server go; `undefined` while they are not shown. */
  sink(label: string): TraceSink | undefined;
  show(label: string): void;
  /** Gives the messages of a server to `sink` too, until it is disposed of. */
  capture(label: string, sink: TraceSink): Disposable;
}

/** @param isWanted what the option `trace` of a server says */
export function createMessageTraces(isWanted: (label: string) => boolean): MessageTraces {
  const store = new DisposableStore();
  const onDidChange = store.add(new Emitter<string>());
  const switched = new Map<string, boolean>();
  const channels = new Map<string, OutputChannel>();
  const captures = new Set<readonly [label: string, sink: TraceSink]>();
  const isOn = (label: string): boolean => switched.get(label) ?? isWanted(label);

  function channel(label: string): OutputChannel {
    let found = channels.get(label);
    if (found === undefined) {
      // Not a log channel: its level could hide what was asked for, and only the person could change it.
      found = store.add(window.createOutputChannel(`Patchbay: ${singleLine(label, 80)} (messages)`, 'log'));
      channels.set(label, found);
    }
    return found;
  }

  return {
    onDidChange: onDidChange.event,
    isOn,
    switch(label, isNowOn) {
      if (isOn(label) === isNowOn) return;
      switched.set(label, isNowOn);
      onDidChange.fire(label);
    },
    sink(label) {
      const shown = isOn(label) ? (entry: string): void => channel(label).appendLine(entry) : undefined;
      // Asked for each message.
      if (captures.size === 0) return shown;
      const sinks = [...captures].flatMap(([from, sink]) => (from === label ? [sink] : []));
      if (shown !== undefined) sinks.push(shown);
      return sinks.length === 0 ? undefined : (entry) => sinks.forEach((sink) => sink(entry));
    },
    capture(...captured) {
      captures.add(captured);
      return toDisposable(() => captures.delete(captured));
    },
    show: (label) => channel(label).show(true),
    dispose: () => store.dispose(),
  };
}
