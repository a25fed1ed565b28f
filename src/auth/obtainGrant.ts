import { generateRandomState } from 'oauth4webapi';
import type { AuthSettings } from '../base/authSettings.ts';
import { sha256 } from '../base/digest.ts';
import type { AuthorizationRequirements } from './challenges.ts';
import { isInteractive } from './clients.ts';
import type { SignInTarget } from './discovery.ts';
import { createGrant, type Grant } from './grant.ts';
import { sameIssuer } from './issuers.ts';
import { signInInteractively } from './interactiveFlow.ts';
import { signInNonInteractively } from './nonInteractiveFlows.ts';
import { checkBinding, quoted, signInFailed } from './signInErrors.ts';
import type { SignInContext } from './signInContext.ts';
import { readSubject } from './tokenRequests.ts';

/**
 * Signs in: discovers the authorization server, selects scopes and client, then runs the flow of the settings.
 * @param previous the grant to replace. Its data are not sent to another authorization server
 * @param isStepUp the previous grant is valid, but its scopes are not sufficient
 * @throws {PatchbayError} `needsSignIn`, `needsIssuer`, `configuration`, or `unreachable`; or a cancellation
 */
export async function obtainGrant(
  requirements: AuthorizationRequirements,
  previous: Grant | undefined,
  isStepUp: boolean,
  context: SignInContext,
  signal: AbortSignal,
): Promise<Grant> {
  const { label, settings } = context;
  const target = await context.discovery.find(requirements.resourceMetadata, previous?.issuer, signal);
  const { issuer } = target.server;
  const before = previous !== undefined && sameIssuer(previous.issuer, issuer) ? previous : undefined;
  if (previous !== undefined && before === undefined) checkIssuerChange(previous.issuer, issuer, context);
  checkBinding(label, issuer, settings);
  const scopes = selectScopes(requirements, target, settings, before?.requestedScopes ?? []);
  if (isStepUp && before !== undefined && scopes.every((scope) => before.requestedScopes.includes(scope))) {
    throw signInFailed(
      `“${label}” wants more rights than ${quoted(issuer)} has granted${scopes.length === 0 ? '' : `, among ${scopes.join(', ')}`}. They were asked for already: the account may not have them.`,
    );
  }
  const canBind = target.server.dpop_signing_alg_values_supported?.includes('ES256') === true;
  const acceptsProofs = requirements.wantsDpop || target.supportsDpop || before?.isDpop === true;
  const usesDpop = settings.dpop ?? (acceptsProofs && canBind);
  const dpop = usesDpop ? await context.keyring.get(before?.dpopKey) : undefined;
  const previousScopes = isStepUp ? (before?.grantedScopes ?? before?.requestedScopes) : undefined;
  const needsConsent =
    before !== undefined && before.refreshToken === undefined && before.requestedScopes.includes('offline_access');
  const signIn = { ...context, target, scopes, previousScopes, dpop, needsConsent };
  const { client, token } = await (isInteractive(settings)
    ? signInInteractively(signIn, signal)
    : signInNonInteractively(signIn, signal));
  if (settings.dpop === true && !token.isDpop) {
    throw signInFailed(
      `The authorization server ${quoted(issuer)} does not bind tokens to a key, which "dpop" asks for.`,
    );
  }
  const account = await accountOf(issuer, token.subject, isStepUp ? before : undefined, settings);
  const basis = {
    issuer,
    account,
    resource: target.resource,
    client: client.kind === 'dynamic' ? client : { kind: client.kind, clientId: client.clientId },
    requestedScopes: scopes,
    dpopKey: dpop?.jwk,
  };
  return createGrant(basis, token, context.clock.now());
}

/**
 * Derives the account id of a token: from the subject of the ID token; in flows without a person from the settings; otherwise
 * each sign-in counts as a new account.
 * @param widened the grant of a step-up: the account stays the same unless an ID token says otherwise
 */
async function accountOf(
  issuer: string,
  subject: string | undefined,
  widened: Grant | undefined,
  settings: AuthSettings,
): Promise<string> {
  // The first 128 bits.
  const digestOf = async (parts: readonly string[]): Promise<string> =>
    (await sha256(JSON.stringify(parts))).slice(0, 32);
  if (subject !== undefined) return digestOf([issuer, 'subject', subject]);
  const { flow = 'authorizationCode', clientId = '', assertion, idp } = settings;
  if (flow !== 'authorizationCode')
    return digestOf([issuer, flow, clientId, readSubject(assertion ?? idp?.idToken) ?? '']);
  return widened?.account ?? generateRandomState();
}

/** Credentials belong to the server that issued them (2026-07-28, Basic / Authorization / Authorization Server Binding). */
function checkIssuerChange(from: string, to: string, { settings, label, logger }: SignInContext): void {
  logger.info(`The server has moved from the authorization server ${from} to ${to}.`);
  if (settings.clientId === undefined || settings.issuer !== undefined) return;
  throw signInFailed(
    `“${label}” has moved from the authorization server ${quoted(from)} to ${quoted(to)}, and "clientId" in its settings is from the first. Register a client at the new one, then set "clientId" and "issuer".`,
  );
}

/**
 * Selects the scopes to request (2025-11-25, Basic / Authorization / Scope Selection Strategy): those of the challenge and of
 * the settings, otherwise those that the server lists. Earlier scopes are added, so that a step-up loses none.
 * @param before scopes of the grant to replace, from the same authorization server
 * @returns an empty list: the authorization server decides
 */
function selectScopes(
  requirements: AuthorizationRequirements,
  { scopes: listed, server }: SignInTarget,
  settings: AuthSettings,
  before: readonly string[],
): string[] {
  const suggested = settings.scopes ?? (requirements.scopes === undefined ? listed : undefined) ?? [];
  const wanted = new Set([...before, ...(requirements.scopes ?? []), ...suggested]);
  // As the only scope it would replace the default scopes of the authorization server.
  if (isInteractive(settings) && wanted.size > 0 && server.scopes_supported?.includes('offline_access') === true) {
    wanted.add('offline_access');
  }
  return [...wanted];
}
