import { env, UIKind } from 'vscode';
import { urlWithoutSecrets, UnattendedSignIn } from '../../auth/signInErrors.ts';
import type { AuthorizationPrompt, SignInRequest, BrowserSignIn } from '../../auth/ports.ts';
import { raceAbort } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import { askSafely, testingAnswer } from '../platform/dialogs.ts';
import { singleLine } from '../platform/displayText.ts';
import { CommandIds } from '../commandIds.ts';
import { createBrowserSignIn, type PastedRedirects } from './browserSignIn.ts';
import type { EditorRedirects, Redirect } from './redirects.ts';
import { openLoopbackRedirect } from './loopbackRedirect.ts';
import { cautionQuestion, type SignInQuestion, signInQuestion } from './signInQuestion.ts';
import { personalSetting } from '../platform/settings.ts';
import { runForPerson } from '../platform/personArguments.ts';

export interface EditorPromptOptions {
  readonly redirects: EditorRedirects;
  readonly pasted: PastedRedirects;
  readonly clock: Clock;
  /** The log of the server with this label. */
  readonly log: (label: string) => Logger;
  /** Whether a person or an extension waits for the server with this label. */
  readonly isRequested: (label: string) => boolean;
  /** Tells the person that the server with this label needs a sign-in. */
  readonly notifySignInNeeded: (label: string) => void;
  /** Resolves when the window has answered, and never if the window is gone. */
  readonly reachWindow: () => Promise<void>;
  /** True only when VS Code runs extension tests: then `patchbay.testing.consent` may answer. */
  readonly isTest: boolean;
}

/** The same port each time, so that a client that was registered with it can be used again. */
const defaultPort = 33_418;

/** Asks in a modal dialog and then opens the browser. Throws `UnattendedSignIn` if no one waits for the server. */
export function createEditorPrompt(options: EditorPromptOptions): AuthorizationPrompt {
  return {
    async begin(request, signal) {
      const { label } = request;
      if (!options.isRequested(label)) {
        options.notifySignInNeeded(label);
        throw new UnattendedSignIn(label);
      }
      const redirect = await openRedirect(request, options.redirects);
      const logger = options.log(label);
      let visit: BrowserSignIn | undefined;
      try {
        logger.info(
          `Asking whether to sign in. The browser would come back to ${urlWithoutSecrets(redirect.redirectUri)}.`,
        );
        if (
          await raceAbort(ask(label, signInQuestion(request, redirect.redirectUri), 'Sign In', options.isTest), signal)
        ) {
          logger.info('The answer is yes.');
          visit = createBrowserSignIn(singleLine(label, 60), redirect, options.pasted, options, logger);
        }
        return visit;
      } finally {
        if (visit === undefined) redirect.dispose();
      }
    },
    confirm: (caution, signal) =>
      raceAbort(ask(caution.label, cautionQuestion(caution), 'Sign In Anyway', options.isTest), signal),
  };
}

/** Opens the redirect before the person is asked, so that the question can show its address. */
function openRedirect(request: SignInRequest, redirects: EditorRedirects): Promise<Redirect> {
  const { redirectPath, redirectPort } = request;
  if (!isLoopbackWanted()) return redirects.open(redirectPath, request.registration !== 'dynamic');
  const known = request.knownRedirectUris
    .filter((uri) => uri.startsWith('http://127.0.0.1:'))
    .map((uri) => Number(new URL(uri).port));
  return openLoopbackRedirect(redirectPort === undefined ? [...known, defaultPort] : [redirectPort], redirectPath);
}

/** A browser reaches only the loopback address of its own machine. */
function isLoopbackWanted(): boolean {
  const way = personalSetting('signIn.redirect');
  if (way === 'loopback' || way === 'editor') return way === 'loopback';
  return env.remoteName === undefined && env.uiKind === UIKind.Desktop;
}

async function ask(
  label: string,
  { message, detail }: SignInQuestion,
  confirmLabel: string,
  isTest: boolean,
): Promise<boolean> {
  const answer = isTest ? testingAnswer('consent') : undefined;
  if (answer !== undefined) return answer;
  const safe = 'Show Configuration';
  const chosen = await askSafely({ message, detail, safe, actions: [confirmLabel] });
  if (chosen === safe) await runForPerson(CommandIds.openConfiguration, label);
  return chosen === confirmLabel;
}
