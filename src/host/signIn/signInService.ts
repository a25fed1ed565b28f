import { randomUUID } from 'node:crypto';
import { type SecretStorage, window } from 'vscode';
import {
  type AuthorizationDescription,
  type Authorizer,
  createAuthorizer,
  isSignedInByHeader,
} from '../../auth/authorizer.ts';
import { readGrantKey } from '../../auth/grant.ts';
import type { SignInEvent } from '../../auth/ports.ts';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { PatchbayError } from '../../base/errors.ts';
import type { HttpClient } from '../../base/httpClient.ts';
import type { LaunchPlan, RemoteLaunchPlan } from '../../base/launchPlan.ts';
import type { Logger } from '../../base/logger.ts';
import type { AuditLog } from '../../client/auditLog.ts';
import type { ConfiguredServer } from '../../config/configuredServer.ts';
import type { Requesters } from '../configuration/requester.ts';
import { CommandIds } from '../commandIds.ts';
import { notificationText, singleLine } from '../platform/displayText.ts';
import { createWindowProbe } from '../platform/windowProbe.ts';
import type { ServerRegistry } from '../servers/serverRegistry.ts';
import { createEditorRedirects, type EditorRedirects } from './redirects.ts';
import { createEditorPrompt } from './editorPrompt.ts';
import { createPastedRedirects } from './browserSignIn.ts';
import { createSecretStore } from './secretStore.ts';
import type { SignInState } from './signIns.ts';
import { runForPerson } from '../platform/personArguments.ts';

export interface SignInOptions {
  readonly secrets: SecretStorage;
  /** A folder that all windows of this machine share. */
  readonly lockFolder: string;
  readonly registry: Pick<ServerRegistry, 'get'>;
  /** Makes the launch plan of a server that was not started in this window. */
  readonly resolve: (label: string, signal: AbortSignal) => Promise<LaunchPlan>;
  readonly state: SignInState;
  readonly requesters: Requesters;
  readonly extensionId: string;
  readonly audit: AuditLog;
  /** The log of the server with this label. */
  readonly log: (label: string) => Logger;
  readonly clock: Clock;
  readonly http: HttpClient;
  readonly isTest: boolean;
}

export class SignInService implements Disposable {
  readonly #options: SignInOptions;
  readonly #disposables = new DisposableStore();
  readonly #store;
  readonly #prompt;
  readonly redirects: EditorRedirects;
  readonly #pasted = createPastedRedirects();
  /** The authorizers of open connections, by label. */
  readonly #openAuthorizers = new Map<string, Authorizer>();
  /** The plans of the latest starts, by label. They hold secrets. */
  readonly #plans = new Map<
    string,
    { readonly plan: RemoteLaunchPlan; readonly configured: ConfiguredServer | undefined }
  >();

