import type * as vscode from 'vscode';
import { type LinkedAbort, linkAbort } from '../../base/abort.ts';
import { CancelledError } from '../../base/errors.ts';

/** An abort signal that follows a cancellation token. Dispose it when the work is over. */
export function abortOn(token: vscode.CancellationToken): LinkedAbort {
  const abort = linkAbort();
  if (token.isCancellationRequested) abort.abort(new CancelledError());
  const subscription = token.onCancellationRequested(() => abort.abort(new CancelledError()));
  return { signal: abort.signal, abort: (reason) => abort.abort(reason), dispose: () => void subscription.dispose() };
}
