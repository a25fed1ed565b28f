import { type Memento, workspace } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { PatchbayError } from '../../base/errors.ts';
import type { LaunchPlan } from '../../base/launchPlan.ts';
import { memoizeAsync } from '../../base/sharedPromise.ts';
import type { ConfiguredServer } from '../../config/configuredServer.ts';
import type { ResolvedLaunch } from '../../config/createLaunchPlan.ts';
import type { RootsChoice } from '../../config/serverDefinition.ts';
import type { ConfigurationService } from './configurationService.ts';
import type { RequestedBy } from './requester.ts';

/** Decides whether a definition may run: by Workspace Trust, by what a person agreed to earlier, or by asking. */
export interface TrustService extends Disposable {
  /**
   * Refuses servers of an untrusted workspace, before anything is asked or read for them.
   * @throws {PatchbayError} `needsTrust`
   */
  checkWorkspace(server: ConfiguredServer): void;
  /**
   * Resolves when this very launch is trusted, with the files it runs; asks where it is new or changed.
   * @returns the plan, with the program that was looked at
   * @throws {PatchbayError} `needsTrust` for a no, an `UnattendedStart` where nobody waits; or the signal's reason
   */
  confirm(
    server: ConfiguredServer,
    launch: ResolvedLaunch,
    requestedBy: () => RequestedBy,
    signal: AbortSignal,
  ): Promise<LaunchPlan>;
  /** Everything a person agreed to, here and for all workspaces. */
  trustedServers(): Promise<readonly TrustedServer[]>;
  /** These servers ask again at their next start. */
  forget(agreements: readonly TrustedServer[]): Promise<void>;
  /** Whether files of the workspace that the server runs may change without a question. */
  filesMayChange(server: ConfiguredServer): Promise<boolean>;
}

export interface TrustedServer {
  readonly key: string;
  /** Of the server. */
  readonly label: string;
  /** The file that defines it. */
  readonly uri: string | undefined;
  readonly filesMayChange: boolean;
}

/** What a server is told of the workspace: the question shows it, and lets a person choose. */
export interface RootsSharing {
  /** Paths of the folders that a server with this choice is told of. */
  sharedPaths(choice: RootsChoice | undefined): readonly string[];
  /**
   * Lets the person choose, and keeps it.
   * @returns what holds from now on; `undefined` when nothing was chosen
   */
  choose(label: string): Promise<RootsChoice | undefined>;
}

export interface TrustOptions {
  readonly workspaceState: Memento;
  readonly globalState: Memento;
  /** True only when VS Code runs extension tests: then `patchbay.testing.trust` may answer. */
  readonly isTest: boolean;
  readonly platform: NodeJS.Platform;
  /** Paths of the workspace's folders. */
  readonly folders: () => readonly string[];
  /** The environment servers inherit the safe part of. */
  readonly environment: () => Promise<NodeJS.ProcessEnv>;
  readonly showConfiguration: (server: ConfiguredServer) => Promise<void>;
  readonly roots: RootsSharing;
  /** Starts a server as a person does, failures shown. */
  readonly start: (label: string) => Promise<void>;
  /** How a label could be taken for another, in a few words. */
  readonly lookAlike: (label: string) => string | undefined;
}

export function createTrustService(options: TrustOptions): TrustService {
  const store = new DisposableStore();
  // Most windows start with nothing to ask, and many start no server.
  const agreements = memoizeAsync(async () => {
    const { createLaunchTrust: createTrustAgreements } = await import('./launchTrust.ts');
    return store.add(createTrustAgreements(options));
  });

  function checkWorkspace({ label, source }: ConfiguredServer): void {
    if (workspace.isTrusted || source.folder === undefined) return;
    const message = `Server "${label}" was not started, because this workspace is in Restricted Mode. Choose Manage Workspace Trust to trust it, then start the server.`;
    throw new PatchbayError('needsTrust', message);
  }

  return {
    checkWorkspace,
    async confirm(server, launch, requestedBy, signal) {
      checkWorkspace(server);
      return (await agreements()).confirm(server, launch, requestedBy, signal);
    },
    trustedServers: async () => (await agreements()).trustedServers(),
    forget: async (forgotten) => (await agreements()).forget(forgotten),
    filesMayChange: async (server) => (await agreements()).filesMayChange(server),
    dispose: () => store.dispose(),
  };
}

/** Makes a definition ready to run: Workspace Trust, then variables and inputs, then the question about what will run. */
export function createLaunchPreparation(
  configuration: Pick<ConfigurationService, 'resolve'>,
  trust: Pick<TrustService, 'checkWorkspace' | 'confirm'>,
): (server: ConfiguredServer, requestedBy: () => RequestedBy, signal: AbortSignal) => Promise<LaunchPlan> {
  return async (server, requestedBy, signal) => {
    trust.checkWorkspace(server);
    const launch = await configuration.resolve(server, requestedBy, signal);
    return trust.confirm(server, launch, requestedBy, signal);
  };
}
