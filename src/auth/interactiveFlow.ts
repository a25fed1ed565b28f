import type { AuthSettings } from '../base/authSettings.ts';
import { isCancellation } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import type { AddressPolicy } from './addressPolicy.ts';
import type { AuthFetch } from './authFetch.ts';
import { DeclinedSignIn, OAuthRefusal } from './signInErrors.ts';
import type { RegisteredClient } from './clientAuthentication.ts';
import { requestAuthorizationCode } from './authorizationCodeFlow.ts';
import type { SignInTarget } from './discovery.ts';
import type { Dpop } from './dpop.ts';
import { type CautionStore, cautionOf, endpointsOf, redirectPathOf } from './mixUpDefense.ts';
import type { AuthorizationPrompt, RegistrationKind, SignInCaution, SignInRequest, BrowserSignIn } from './ports.ts';
import {
  type ClientRegistry,
  registerClient,
  registrationFor,
  configuredClient,
  type StoredClient,
  toRegisteredClient,
} from './registration.ts';
import { requestToken, type SignInResult } from './tokenRequests.ts';

export interface InteractiveSignIn {
  readonly target: SignInTarget;
  readonly scopes: readonly string[];
  readonly previousScopes: readonly string[] | undefined;
  readonly settings: AuthSettings;
  readonly dpop: Dpop | undefined;
  readonly label: string;
  readonly serverUrl: URL;
  readonly clientName: string;
}

export interface InteractiveFlowPorts {
  readonly prompt: AuthorizationPrompt;
  readonly registry: ClientRegistry;
  readonly cautions: CautionStore;
  readonly authFetch: AuthFetch;
  readonly policy: AddressPolicy;
  readonly logger: Logger;
}

/**
 * Signs a person in with the browser (authorization code with PKCE). A client registration that the authorization server no
 * longer knows is replaced once.
 * @throws {PatchbayError} `needsSignIn` when the person declines one of the questions, or the authorization server refuses; or
 *   a cancellation
 */
export async function signInInteractively(
  signIn: InteractiveSignIn,
  ports: InteractiveFlowPorts,
  signal: AbortSignal,
): Promise<SignInResult> {
  const { target, settings, scopes } = signIn;
  const { issuer } = target.server;
  const registration = registrationFor(target.server, settings);
  const redirectPath = await redirectPathOf(registration, issuer);
  const stored = registration === 'dynamic' ? await findStored(issuer, redirectPath, ports.registry) : undefined;
  const request: SignInRequest = {
    label: signIn.label,
    server: signIn.serverUrl,
    issuer,
    endpoints: endpointsOf(target.server),
    scopes,
    previousScopes: signIn.previousScopes,
    clientName: signIn.clientName,
    registration,
    clientId: registration === 'dynamic' ? stored?.clientId : configuredClient(registration, settings).clientId,
    knownRedirectUris: stored?.redirectUris ?? [],
    redirectPath,
    redirectPort: settings.redirectPort,
  };
  const visit = await ports.prompt.begin(request, signal);
  if (visit === undefined) throw new DeclinedSignIn(signIn.label, 'declined');
  try {
    const confirmed = await confirmCaution(signIn, registration, ports, signal);
    const grant =
      registration === 'dynamic'
        ? await signInAsRegistered(stored, signIn, visit, ports, signal)
        : await signInAs(configuredClient(registration, settings), signIn, visit, ports, signal);
    if (confirmed !== undefined) await ports.cautions.save(confirmed);
    return grant;
  } finally {
    visit.dispose();
  }
}

/** Signs in as the registered client, otherwise registers a new one. */
async function signInAsRegistered(
  stored: StoredClient | undefined,
  signIn: InteractiveSignIn,
  visit: BrowserSignIn,
  ports: InteractiveFlowPorts,
  signal: AbortSignal,
): Promise<SignInResult> {
  const { server } = signIn.target;
  if (stored?.redirectUris.includes(visit.redirectUri) === true) {
    const grant = await signInAsStored(stored, signIn, visit, ports, signal);
    if (grant !== undefined) return grant;
  }
  ports.logger.info(`Registering this client at ${server.issuer}.`);
  const fresh = await registerClient(server, signIn.clientName, visit.redirectUri, ports.authFetch, signal);
  await ports.registry.save(server.issuer, fresh);
  return signInAs(toRegisteredClient(fresh), signIn, visit, ports, signal);
}

/** Deletes a client that was registered with another redirect path: the path distinguishes issuers. */
async function findStored(
  issuer: string,
  redirectPath: string,
  registry: ClientRegistry,
): Promise<StoredClient | undefined> {
  const stored = await registry.find(issuer);
  // In a remote window, VS Code puts the path into the query of its own URI.
  const isOfIssuer = (uri: string): boolean => decodeURIComponent(uri).includes(redirectPath);
  if (stored === undefined || stored.redirectUris.some(isOfIssuer)) return stored;
  await registry.forget(issuer, stored.clientId);
  return undefined;
}

/**
 * @returns the risks that the person has just accepted, to be stored after a successful sign-in
 * @throws {DeclinedSignIn} unless the person accepts the risks, now or earlier
 */
async function confirmCaution(
  { target, settings, label, serverUrl }: InteractiveSignIn,
  registration: RegistrationKind,
  { prompt, cautions }: InteractiveFlowPorts,
  signal: AbortSignal,
): Promise<SignInCaution | undefined> {
  const found = cautionOf(target.server, registration, settings);
  if (found === undefined) return undefined;
  const caution = { label, server: serverUrl, issuer: target.server.issuer, ...found };
  if (await cautions.has(caution)) return undefined;
  if (!(await prompt.confirm(caution, signal))) throw new DeclinedSignIn(label, 'unconfirmed');
  return caution;
}

/** @returns `undefined` when the authorization server no longer knows the client, which is then deleted */
async function signInAsStored(
  stored: StoredClient,
  signIn: InteractiveSignIn,
  visit: BrowserSignIn,
  ports: InteractiveFlowPorts,
  signal: AbortSignal,
): Promise<SignInResult | undefined> {
  const { issuer } = signIn.target.server;
  try {
    return await signInAs(toRegisteredClient(stored), signIn, visit, ports, signal);
  } catch (error) {
    // Most servers report an unknown client only in the browser, and the person gives up: the client is not used again.
    if (isCancellation(error)) await ports.registry.forget(issuer, stored.clientId);
    if (!isClientUnknown(error)) throw error;
    ports.logger.info(`${issuer} does not know this client any more.`);
    await ports.registry.forget(issuer, stored.clientId);
    return undefined;
  }
}

/** True when the authorization server does not know or accept the client. */
export function isClientUnknown(error: unknown): boolean {
  return error instanceof OAuthRefusal && (error.reason === 'invalid_client' || error.reason === 'unauthorized_client');
}

async function signInAs(
  client: RegisteredClient,
  { target, scopes, dpop }: InteractiveSignIn,
  visit: BrowserSignIn,
  { authFetch, policy, logger }: InteractiveFlowPorts,
  signal: AbortSignal,
): Promise<SignInResult> {
  const { server, resource } = target;
  logger.info(`Opening the browser to sign in at ${server.issuer}.`);
  const dpopThumbprint = await dpop?.handle.calculateThumbprint();
  const code = await requestAuthorizationCode(
    { server, clientId: client.clientId, scopes, resource, dpopThumbprint },
    visit,
    policy,
    signal,
  );
  // The person has signed in, and the code works only once: a cancellation no longer stops the token request.
  const token = await requestToken({ server, client, dpop, ...code }, authFetch, new AbortController().signal);
  return { client, token };
}
