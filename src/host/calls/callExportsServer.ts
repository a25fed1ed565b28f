import type { JsonObject } from '../../base/json.ts';
import { parseServerAddress } from '../../base/serverAddress.ts';
import { percentDecoded } from '../../base/truncate.ts';
import { schemeOf, secretInArgument } from '../../secrets/argumentSecret.ts';
import { looksLikeSecretName, looksLikeSecretValue } from '../../secrets/secretNames.ts';
import { isStdio, type RemoteServerDefinition, type ServerDefinition } from '../../config/serverDefinition.ts';
import { variableSyntax } from '../../config/serverSection.ts';
import { partsOf, type VariableMeaning, type VariableSyntax } from '../../config/variables.ts';
import type { Tool } from '../../protocol/mcp/tools.ts';
import { readToolHeaders, toolHeaderValues } from '../../protocol/revisions/stateless/toolHeaders.ts';
import { isStatelessRevision } from '../../protocol/session/revision.ts';
import type { HostServer } from '../servers/serverRegistry.ts';
import {
  type ExportedCall,
  type ExportedHeader,
  type ExportedServer,
  type ExportText,
  isVariableName,
  joinParts,
  toVariableName,
} from './callExportsText.ts';

export interface ExportedServerFacts {
  readonly syntax: VariableSyntax;
  readonly folder: string | undefined;
  readonly transport?: 'stdio' | 'http' | 'sse' | undefined;
  /** The person has signed in to it: its requests carry a token. */
  readonly isSignedIn?: boolean;
}

/**
 * How a server is reached, for texts that leave the editor. Starts from the definition as it is written, so that values of
 * inputs and variables are never at hand; what looks like a secret in it is named instead. Values of environment variables and
 * headers are always named.
 */
export function toExportedServer(definition: ServerDefinition, facts: ExportedServerFacts): ExportedServer {
  const expand = (text: string): ExportText => expandText(text, facts);
  const expandParts = (parts: ExportText): ExportText =>
    parts.flatMap((part) => (typeof part === 'string' ? expand(part) : [part]));
  if (isStdio(definition)) {
    const { command, args = [], cwd, env = {}, envFile } = definition;
    return {
      kind: 'stdio',
      command: expand(command),
      args: args.map((argument, index) => expandParts(withoutSecret(argument, args[index - 1]))),
      cwd: cwd === undefined && facts.folder === undefined ? undefined : folderText(cwd, facts),
      env: Object.entries(env).flatMap(([name, value]) => (value === null ? [] : [name])),
      hasEnvFile: envFile !== undefined,
    };
  }
  const address = parseServerAddress(definition.url);
  const socketPath = address?.socketPath;
  const url = socketPath === undefined ? definition.url : (address?.url.href ?? '');
  return {
    kind: facts.transport === 'sse' || (facts.transport !== 'http' && definition.type === 'sse') ? 'sse' : 'http',
    url: joinParts(expandParts(addressParts(url))),
    ...(socketPath !== undefined && { socketPath }),
    headers: headersOf(definition, facts),
  };
}

/** A call of a server as it is configured and connected now. @param tool `undefined` while the server does not list it */
export function exportedCallOf(
  { configured, server }: HostServer,
  { name, tool, args, isSignedIn }: { name: string; tool: Tool | undefined; args: JsonObject; isSignedIn: boolean },
): ExportedCall {
  const { definition, source } = configured;
  const { session } = server;
  const facts = {
    syntax: variableSyntax(source.kind),
    folder: source.folder?.path,
    transport: session?.transport,
    isSignedIn,
  };
  const revision = session?.protocolVersion;
  const exported = toExportedServer(definition, facts);
  const headers =
    isStatelessRevision(revision) && exported.kind === 'http' && tool && readToolHeaders(tool.inputSchema);
  const toolHeaders = typeof headers === 'object' ? toolHeaderValues(headers, args) : undefined;
  return { server: exported, revision, tool: name, args, toolHeaders };
}

