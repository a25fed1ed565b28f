import type { CancelSignal } from '../../base/abort.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Event } from '../../base/event.ts';
import type { CheckReference, CheckResult } from '../../workshop/checks/checkResult.ts';

/** One test of a source: a leaf below its groups. */
export interface TestEntry {
  /** Unique in its source; the id of the {@link CheckResult} that it gets. */
  readonly id: string;
  readonly label: string;
  readonly description?: string;
  /** The groups above it, from the top: `[{ id: 'notes', label: 'notes' }]`. Groups with the same ids are one. */
  readonly groups: readonly TestGroup[];
  readonly references?: readonly CheckReference[];
  /** The file that has it; lines from 1. */
  readonly place?: { readonly path: string; readonly line: number };
}

export interface TestGroup {
  /** Unique among its siblings. Groups of two sources with the same ids are one group, such as that of a server. */
  readonly id: string;
  readonly label: string;
  readonly place?: { readonly path: string; readonly line: number };
}

/**
 * Who has begun a run. `command`: a command of Patchbay, whose argument the person has confirmed; `selection`: items that were chosen in Test
 * Explorer or a gutter; `all`: *Run All Tests*; `restart`: the person, after each restart of a server. Other extensions, and models in them,
 * can begin `selection` and `all`, and VS Code does not say so.
 */
export type RunOrigin = 'command' | 'selection' | 'all' | 'restart';

/** A family of tests under *MCP Servers*. */
export interface TestSource {
  readonly id: string;
  readonly label: string;
  /** What is shown before a run; asked for when Test Explorer is opened, and after `onDidChange`. */
  items(): Promise<readonly TestEntry[]>;
  readonly onDidChange?: Event<void>;
  /**
   * Runs these entries; a result of another id that `entryFor` knows becomes an item too. Rejects with the signal's reason when
   * cancelled. What starts a server asks the person as always. A run of all tests asks nothing, and starts nothing.
   */
  run(ids: readonly string[], signal: CancelSignal, origin: RunOrigin): AsyncIterable<CheckResult>;
  entryFor?(result: CheckResult): TestEntry | undefined;
}

/** The test controller *MCP Servers*. */
export interface TestTree extends Disposable {
  addSource(source: TestSource): Disposable;
  /** Runs these entries of a source; resolves when the run has ended. */
  run(source: string, ids: readonly string[], origin: 'command' | 'restart'): Promise<void>;
  /** The entries of a source that a command of Test Explorer is about. @returns `undefined` for any argument but its items */
  idsOf(source: string, argument: unknown): readonly string[] | undefined;
}
