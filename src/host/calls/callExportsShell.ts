import type { UnknownRecord } from '../../base/json.ts';
import { createSendHints } from '../../protocol/revisions/stateless/requestMetadata.ts';
import {
  type HandshakeRevision,
  isAtLeast,
  isHandshakeRevision,
  isStatelessRevision,
  latestHandshakeRevision,
} from '../../protocol/session/revision.ts';
import { joinParts, quoteShell, variablesOf, visibleJson } from './callExportsText.ts';
import { type ExportedAddress, type ExportedCall, exportedClient, type ExportText } from './callExportsTypes.ts';

/** Header fields and their values. */
type Headers = readonly (readonly [name: string, value: ExportText])[];

/** A call with curl. Of a server that is a program there is none. @param request `tools/call` */
export function toCurl(call: ExportedCall, request: UnknownRecord): string {
  const { server, revision } = call;
  if (server.kind === 'stdio') return '';
  const own = server.headers.map(({ name, value }) => [name, value] as const);
  const needed = variablesOf([server.url, ...server.headers.map(({ value }) => value)]);
  const lines = isStatelessRevision(revision)
    ? [curl(server, [...own, ...statelessHeaders(call, request)], request)]
    : withHandshake(server, own, isHandshakeRevision(revision) ? revision : latestHandshakeRevision, request);
  return `${[...variableNote(needed), ...lines].join('\n')}\n`;
}

function variableNote(names: readonly string[]): readonly string[] {
  return names.length === 0 ? [] : [`# Set first: ${names.join(', ')}`];
}

/** 2026-07-28, Basic / Transports / Streamable HTTP, "Standard Request Headers". */
function statelessHeaders({ revision, toolHeaders }: ExportedCall, request: UnknownRecord): Headers {
  if (!isStatelessRevision(revision)) return [];
  const { method, params } = request;
  const { headers = {} } = createSendHints(revision, String(method), params as UnknownRecord, toolHeaders);
  return Object.entries(headers).map(([name, value]) => [name, [value]] as const);
}

/** 2025-11-25, Basic / Lifecycle, "Initialization", and Basic / Transports, "Session Management". */
function withHandshake(
  server: ExportedAddress,
  own: Headers,
  revision: HandshakeRevision,
  request: UnknownRecord,
): readonly string[] {
  const initialize = {
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: { protocolVersion: revision, capabilities: {}, clientInfo: exportedClient },
  };
  const version: Headers = isAtLeast(revision, '2025-06-18') ? [['Mcp-Protocol-Version', [revision]]] : [];
  const session: Headers = [['Mcp-Session-Id', [{ variable: 'MCP_SESSION_ID' }]]];
  const later = [...own, ...version, ...session];
  return [
    '# The handshake. A server without sessions names none, and curl then leaves the header out.',
    `MCP_SESSION_ID=$(${curl(server, own, initialize, ['-D', '-', '-o', '/dev/null'])} |`,
    `  tr -d '\\r' | sed -n 's/^[Mm][Cc][Pp]-[Ss][Ee][Ss][Ss][Ii][Oo][Nn]-[Ii][Dd]: *//p')`,
    curl(server, later, { jsonrpc: '2.0', method: 'notifications/initialized' }, ['-o', '/dev/null']),
    '# The call. The answer is JSON, or an event stream with JSON after "data:".',
    curl(server, later, request),
  ];
}

/** @param body JSON, always within quotes: no line break of it starts a command */
function curl(server: ExportedAddress, headers: Headers, body: unknown, options: readonly string[] = []): string {
  const socket = server.socketPath === undefined ? [] : ['--unix-socket', quoteShell(server.socketPath)];
  const all: Headers = [
    ['Content-Type', ['application/json']],
    ['Accept', ['application/json, text/event-stream']],
    ...headers,
  ];
  return [
    ['curl', '-sSgN', ...options, ...socket, word(server.url)].join(' '),
    ...all.map(([name, value]) => `-H ${word([`${name}: `, ...value])}`),
    `--data-raw ${quoteShell(visibleJson(body), true)}`,
  ].join(' \\\n  ');
}

/** One word: texts in single quotes, variables in double ones. */
function word(text: ExportText): string {
  return joinParts(text)
    .map((part) => (typeof part === 'string' ? quoteShell(part, true) : `"$${part.variable}"`))
    .join('');
}
