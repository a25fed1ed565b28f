import type { CancellationToken } from 'vscode';
import { type LinkedAbort, linkAbort } from '../../base/abort.ts';
import { CancelledError } from '../../base/errors.ts';

/** An abort signal that follows a cancellation token. Dispose it when the work is over. */
export function abortOn(token: CancellationToken): LinkedAbort {
  const abort = linkAbort();
  const cancel = (): void => abort.abort(new CancelledError());
  if (token.isCancellationRequested) cancel();
  const subscription = token.onCancellationRequested(cancel);
  return { ...abort, dispose: () => void subscription.dispose() };
}
