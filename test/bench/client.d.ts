/** The interface of every client in the benchmark. */
export interface BenchClient {
  call(name: string, args: object): Promise<unknown>;
  /** Lists all tools, page by page. @returns how many */
  list(): Promise<number>;
  /** Number of `notifications/message` passed on so far. */
  notifications(): number;
  close(): Promise<unknown>;
}

export type Target =
  | { readonly kind: 'stdio'; readonly tools: number }
  | { readonly kind: 'http'; readonly url: string; readonly revision: '2025-11-25' | '2026-07-28' };

/** Resolves when the client is connected and, if it does so automatically, has listed the tools. */
export type Connect = (target: Target) => Promise<BenchClient>;