/** A server runs in its workspace folder, unless it says otherwise. */
function folderText(cwd: string | undefined, facts: ExportedServerFacts): ExportText {
  const { folder } = facts;
  if (cwd === undefined) return [folder ?? ''];
  const isWhole = /^(?:[\\/]|[A-Za-z]:|\$\{)/.test(cwd);
  const expanded = expandText(cwd, facts);
  return isWhole || folder === undefined ? expanded : joinParts([`${folder}/`, ...expanded]);
}

/** Variables of the configuration become environment variables, but for those that are known to be no secret. */
function expandText(whole: string, { syntax, folder }: ExportedServerFacts): ExportText {
  return joinParts(
    partsOf(whole, syntax).map(({ text, meaning }) => (meaning ? valueOf(meaning, text, folder) : text)),
  );
}

function valueOf(meaning: VariableMeaning, reference: string, folder: string | undefined): ExportText[number] {
  switch (meaning.kind) {
    case 'workspaceFolder':
      return meaning.folder === undefined && folder !== undefined ? folder : { variable: 'WORKSPACE_FOLDER' };
    case 'workspaceFolderBasename':
      return { variable: 'WORKSPACE_FOLDER_NAME' };
    case 'userHome':
      return { variable: 'HOME' };
    case 'pathSeparator':
      return '/';
    case 'environment':
      return { variable: isVariableName(meaning.name) ? meaning.name : toVariableName(meaning.name) };
    case 'input':
      return { variable: toVariableName(meaning.id) };
    case 'unsupported':
    case 'foreign':
      return reference;
  }
}

function withoutSecret(argument: string, previous: string | undefined): ExportText {
  const found = secretInArgument(argument, previous);
  if (found === undefined || !isSecret(found.name, found.secret)) return [argument];
  const variable = found.name === '' ? 'SECRET' : toVariableName(found.name);
  return found.lead === '' ? [{ variable }] : [found.lead, { variable }];
}

/** A value that is only a reference is named by it. */
function isSecret(name: string, value: string): boolean {
  const written = value.replace(/\$\{[^${}]*\}/g, '');
  const [, secret] = schemeOf(written);
  return (looksLikeSecretName(name) && secret.trim() !== '') || looksLikeSecretValue(written);
}

/** Credentials in an address, its parameters with the name of a secret, and parts that look like one. */
function addressParts(url: string): ExportText {
  const [, start = '', credentials, rest = ''] = /^([a-z][a-z0-9+.-]*:\/\/)(?:([^/?#]*)@)?(.*)$/is.exec(url) ?? [];
  if (start === '') return [url];
  const pieces = rest.split(/([/?&=#])/);
  const parts = pieces.map((piece, index): ExportText[number] => {
    const name = pieces[index - 1] === '=' ? (pieces[index - 2] ?? '') : '';
    return isSecret(percentDecoded(name), percentDecoded(piece)) ? { variable: toVariableName(name) } : piece;
  });
  return [start, ...(credentials === undefined ? [] : [{ variable: 'CREDENTIALS' }, '@']), ...parts];
}

function headersOf(
  { headers = {} }: RemoteServerDefinition,
  { isSignedIn = false }: ExportedServerFacts,
): readonly ExportedHeader[] {
  const own = Object.entries(headers)
    // Others cannot be sent, nor written where a name of a header stands.
    .filter(([name]) => /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name))
    .map(([name, value]) => toHeader(name, value));
  const hasOwn = own.some(([name]) => name.toLowerCase() === 'authorization');
  return isSignedIn && !hasOwn ? [...own, toHeader('Authorization', 'Bearer ')] : own;
}

function toHeader(name: string, written: string): ExportedHeader {
  const [scheme] = schemeOf(written);
  const isToken = scheme !== '' && name.toLowerCase() === 'authorization';
  return [name, [scheme, { variable: isToken ? 'TOKEN' : toVariableName(name) }]];
}
