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

export interface TrustedServer {
  readonly key: string;
  /** The label of the server. */
  readonly label: string;
  /** The file that defines it. */
  readonly uri: string | undefined;
  readonly filesMayChange: boolean;
}

/** The workspace folders that a server gets as roots. The question shows them, and the person can choose. */
export interface RootsSharing {
  /** The paths of the folders for this choice. */
  sharedPaths(choice: RootsChoice | undefined): readonly string[];
  /** Lets the person choose, and saves the choice. @returns the new choice; `undefined` if the person chose nothing */
  choose(label: string): Promise<RootsChoice | undefined>;
}

export interface TrustOptions {
  readonly workspaceState: Memento;
  readonly globalState: Memento;
  /** True only when VS Code runs extension tests: then `patchbay.testing.trust` may answer. */
  readonly isTest: boolean;
  readonly platform: NodeJS.Platform;
  /** The paths of the workspace folders. */
  readonly folders: () => readonly string[];
  /** The environment of which servers inherit the safe part. */
  readonly environment: () => Promise<NodeJS.ProcessEnv>;
  readonly showConfiguration: (server: ConfiguredServer) => Promise<void>;
  readonly roots: RootsSharing;
  /** Starts a server for the person, and shows its errors. */
  readonly start: (label: string) => Promise<void>;
  /** How the label of a server could be mistaken for another one, in a few words. */
  readonly lookAlike: (label: string) => string | undefined;
}

/** Decides whether a definition may run: by Workspace Trust, by what the person trusted before, or by asking. */
export class TrustService implements Disposable {
  readonly #store = new DisposableStore();
  /** The records and the question. Loaded with the first start. */
  readonly #agreements;

  constructor(options: TrustOptions) {
    this.#agreements = memoizeAsync(async () => {
      const { createLaunchTrust } = await import('./launchTrust.ts');
      return this.#store.add(createLaunchTrust(options));
    });
  }

  /**
   * Refuses servers of an untrusted workspace, before it asks or reads anything for them.
   * @throws {PatchbayError} `needsTrust`
   */
  checkWorkspace({ label, source }: ConfiguredServer): void {
    if (workspace.isTrusted || source.folder === undefined) return;
    const message = `Server "${label}" was not started, because this workspace is in Restricted Mode. Choose Manage Workspace Trust to trust it, then start the server.`;
    throw new PatchbayError('needsTrust', message);
  }

  /**
   * Resolves when exactly this launch is trusted, with the files that it runs; asks if it is new or changed.
   * @returns the plan, with the program that was inspected
   * @throws {PatchbayError} `needsTrust` if the person refuses; an {@link UnrequestedStartError} if no one can be asked; or
   * the reason of the signal
   */
  async confirm(
    server: ConfiguredServer,
    launch: ResolvedLaunch,
    requestedBy: () => RequestedBy,
    signal: AbortSignal,
  ): Promise<LaunchPlan> {
    this.checkWorkspace(server);
    return (await this.#agreements()).confirm(server, launch, requestedBy, signal);
  }

  /**
   * The same after the inputs of a trusted definition have their values. Asks only where a value decides what runs, and the
   * person has not just entered it.
   * @param written the launch with its inputs as they are written
   */
  async confirmValues(
    server: ConfiguredServer,
    written: ResolvedLaunch,
    launch: ResolvedLaunch,
    requestedBy: () => RequestedBy,
    signal: AbortSignal,
  ): Promise<LaunchPlan> {
    return (await this.#agreements()).confirmValues(server, written, launch, requestedBy, signal);
  }

  /** All launches that the person trusted, in this workspace and in all of them. */
  async trustedServers(): Promise<readonly TrustedServer[]> {
    return (await this.#agreements()).trustedServers();
  }

  /** Forgets trust: these servers ask again before their next start. */
  async forget(agreements: readonly TrustedServer[]): Promise<void> {
    return (await this.#agreements()).forget(agreements);
  }

  /** Whether the workspace files that the server runs may change without a question. */
  async filesMayChange(server: ConfiguredServer): Promise<boolean> {
    return (await this.#agreements()).filesMayChange(server);
  }

  dispose(): void {
    this.#store.dispose();
  }
}

/**
 * Makes a launch plan of a definition: checks Workspace Trust, confirms the launch, then asks for its inputs. No input is
 * asked for, and no command run for one, before the person has agreed to what gets it.
 */
export function createLaunchPreparation(
  configuration: Pick<ConfigurationService, 'describe' | 'resolve'>,
  trust: Pick<TrustService, 'checkWorkspace' | 'confirm' | 'confirmValues'>,
): (server: ConfiguredServer, requestedBy: () => RequestedBy, signal: AbortSignal) => Promise<LaunchPlan> {
  return async (server, requestedBy, signal) => {
    trust.checkWorkspace(server);
    const written = await configuration.describe(server, signal);
    const plan = await trust.confirm(server, written, requestedBy, signal);
    if (written.view.variables.every(({ kind }) => kind !== 'input')) return plan;
    const launch = await configuration.resolve(server, requestedBy, signal);
    return trust.confirmValues(server, written, launch, requestedBy, signal);
  };
}
