const labels = new WeakMap<object, string>();

/** Remembers which server could not be started: every notification of this error then names it, wherever it is shown. */
export function rememberFailedServer(error: unknown, label: string): void {
  if (typeof error === 'object' && error !== null) labels.set(error, label);
}

/** @returns the label of the server that failed with this error; `undefined` if the error is not about one */
export function failedServerOf(error: unknown): string | undefined {
  return typeof error === 'object' && error !== null ? labels.get(error) : undefined;
}
