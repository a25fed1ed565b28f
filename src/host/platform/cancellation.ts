import { type CancellationToken, CancellationTokenSource } from 'vscode';
import { abortWith } from '../../base/abort.ts';
import { CancelledError } from '../../base/errors.ts';

/** Runs work with a signal that follows a cancellation token. */
export async function withToken<T>(token: CancellationToken, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const abort = new AbortController();
  const cancel = (): void => abort.abort(new CancelledError());
  if (token.isCancellationRequested) cancel();
  const subscription = token.onCancellationRequested(cancel);
  try {
    return await run(abort.signal);
  } finally {
    subscription.dispose();
  }
}

/** Runs what VS Code ends with a token, and ends it with the signal. @param run gets a function that ends it too */
export async function withSignal<T>(
  signal: AbortSignal | undefined,
  run: (token: CancellationToken, cancel: () => void) => PromiseLike<T>,
): Promise<T> {
  const source = new CancellationTokenSource();
  const cancel = (): void => source.cancel();
  const link = signal && abortWith({ abort: cancel }, signal);
  try {
    return await run(source.token, cancel);
  } finally {
    link?.dispose();
    source.dispose();
  }
}