  constructor(options: SignInOptions) {
    this.#options = options;
    this.redirects = createEditorRedirects(options.extensionId);
    const reachWindow = createWindowProbe(options.secrets);
    this.#store = this.#disposables.add(createSecretStore({ ...options, owner: randomUUID(), reachWindow }));
    this.#prompt = createEditorPrompt({
      ...options,
      redirects: this.redirects,
      pasted: this.#pasted,
      reachWindow,
      isRequested: (label) => {
        const server = options.registry.get(label)?.server;
        return server !== undefined && options.requesters.of(server) !== 'nobody';
      },
      notifySignInNeeded: (label) => void this.#notifySignInNeeded(label),
    });
  }

  /** The authorizer of one connection, which disposes it; `undefined` if the configuration has an Authorization header. */
  authorizerFor(plan: RemoteLaunchPlan): Authorizer | undefined {
    if (isSignedInByHeader(plan)) return undefined;
    const { label = plan.url.host } = plan;
    this.#plans.set(label, { plan, configured: this.#options.registry.get(label)?.configured });
    const authorizer = this.#create(plan);
    this.#openAuthorizers.set(label, authorizer);
    const updateState = (): void => void this.#show(label, authorizer);
    authorizer.onDidChange(updateState);
    updateState();
    return {
      ...authorizer,
      dispose: () => {
        if (this.#openAuthorizers.get(label) === authorizer) this.#openAuthorizers.delete(label);
        authorizer.dispose();
      },
    };
  }

  /** Signs in again for a running server. @returns false if it does not run */
  async signInAgain(label: string, signal: AbortSignal): Promise<boolean> {
    const { requesters, registry } = this.#options;
    const authorizer = this.#openAuthorizers.get(label);
    if (authorizer === undefined || registry.get(label)?.server.state.kind !== 'running') return false;
    const mark = requesters.mark(label, 'person');
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
      const authorizer = this.#create({ kind: 'http', url: server, headers: {}, auth: settings, label: server.host });
      try {
        await authorizer.signOut(signal);
        count += 1;
      } finally {
        authorizer.dispose();
      }
    }
    return count;
  }

  async describe(label: string, signal: AbortSignal): Promise<AuthorizationDescription | undefined> {
    const authorizer = this.#create(await this.#planOf(label, signal));
    try {
      return await authorizer.describe();
    } finally {
      authorizer.dispose();
    }
  }

  pasteAddress(): Promise<void> {
    return this.#pasted.askForAddress();
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #create({ url, auth = {}, label = url.host }: RemoteLaunchPlan): Authorizer {
    const { clock, http, log } = this.#options;
    return createAuthorizer({
      label,
      server: url,
      settings: auth,
      clientName: 'Patchbay',
      store: this.#store,
      prompt: this.#prompt,
      http,
      clock,
      logger: log(label),
      report: (event) => this.#report(label, event),
    });
  }

  async #planOf(label: string, signal: AbortSignal): Promise<RemoteLaunchPlan> {
    const { registry, resolve } = this.#options;
    const known = this.#plans.get(label);
    const isCurrent = known !== undefined && known.configured === registry.get(label)?.configured;
    const plan = isCurrent ? known.plan : await resolve(label, signal);
    if (plan.kind !== 'stdio') return plan;
    throw new PatchbayError(
      'configuration',
      `The server “${label}” runs on this machine, and is not signed in to. What it needs goes into "env".`,
    );
  }

  async #signOutOf(label: string, plan: RemoteLaunchPlan, signal: AbortSignal): Promise<boolean> {
    const authorizer = this.#create(plan);
    try {
      if ((await authorizer.describe()) === undefined) return false;
      // Its connection depends on the sign-in.
      await this.#options.registry.get(label)?.server.stop();
      await authorizer.signOut(signal);
      this.#options.registry.get(label)?.server.forgetContents();
      this.#options.state.setAuthorization(label, undefined);
      return true;
    } finally {
      authorizer.dispose();
    }
  }

  async #show(label: string, authorizer: Authorizer): Promise<void> {
    const { state } = this.#options;
    const description = await authorizer.describe();
    state.setAuthorization(label, description);
    // Another window may have signed in.
    if (description !== undefined) state.setMissing(label, undefined);
  }

  #report(label: string, event: SignInEvent): void {
    const { audit, state } = this.#options;
    switch (event.kind) {
      case 'signedIn': {
        const { issuer, clientId, scopes } = event;
        state.setMissing(label, undefined);
        const detail = { issuer, clientId, scopes: scopes.join(' ') };
        return audit.record({ server: label, action: 'signIn', outcome: 'signed in', detail });
      }
      case 'signedOut': {
        const { issuer, isRevoked } = event;
        return audit.record({ server: label, action: 'signOut', outcome: 'signed out', detail: { issuer, isRevoked } });
      }
      case 'notSignedIn': {
        const { why, reason } = event;
        state.setMissing(label, reason);
        if (reason === 'unasked') return;
        audit.record({ server: label, action: 'signIn', outcome: reason, detail: { why: singleLine(why, 500) } });
      }
    }
  }

  async #notifySignInNeeded(label: string): Promise<void> {
    if (this.#options.state.missing(label) === 'unasked') return;
    this.#options.state.setMissing(label, 'unasked');
    const signIn = 'Sign In';
    const message = notificationText(`The MCP server “${singleLine(label, 60)}” needs you to sign in.`);
    if ((await window.showInformationMessage(message, signIn)) === signIn) await runForPerson(CommandIds.signIn, label);
  }
}
