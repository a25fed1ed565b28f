import { randomUUID } from 'node:crypto';
import { type ExtensionContext, Uri, window } from 'vscode';
import { type AuthorizationDescription, Authorizer, isSignedInByHeader } from '../../auth/authorizer.ts';
import { readGrantKey } from '../../auth/grant.ts';
import type { MissingSignIn, SignInEvent } from '../../auth/ports.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { PatchbayError } from '../../base/errors.ts';
import type { HttpClient } from '../../base/httpClient.ts';
import type { LaunchPlan, RemoteLaunchPlan } from '../../base/launchPlan.ts';
import type { AuditLog } from '../../client/auditLog.ts';
import type { ConfiguredServer } from '../../config/configuredServer.ts';
import { CommandIds } from '../commandIds.ts';
import type { ConfigurationService } from '../configuration/configurationService.ts';
import type { Requesters } from '../configuration/requester.ts';
import type { TrustService } from '../configuration/trust.ts';
import { notificationText, singleLine } from '../platform/displayText.ts';
import { createWindowProbe } from '../platform/fileLock.ts';
import type { HostServer } from '../servers/serverRegistry.ts';
import { EditorPrompt, type EditorPromptOptions } from './editorPrompt.ts';
import { SecretStore } from './secretStore.ts';
import { runForPerson } from '../platform/personArguments.ts';

export interface SignInsOptions extends EditorPromptOptions {
  readonly context: Pick<ExtensionContext, 'secrets' | 'globalStorageUri' | 'extension'>;
  readonly configuration: Pick<ConfigurationService, 'get' | 'resolve'>;
  readonly trust: Pick<TrustService, 'checkWorkspace'>;
  readonly requesters: Requesters;
  readonly audit: AuditLog;
  readonly http: HttpClient;
}

/** What the window shows of the sign-ins: see `SignInState`. */
interface ShownState {
  missing(label: string): MissingSignIn | undefined;
  setMissing(label: string, missing: MissingSignIn | undefined): void;
  setAuthorization(label: string, authorization: AuthorizationDescription | undefined): void;
}

export class SignInService implements Disposable {
  readonly #options: SignInsOptions;
  readonly #state: ShownState;
  readonly #find: (label: string) => HostServer | undefined;
  readonly #disposables = new DisposableStore();
  readonly #store;
  readonly prompt: EditorPrompt;
  /** The authorizers of open connections, by label. */
  readonly #openAuthorizers = new Map<string, Authorizer>();
  /** The plans of the latest starts, by label. They hold secrets. */
  readonly #plans = new Map<
    string,
    { readonly plan: RemoteLaunchPlan; readonly configured: ConfiguredServer | undefined }
  >();

  /** @param find the server with a label */
  constructor(options: SignInsOptions, state: ShownState, find: (label: string) => HostServer | undefined) {
    const { secrets, globalStorageUri } = options.context;
    this.#options = options;
    this.#state = state;
    this.#find = find;
    const reachWindow = createWindowProbe(secrets);
    const lock = { clock: options.clock, owner: randomUUID(), reachWindow };
    const lockFolder = Uri.joinPath(globalStorageUri, 'locks').fsPath;
    this.#store = this.#disposables.add(new SecretStore(secrets, lockFolder, lock));
    this.prompt = new EditorPrompt(options, reachWindow, (label) => {
      const server = find(label)?.server;
      const isAsked = server !== undefined && options.requesters.of(server) !== 'nobody';
      if (!isAsked) void this.#notifySignInNeeded(label);
      return isAsked;
    });
  }

