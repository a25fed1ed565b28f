import type { AuthSettings } from '../base/authSettings.ts';
import { visibleText } from '../base/visibleText.ts';
import { analyzeCommandLine } from './commandLineAnalysis.ts';
import { isStdio, type ServerDefinition } from './serverDefinition.ts';

/** What options are written for: the origin of a remote server; of a program what runs, without options and versions. */
export function definitionTarget(definition: ServerDefinition): string {
  if (isStdio(definition)) return analyzeCommandLine([definition.command, ...(definition.args ?? [])]).name;
  return originOf(definition.url) ?? definition.url;
}

/** Whether `target`, as a person wrote it, is that of a definition. Of an address, any below the origin will do. */
export function isTargetOf(target: string, definition: ServerDefinition): boolean {
  const wanted = definitionTarget(definition);
  return target === wanted || (!isStdio(definition) && originOf(target) === wanted);
}

/** Only where no variable can change it. */
function originOf(address: string): string | undefined {
  const authority = /^https?:\/\/[^/?#\\]*/i.exec(address)?.[0];
  if (authority === undefined || authority.includes('${') || !URL.canParse(address)) return undefined;
  return new URL(address).origin;
}

/**
 * Where a value entered for a server goes: what a person reads while they enter it, and what a kept value stays bound to.
 * Of a program it is what runs, without options and versions, as it is written; of a remote server the host.
 */
export function inputTarget(definition: ServerDefinition): string {
  if (isStdio(definition)) return analyzeCommandLine([definition.command, ...(definition.args ?? [])]).name;
  return URL.canParse(definition.url) ? new URL(definition.url).host : definition.url;
}

/** The same of a value for signing in. */
export function signInTarget(host: string, auth: AuthSettings | undefined): string {
  const issuer = auth?.issuer ?? auth?.idp?.issuer ?? auth?.idp?.tokenEndpoint;
  return issuer === undefined ? `the authorization server of ${host}` : `${issuer}, to sign in to ${host}`;
}

/** A target for one line. Cut in its middle: the end of a host says whose it is. */
export function shortTarget(target: string): string {
  const visible = visibleText(target);
  return visible.length <= 120 ? visible : `${visible.slice(0, 60)}…${visible.slice(-60)}`;
}
