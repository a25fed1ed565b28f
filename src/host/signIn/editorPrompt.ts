import { env, type ExtensionContext, ProgressLocation, UIKind, type Uri, window } from 'vscode';
import { urlWithoutSecrets, UnattendedSignIn } from '../../auth/signInErrors.ts';
import type { AuthorizationPrompt, BrowserSignIn, SignInCaution, SignInRequest } from '../../auth/ports.ts';
import { linkAbort, raceAbort } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore, toDisposable } from '../../base/disposable.ts';
import { CancelledError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import { askSafely, testingAnswer } from '../platform/dialogs.ts';
import { notificationText, singleLine } from '../platform/displayText.ts';
import { CommandIds } from '../commandIds.ts';
import { createEditorRedirects, type EditorRedirects, type Redirect } from './redirects.ts';
import { openLoopbackRedirect } from './loopbackRedirect.ts';
import { cautionQuestion, signInQuestion } from './signInQuestion.ts';
import { personalSetting } from '../platform/settings.ts';
import { runForPerson } from '../platform/personArguments.ts';

export interface EditorPromptOptions {
  readonly context: Pick<ExtensionContext, 'extension'>;
  /** The log of the server with this label. */
  readonly log: (label: string) => Logger;
  readonly clock: Clock;
  readonly isTest: boolean;
}

/** Asks in a modal dialog and then opens the browser. */
export class EditorPrompt implements AuthorizationPrompt {
  readonly redirects;
  readonly pasted = new PastedRedirects();
  readonly #options: EditorPromptOptions;
  readonly #reachWindow: () => Promise<void>;
  readonly #mayAsk: (label: string) => boolean;

  /**
   * @param reachWindow resolves when the window has answered, and never if the window is gone
   * @param mayAsk whether a person or an extension waits for the server with this label; tells the person if none does
   */
  constructor(options: EditorPromptOptions, reachWindow: () => Promise<void>, mayAsk: (label: string) => boolean) {
    this.redirects = createEditorRedirects(options.context.extension.id);
    this.#options = options;
    this.#reachWindow = reachWindow;
    this.#mayAsk = mayAsk;
  }

  async begin(request: SignInRequest, signal: AbortSignal): Promise<BrowserSignIn | undefined> {
    const { label } = request;
    if (!this.#mayAsk(label)) throw new UnattendedSignIn(label);
    const redirect = await openRedirect(request, this.redirects);
    const { redirectUri } = redirect;
    const logger = this.#options.log(label);
    let visit: BrowserSignIn | undefined;
    try {
      logger.info(`Asking whether to sign in. The browser would come back to ${urlWithoutSecrets(redirectUri)}.`);
      if (await this.#ask(label, signInQuestion(request, redirectUri), 'Sign In', signal)) {
        logger.info('The answer is yes.');
        const name = singleLine(label, 60);
        visit = {
          redirectUri,
          openBrowser: (url, given) => this.#visit(name, redirect, url, logger, given),
          dispose: () => redirect.dispose(),
        };
      }
      return visit;
    } finally {
      if (visit === undefined) redirect.dispose();
    }
  }

  confirm(caution: SignInCaution, signal: AbortSignal): Promise<boolean> {
    return this.#ask(caution.label, cautionQuestion(caution), 'Sign In Anyway', signal);
  }

  #ask(
    label: string,
    { message, detail }: ReturnType<typeof cautionQuestion>,
    yes: string,
    signal: AbortSignal,
  ): Promise<boolean> {
    const ask = async (): Promise<boolean> => {
      const answer = this.#options.isTest ? testingAnswer('consent') : undefined;
      if (answer !== undefined) return answer;
      const safe = 'Show Configuration';
      const chosen = await askSafely({ message, detail, safe, actions: [yes] });
      if (chosen === safe) await runForPerson(CommandIds.openConfiguration, label);
      return chosen === yes;
    };
    return raceAbort(ask(), signal);
  }

  /**
   * Sends the person to their browser, and waits for the redirect or for an address that they paste. A notification shows the
   * progress and can cancel.
   * @param name of the server
   */
  async #visit(name: string, redirect: Redirect, url: URL, logger: Logger, signal: AbortSignal): Promise<URL> {
    const { clock } = this.#options;
    const store = new DisposableStore();
    const given = store.add(linkAbort(signal));
    store.add(clock.after(timeoutMs, () => given.abort(new CancelledError('Sign-in timed out'))));
    const returned = new Promise<URL>((resolve) => {
      store.add(redirect.expect(url.searchParams.get('state') ?? '', resolve));
      store.add(this.pasted.expect(name, resolve));
    });
    const work = raceAbort(returned, given.signal);
    try {
      showProgress(name, work, (reason) => given.abort(reason), clock);
      void openBrowser(url, logger);
      const callback = await work;
      // The window keeps the tokens: without it the code is of no value.
      await raceAbort(this.#reachWindow(), given.signal);
      return callback;
    } finally {
      store.dispose();
    }
  }
}

/** Opens the redirect before the person is asked, so that the question can show its address. */
function openRedirect(request: SignInRequest, redirects: EditorRedirects): Promise<Redirect> {
  const { path, host, ports } = request.redirect;
  if (host === undefined && !isLoopbackWanted()) return redirects.open(path, request.registration !== 'dynamic');
  return openLoopbackRedirect(ports, path, host);
}

/** A browser reaches only the loopback address of its own machine. */
function isLoopbackWanted(): boolean {
  const way = personalSetting('signIn.redirect');
  if (way === 'loopback' || way === 'editor') return way === 'loopback';
  return env.remoteName === undefined && env.uiKind === UIKind.Desktop;
}

/** A sign-in is cancelled after this time. */
const timeoutMs = 5 * 60_000;
/** After this time, the notification suggests to paste the address. */
const slowReturnMs = 60_000;

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
      clock.after(slowReturnMs, () =>
        report(`the browser has not returned yet. If it shows another page, ${paste('paste its address')}.`),
      ),
    );
    report(`continue in your browser. If it does not return here, ${paste('paste its address')}.`);
    // The caller reports the result.
    await work.catch(() => {});
    store.dispose();
  });
}

