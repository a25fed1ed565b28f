import { env, ProgressLocation, type Uri, window } from 'vscode';
import type { SignInRequest, SignInVisit } from '../../auth/ports.ts';
import { raceAbort, linkAbort } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { CancelledError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import { CommandIds } from '../commands/commandIds.ts';
import { singleLine } from '../displayText.ts';
import { notificationText } from '../notificationText.ts';
import type { PastedAddresses } from './pastedAddresses.ts';
import type { Redirect } from './redirect.ts';

export interface BrowserVisitPorts {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly pasted: PastedAddresses;
  /** Resolves once the window has answered, which one that is gone never does. */
  readonly reachWindow: () => Promise<void>;
}

/** A person who has gone away. */
const limitMs = 5 * 60_000;
/** After that, coming back by itself is not to be counted on. */
const patienceMs = 60_000;

/** The person's browser, with a notification that tells about it, takes a pasted address, and cancels. Owns `redirect`. */
export function createBrowserVisit(
  { label }: Pick<SignInRequest, 'label'>,
  redirect: Redirect,
  ports: BrowserVisitPorts,
): SignInVisit {
  const name = singleLine(label, 60);
  return {
    redirectUri: redirect.redirectUri,
    async follow(url, signal) {
      const store = new DisposableStore();
      const given = store.add(linkAbort(signal));
      store.add(ports.clock.after(limitMs, () => given.abort(new CancelledError('Nobody came back from the browser'))));
      const returned = new Promise<URL>((resolve) => {
        store.add(redirect.expect(url.searchParams.get('state') ?? '', resolve));
        store.add(ports.pasted.expect(name, resolve));
      });
      const work = raceAbort(returned, given.signal);
      try {
        showProgress(name, work, (reason) => given.abort(reason), ports.clock);
        void openBrowser(url, ports.logger);
        const callback = await work;
        // Without its window nobody could keep what this is worth.
        await raceAbort(ports.reachWindow(), given.signal);
        return callback;
      } finally {
        store.dispose();
      }
    },
    dispose: () => redirect.dispose(),
  };
}

function showProgress(name: string, work: Promise<unknown>, cancel: (reason: Error) => void, clock: Clock): void {
  const options = {
    location: ProgressLocation.Notification,
    cancellable: true,
    title: notificationText(`Signing in to “${name}”`),
  };
  const paste = (words: string): string => `[${words}](command:${CommandIds.pasteSignInAddress})`;
  void window.withProgress(options, async (progress, token) => {
    const store = new DisposableStore();
    const report = (message: string): void => progress.report({ message });
    store.add(token.onCancellationRequested(() => cancel(new CancelledError())));
    store.add(
      clock.after(patienceMs, () =>
        report(`nothing has come back yet. Has your browser ended somewhere? ${paste('Paste its address')}.`),
      ),
    );
    report(`go on in your browser. If it does not come back, ${paste('paste the address it ended at')}.`);
    // How it ends is told elsewhere.
    await work.catch(() => {});
    store.dispose();
  });
}

/** As a string, which VS Code hands on to the letter: a `Uri` would encode the query anew. */
async function openBrowser(url: URL, logger: Logger): Promise<void> {
  const isOpen = await Promise.resolve(env.openExternal(url.href as unknown as Uri)).catch(() => false);
  if (isOpen) return;
  logger.warn('The browser was not opened.');
  const copy = 'Copy Address';
  const message = `Your browser was not opened. Go to ${singleLine(url.origin, 200)} with the whole address to sign in.`;
  if ((await window.showWarningMessage(notificationText(message), copy)) === copy)
    await env.clipboard.writeText(url.href);
}
