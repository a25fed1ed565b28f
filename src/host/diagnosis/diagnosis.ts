import type { Remedy } from '../platform/describeError.ts';

/** The result of one check between the configuration and a working server. */
export interface Finding {
  readonly title: string;
  /** `notice`: works, but may explain a problem. `skipped`: not checked after an earlier problem. */
  readonly outcome: 'fine' | 'notice' | 'problem' | 'skipped';
  /** The observations, mostly one line each. May hold text of servers and files. */
  readonly seen: readonly string[];
  /** Further ones, shown on demand. */
  readonly folded?: { readonly title: string; readonly items: readonly string[] };
  readonly meaning?: string;
  readonly remedies?: readonly FindingRemedy[];
}

export type FindingRemedy = Remedy | 'openSettings' | 'start';

/**
 * Runs one check. @returns what it has seen, or the finding of its error
 * @throws the reason of the signal
 */
export async function check(
  title: string,
  signal: AbortSignal,
  look: () => Promise<readonly string[]>,
  explain: (error: unknown) => Omit<Finding, 'title'>,
): Promise<Finding> {
  try {
    const seen = await look();
    signal.throwIfAborted();
    return { title, outcome: 'fine', seen };
  } catch (error) {
    signal.throwIfAborted();
    return { title, ...explain(error) };
  }
}
