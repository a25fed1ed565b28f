import type { CancellationToken } from 'vscode';
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
