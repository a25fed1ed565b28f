import type { SignInCaution, SignInEndpoint, SignInRequest } from '../../auth/ports.ts';
import { limits } from '../../base/limits.ts';
import { visibleText } from '../../base/visibleText.ts';
import { readHostName } from '../../base/hostName.ts';
import { singleLine } from '../platform/displayText.ts';
import { describeRegistration } from './authorizationFacts.ts';

/**
 * The question before a client is registered or the browser opens. It names the hosts first, and which of them differ.
 * Nothing in it can be hidden, and long texts of a server cannot push the rest away.
 */
export function signInQuestion(request: SignInRequest, redirectUri: string) {
  const { server, issuer, endpoints, scopes, previousScopes } = request;
  const name = displayLabel(request.label);
  const added = scopes.filter((scope) => previousScopes?.includes(scope) === false);
  const message =
    previousScopes === undefined
      ? `Sign in to use the MCP server “${name}”? Your browser will open.`
      : `The MCP server “${name}” wants more rights than you have given it. Sign in again? Your browser will open.`;
  const isElsewhere = new URL(issuer).origin !== server.origin;
  const lines = [
    `Server: ${displayAddress(server)}`,
    `Authorization server: ${hostText(issuer)} (${visibleText(issuer)})${isElsewhere ? ', not the server’s own host' : ''}`,
    endpoints
      .filter(({ kind }) => kind === 'authorization' || kind === 'token')
      .map(endpointText)
      .join('\n'),
    `Client: ${clientText(request)}`,
    ...(previousScopes === undefined
      ? [`Rights: ${scopes.length === 0 ? 'as the authorization server decides' : listScopes(scopes)}`]
      : [`New rights: ${listScopes(added)}`, `Rights so far: ${listScopes(previousScopes)}`]),
    `Your browser comes back to: ${displayAddress(redirectUri)}`,
  ];
  return { message, detail: lines.join('\n\n') };
}

/** The second question, about signs of an attack by the authorization server (RFC 9207, section 1). */
export function cautionQuestion(caution: SignInCaution) {
  const { label, server, issuer, foreign, isAnswerUnmarked, isPkceUnannounced, issuerTemplate } = caution;
  const host = hostText(issuer);
  const lines = [
    ...(foreign.length === 0
      ? []
      : [
          `The authorization server ${host}, which ${hostText(server)} names, uses addresses that are not its own:`,
          foreign.map((endpoint) => `${endpointText(endpoint)}\n    ${displayAddress(endpoint.address)}`).join('\n'),
          'This is how an authorization server would steal a sign-in at another one. Some honest ones have several hosts: continue only if you know that all of these belong together.',
        ]),
    ...(isAnswerUnmarked
      ? [
          `The client is known beforehand, and ${host} does not mark its answers ("iss"). If it is not where the client was registered, it could get hold of a sign-in at another authorization server. Continue only if the client belongs to ${host}; set "issuer" under "auth" to stop this question.`,
        ]
      : []),
    ...(isPkceUnannounced === true
      ? [
          `${host} does not say that it protects sign-ins with PKCE. Microsoft Entra and Amazon Cognito do so without saying it; at another one, a program on this machine could get hold of the sign-in. Patchbay uses PKCE in any case.`,
        ]
      : []),
    ...(issuerTemplate === undefined
      ? []
      : [
          `The metadata of ${host} are for all its tenants (${singleLine(visibleText(issuerTemplate), 200)}), so it cannot be checked that an answer comes from the right one. That is usual at Microsoft Entra.`,
        ]),
    'Your answer applies to exactly this until you sign out.',
  ];
  return { message: `Signing in to “${displayLabel(label)}” is unusual. Sign in anyway?`, detail: lines.join('\n\n') };
}

function endpointText({ kind, address, isForeign }: SignInEndpoint): string {
  return `${endpointCaptions[kind]}: ${hostText(address)}${isForeign ? '  ⚠ not the authorization server’s own' : ''}`;
}

const endpointCaptions: Readonly<Record<SignInEndpoint['kind'], string>> = {
  authorization: 'Your browser opens',
  token: 'The sign-in is completed at',
  registration: 'The client is registered at',
  revocation: 'Signing out goes to',
};

function clientText({ clientName, clientId, registration, issuer, endpoints }: SignInRequest): string {
  if (clientId !== undefined) {
    return `“${clientName}”, client id ${singleLine(visibleText(clientId), 200)} (${describeRegistration[registration]})`;
  }
  const place = endpoints.find(({ kind }) => kind === 'registration');
  const mark = place?.isForeign === true ? '  ⚠ not the authorization server’s own' : '';
  return `“${clientName}”, about to be registered dynamically at ${hostText(place?.address ?? issuer)}${mark}`;
}

/** Lists as many scopes as fit, and counts the rest. */
function listScopes(scopes: readonly string[]): string {
  if (scopes.length === 0) return 'none';
  const shown: string[] = [];
  let room = limits.signIn.shownRights;
  for (const scope of scopes.map(visibleText)) {
    room -= scope.length;
    if (room < 0) break;
    shown.push(scope);
  }
  const more = scopes.length - shown.length;
  return [...shown, ...(more === 0 ? [] : [`⚠ and ${more} more`])].join(', ');
}

/** The host in ASCII, as the browser resolves it, followed by its Unicode form if that differs. */
export function hostText(address: URL | string): string {
  const { host, hostname } = new URL(address);
  const { unicode, isMixed } = readHostName(hostname);
  if (unicode === hostname) return host;
  return `${host}  ⚠ reads “${visibleText(unicode)}”${isMixed ? ', letters of different alphabets' : ''}`;
}

/** An address without its query, which may be long or secret. */
function displayAddress(address: URL | string): string {
  const { protocol, host, pathname } = new URL(address);
  return singleLine(visibleText(`${protocol}//${host}${pathname}`), 300);
}

/** A label can be any text: a long one must not push the rest of the question away. */
function displayLabel(label: string): string {
  return singleLine(visibleText(label), 60);
}
