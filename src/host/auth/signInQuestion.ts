import type { SignInRequest } from '../../auth/ports.ts';
import { visibleText } from '../../base/visibleText.ts';
import { singleLine } from '../displayText.ts';
import { registrationWords } from './authorizationFacts.ts';

export interface SignInQuestion {
  readonly message: string;
  readonly detail: string;
}

/** What a person is asked before anything is registered or opened. All of it is shown, with nothing that could hide. */
export function signInQuestion(request: SignInRequest, redirectUri: string): SignInQuestion {
  const { label, server, issuer, scopes, previousScopes } = request;
  const name = singleLine(visibleText(label), 60);
  const added = scopes.filter((scope) => previousScopes?.includes(scope) === false);
  const message =
    previousScopes === undefined
      ? `Sign in to use the MCP server “${name}”? Your browser will open.`
      : `The MCP server “${name}” wants more rights than you have given it. Sign in again? Your browser will open.`;
  const lines = [
    `Server: ${visibleText(shownAddress(server))}`,
    `You sign in at: ${visibleText(hostOf(issuer))} (${visibleText(issuer)})`,
    ...(previousScopes === undefined
      ? [`Rights: ${scopes.length === 0 ? 'as the authorization server decides' : listed(scopes)}`]
      : [`New rights: ${listed(added)}`, `Rights so far: ${listed(previousScopes)}`]),
    `Client: ${clientText(request)}`,
    `Your browser comes back to: ${visibleText(shownAddress(redirectUri))}`,
  ];
  return { message, detail: lines.join('\n\n') };
}

function clientText({ clientName, clientId, registration }: SignInRequest): string {
  if (clientId === undefined) return `“${clientName}”, about to be registered there`;
  return `“${clientName}”, client id ${visibleText(clientId)} (${registrationWords[registration]})`;
}

function listed(scopes: readonly string[]): string {
  return scopes.length === 0 ? 'none' : scopes.map(visibleText).join(', ');
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address;
}

/** Without a query, which may be long, and secret. */
function shownAddress(address: URL | string): string {
  const { protocol, host, pathname } = new URL(address);
  return `${protocol}//${host}${pathname}`;
}
