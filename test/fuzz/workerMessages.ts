import type { Finding } from './runCases.ts';

/** What a worker tells whoever started it. */
export type FromWorker =
  | { readonly kind: 'case'; readonly input: unknown }
  | {
      readonly kind: 'end';
      readonly cases: number;
      readonly finding: Finding | undefined;
      /** What does not hold of the run as a whole. */
      readonly problems: readonly string[];
      /** Bytes in use after the first round and at the end. */
      readonly memory: readonly [number, number];
    };
