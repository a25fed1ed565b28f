/** What could not be done, as a sentence, and what the person can do about it. */
export interface FailedUse {
  readonly sentence: string;
  readonly remedy?: { readonly title: string; readonly run: () => Promise<unknown> } | undefined;
}

const uses = new WeakMap<object, FailedUse>();
const servers = new WeakMap<object, string>();

/** Remembers what has failed with an error: its notification says so first, and offers what can be done. */
export function rememberFailedUse(error: unknown, use: FailedUse): void {
  if (typeof error === 'object' && error !== null) uses.set(error, use);
}

/** Remembers which server could not be started: every notification of this error then names it, wherever it is shown. */
export function rememberFailedServer(error: unknown, label: string): void {
  if (typeof error === 'object' && error !== null) servers.set(error, label);
}

/** What is remembered of an error. */
export function failedUseOf(error: unknown): {
  readonly use: FailedUse | undefined;
  readonly server: string | undefined;
} {
  if (typeof error !== 'object' || error === null) return { use: undefined, server: undefined };
  return { use: uses.get(error), server: servers.get(error) };
}