  /** The authorizer of one connection, which disposes it; `undefined` if the configuration has an Authorization header. */
  authorizerFor(plan: RemoteLaunchPlan): Authorizer | undefined {
    if (isSignedInByHeader(plan)) return undefined;
    const { label = plan.url.host } = plan;
    this.#plans.set(label, { plan, configured: this.#find(label)?.configured });
    const authorizer = this.#create(plan);
    this.#openAuthorizers.set(label, authorizer);
    const updateState = (): void => void this.#show(label, authorizer);
    authorizer.onDidChange(updateState);
    updateState();
    authorizer.onDidDispose(() => {
      if (this.#openAuthorizers.get(label) === authorizer) this.#openAuthorizers.delete(label);
    });
    return authorizer;
  }

  /** Signs in again for a running server. @returns false if it does not run */
  async signInAgain(label: string, signal: AbortSignal): Promise<boolean> {
    const authorizer = this.#openAuthorizers.get(label);
    if (authorizer === undefined || this.#find(label)?.server.state.kind !== 'running') return false;
    const mark = this.#options.requesters.mark(label, 'person');
    try {
      await authorizer.signIn(signal);
      return true;
    } finally {
      mark.dispose();
    }
  }

  /** Signs out of one server. @returns false if it was not signed in */
  async signOut(label: string, signal: AbortSignal): Promise<boolean> {
    return this.#signOutOf(label, await this.#planOf(label, signal), signal);
  }

  /** Signs out of all servers, including those that are no longer configured. @returns how many */
  async signOutOfAll(signal: AbortSignal): Promise<number> {
    let count = 0;
    // First the servers whose settings are known: revoking may need them.
    for (const [label, { plan }] of this.#plans) if (await this.#signOutOf(label, plan, signal)) count += 1;
    for (const key of await this.#store.keys()) {
      const known = readGrantKey(key);
      if (known === undefined) continue;
      const { server, settings } = known;
      const plan = { kind: 'http', url: server, headers: {}, auth: settings, label: server.host } as const;
      await this.#withAuthorizer(plan, (authorizer) => authorizer.signOut(signal));
      count += 1;
    }
    return count;
  }

  async describe(label: string, signal: AbortSignal): Promise<AuthorizationDescription | undefined> {
    return this.#withAuthorizer(await this.#planOf(label, signal), (authorizer) => authorizer.describe());
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #create({ url, auth = {}, label = url.host }: RemoteLaunchPlan): Authorizer {
    const { clock, http, log } = this.#options;
    return new Authorizer({
      label,
      server: url,
      settings: auth,
      clientName: 'Patchbay',
      store: this.#store,
      prompt: this.prompt,
      http,
      clock,
      logger: log(label),
      report: (event) => this.#report(label, event),
    });
  }

  async #withAuthorizer<T>(plan: RemoteLaunchPlan, use: (authorizer: Authorizer) => Promise<T>): Promise<T> {
    const authorizer = this.#create(plan);
    try {
      return await use(authorizer);
    } finally {
      authorizer.dispose();
    }
  }

  async #planOf(label: string, signal: AbortSignal): Promise<RemoteLaunchPlan> {
    const known = this.#plans.get(label);
    const isCurrent = known !== undefined && known.configured === this.#find(label)?.configured;
    const plan = isCurrent ? known.plan : await this.#resolve(label, signal);
    if (plan.kind !== 'stdio') return plan;
    throw new PatchbayError(
      'configuration',
      `The server “${label}” runs on this machine and has no sign-in. Set the credentials it needs in "env".`,
    );
  }

  /** Makes the launch plan of a server that was not started in this window. */
  async #resolve(label: string, signal: AbortSignal): Promise<LaunchPlan> {
    const { configuration, trust } = this.#options;
    const configured = configuration.get(label);
    if (configured === undefined) throw new PatchbayError('notFound', `“${label}” is no longer configured.`);
    trust.checkWorkspace(configured);
    // Only commands of the person come here.
    return (await configuration.resolve(configured, () => 'person', signal)).plan;
  }

  #signOutOf(label: string, plan: RemoteLaunchPlan, signal: AbortSignal): Promise<boolean> {
    return this.#withAuthorizer(plan, async (authorizer) => {
      if ((await authorizer.describe()) === undefined) return false;
      // Its connection depends on the sign-in.
      await this.#find(label)?.server.stop();
      await authorizer.signOut(signal);
      this.#find(label)?.server.forgetContents();
      this.#state.setAuthorization(label, undefined);
      return true;
    });
  }

  async #show(label: string, authorizer: Authorizer): Promise<void> {
    const description = await authorizer.describe();
    this.#state.setAuthorization(label, description);
    // Another window may have signed in.
    if (description !== undefined) this.#state.setMissing(label, undefined);
  }

  #report(label: string, event: SignInEvent): void {
    const { audit } = this.#options;
    switch (event.kind) {
      case 'signedIn': {
        const { issuer, clientId, scopes } = event;
        this.#state.setMissing(label, undefined);
        const detail = { issuer, clientId, scopes: scopes.join(' ') };
        return audit.record({ server: label, action: 'signIn', outcome: 'signed in', detail });
      }
      case 'signedOut': {
        const { issuer, isRevoked } = event;
        return audit.record({ server: label, action: 'signOut', outcome: 'signed out', detail: { issuer, isRevoked } });
      }
      case 'notSignedIn': {
        const { why, reason } = event;
        this.#state.setMissing(label, reason);
        if (reason === 'unasked') return;
        audit.record({ server: label, action: 'signIn', outcome: reason, detail: { why: singleLine(why, 500) } });
      }
    }
  }

  async #notifySignInNeeded(label: string): Promise<void> {
    if (this.#state.missing(label) === 'unasked') return;
    this.#state.setMissing(label, 'unasked');
    const signIn = 'Sign In…';
    const message = notificationText(`The MCP server “${singleLine(label, 60)}” needs you to sign in.`);
    if ((await window.showInformationMessage(message, signIn)) === signIn) await runForPerson(CommandIds.signIn, label);
  }
}
