import type { AuthSettings } from '../base/authSettings.ts';
import { hostOf, originOf, parseServerAddress } from '../base/serverAddress.ts';
import { visibleText } from '../base/visibleText.ts';
import { analyzeCommandLine } from './commandLineAnalysis.ts';
import { isStdio, type ServerDefinition, type StdioServerDefinition } from './serverDefinition.ts';
import { hasVariables } from './variables.ts';

/**
 * @returns what options are bound to: the origin of a remote server or its socket, or what a program runs, without options and
 *   versions
 */
export function definitionTarget(definition: ServerDefinition): string {
  return isStdio(definition) ? programTarget(definition) : (targetOrigin(definition.url) ?? definition.url);
}

/**
 * True when `target`, as a person wrote it, is that of a definition. Any address with the origin or socket of a remote server
 * matches.
 */
export function isTargetOf(target: string, definition: ServerDefinition): boolean {
  const wanted = definitionTarget(definition);
  return target === wanted || (!isStdio(definition) && targetOrigin(target) === wanted);
}

/** @returns the origin or the socket, or `undefined` if variables can change it */
function targetOrigin(text: string): string | undefined {
  // The authority of a URL, the path of a socket.
  const fixed = /^https?:\/\/[^/?#\\]*|^(?:unix|pipe):[^?#]*/i.exec(text)?.[0];
  const address = fixed === undefined || hasVariables(fixed) ? undefined : parseServerAddress(text);
  return address && originOf(address);
}

/**
 * @returns where the value of an input is sent: shown while the person enters it, and bound to the stored value. For a program
 *   what it runs, without options and versions; for a remote server its host or socket.
 */
export function inputTarget(definition: ServerDefinition): string {
  if (isStdio(definition)) return programTarget(definition);
  const address = parseServerAddress(definition.url);
  return address === undefined ? definition.url : hostOf(address);
}

function programTarget({ command, args = [] }: StdioServerDefinition): string {
  return analyzeCommandLine([command, ...args]).name;
}

/** {@link inputTarget} for a value that is used for sign-in. */
export function signInTarget(host: string, auth: AuthSettings | undefined): string {
  const issuer = auth?.issuer ?? auth?.idp?.issuer ?? auth?.idp?.tokenEndpoint;
  return issuer === undefined ? `the authorization server of ${host}` : `${issuer}, to sign in to ${host}`;
}

/** Shortens a target for one line. */
export function shortTarget(target: string): string {
  return keepEnds(visibleText(target), 121);
}

/** Removes the middle of a long text: the end of a host name shows its domain, and what runs may stand at either end. */
export function keepEnds(text: string, length: number): string {
  const half = Math.floor((length - 1) / 2);
  return text.length <= length ? text : `${text.slice(0, half)}…${text.slice(-half)}`;
}
