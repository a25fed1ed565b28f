/** What the benchmark asks of every client it compares. */
export interface BenchClient {
  call(name: string, args: object): Promise<unknown>;
  /** Lists all tools, page by page. @returns how many */
  list(): Promise<number>;
  /** Notifications of `notifications/message` handed on so far. */
  notifications(): number;
  close(): Promise<unknown>;
}

export type Target =
  | { readonly kind: 'stdio'; readonly tools: number }
  | { readonly kind: 'http'; readonly url: string; readonly revision: '2025-11-25' | '2026-07-28' };

/** Resolves when the client is connected and, where it does that by itself, has listed the tools. */
export type Connect = (target: Target) => Promise<BenchClient>;