/** Passes the address as a string, which VS Code does not change; it would encode the query of a `Uri` again. */
async function openBrowser(url: URL, logger: Logger): Promise<void> {
  const isOpen = await Promise.resolve(env.openExternal(url.href as unknown as Uri)).catch(() => false);
  if (isOpen) return;
  logger.warn('The browser was not opened.');
  const copy = 'Copy Address';
  const message = `Your browser was not opened. Go to ${singleLine(url.origin, 200)} with the whole address to sign in.`;
  if ((await window.showWarningMessage(notificationText(message), copy)) === copy)
    await env.clipboard.writeText(url.href);
}

/** Sign-ins in progress for which the person can paste the redirect address, if the browser does not return by itself. */
class PastedRedirects {
  readonly #waiting = new Set<{ readonly name: string; readonly arrived: (url: URL) => void }>();

  /** Waits for a pasted address until disposed. @param name the label of the server @param arrived called at most once */
  expect(name: string, arrived: (url: URL) => void): Disposable {
    const entry = { name, arrived };
    this.#waiting.add(entry);
    return toDisposable(() => this.#waiting.delete(entry));
  }

  /** Asks the person for the address of the latest sign-in. */
  async askForAddress(): Promise<void> {
    const entry = [...this.#waiting].at(-1);
    if (entry === undefined) {
      await window.showInformationMessage('No sign-in is waiting for an address.');
      return;
    }
    const text = await window.showInputBox({
      title: `Sign in to “${entry.name}”`,
      prompt: 'Paste the address of the page that your browser shows. It is used for this sign-in only.',
      ignoreFocusOut: true,
      password: true,
      validateInput: (value) => (value === '' || readRedirectUrl(value) !== undefined ? undefined : invalidAddressText),
    });
    const url = readRedirectUrl(text ?? '');
    // In the meantime the redirect may have arrived, or the sign-in may be over.
    if (url !== undefined && this.#waiting.delete(entry)) entry.arrived(url);
  }
}

const invalidAddressText = 'This is not the complete address. It must contain "state=" and "code=", or "error=".';

function readRedirectUrl(text: string): URL | undefined {
  const trimmed = text.trim();
  if (!URL.canParse(trimmed)) return undefined;
  const url = new URL(trimmed);
  const has = (name: string): boolean => url.searchParams.has(name);
  return has('state') && (has('code') || has('error')) ? url : undefined;
}
