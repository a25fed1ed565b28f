import type { Finding } from './runCases.ts';

/** Messages of a worker to its parent process. */
export type FromWorker =
  | { readonly kind: 'case'; readonly input: unknown }
  | {
      readonly kind: 'end';
      readonly cases: number;
      readonly finding: Finding | undefined;
      /** Failures of the run as a whole. */
      readonly problems: readonly string[];
      /** Bytes in use after the first round and at the end. */
      readonly memory: readonly [number, number];
    };
