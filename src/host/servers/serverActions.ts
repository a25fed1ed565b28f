import { window, workspace } from 'vscode';
import { isCancellation, isPatchbayError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import { describeError, type Remedy } from '../platform/describeError.ts';
import { rememberFailedServer } from '../platform/failedUses.ts';
import type { ErrorButton } from '../platform/showError.ts';
import type { HostServer, ServerRegistry } from './serverRegistry.ts';
import { CommandIds } from '../commandIds.ts';

/**
 * Starts and stops servers for a person: shows progress in the view, and failures. Nothing here rejects.
 * @param viewId the view whose progress bar runs
 * @param signInAgain signs a running server in again; resolves to false where it does not run
 */
export function createServerActions(
  registry: Pick<ServerRegistry, 'get'>,
  viewId: string,
  signInAgain: (label: string) => Promise<boolean>,
  logger: Logger,
) {
  // Several commands may wait for one start, which then fails for all of them with one error.
  const shown = new WeakSet<object>();

  async function run(label: string, work: (hostServer: HostServer) => Promise<void>): Promise<void> {
    const hostServer = registry.get(label);
    if (hostServer === undefined) return;
    try {
      await window.withProgress({ location: { viewId } }, () => work(hostServer));
    } catch (error) {
      if (isCancellation(error) || wasRefused(error) || wasAskedToSignIn(error, hostServer)) return;
      const { message, remedies } = describeError(error);
      logger.error(`${label}: ${message}`);
      if (typeof error === 'object' && error !== null) {
        if (shown.has(error)) return;
        shown.add(error);
      }
      rememberFailedServer(error, label);
      // The log has its place on the page that says why.
      const offered = remedies.filter((remedy) => remedy !== 'showLog').map((remedy) => buttons[remedy]);
      const first = isPatchbayError(error, 'needsTrust', 'needsSignIn', 'needsIssuer') ? [] : [why];
      const { showError } = await import('../platform/showError.ts');
      showError(
        error,
        [...first, ...offered].map((button) => ({ ...button, argument: label })),
      );
    }
  }

  return {
    start: (label: string) => run(label, (hostServer) => hostServer.start('person')),
    /** Starts a server without a person: where it would have to ask, the start fails with `needsTrust`. */
    startUnattended: (label: string) => run(label, ({ server }) => server.start()),
    stop: (label: string) => run(label, ({ server }) => server.stop()),
    restart: (label: string) => run(label, (hostServer) => hostServer.restart('person')),
    /** Signs in to a running server again; starts one that does not run, which asks where it has to. */
    signIn: (label: string) =>
      run(label, async (hostServer) => {
        if (!(await signInAgain(label))) await hostServer.start('person');
      }),
  };
}

export type ServerActions = ReturnType<typeof createServerActions>;

/** In a trusted workspace the person refused, or still has to approve, which a notification of its own says. */
function wasRefused(error: unknown): boolean {
  return isPatchbayError(error, 'needsTrust') && workspace.isTrusted;
}

/** A notification asked the person to sign in, or they declined. */
function wasAskedToSignIn(error: unknown, { missingSignIn }: HostServer): boolean {
  return isPatchbayError(error, 'needsSignIn') && (missingSignIn === 'unasked' || missingSignIn === 'declined');
}

const why: ErrorButton = { title: 'Show Why', command: CommandIds.showWhy };

const buttons: Readonly<Record<Exclude<Remedy, 'showLog'>, ErrorButton>> = {
  openConfiguration: { title: 'Open Configuration', command: CommandIds.openConfiguration },
  setIssuer: { title: 'Set Authorization Server…', command: CommandIds.setIssuer },
  signIn: { title: 'Sign In…', command: CommandIds.signIn },
  enable: { title: 'Enable', command: CommandIds.enableServer },
  manageTrust: { title: 'Manage Workspace Trust', command: 'workbench.trust.manage' },
};
