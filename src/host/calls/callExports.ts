import type { UnknownRecord } from '../../base/json.ts';
import { createSendHints, metaPrefix } from '../../protocol/revisions/stateless/requestMetadata.ts';
import {
  type HandshakeRevision,
  isAtLeast,
  isHandshakeRevision,
  isStatelessRevision,
  latestHandshakeRevision,
} from '../../protocol/session/revision.ts';
import { toPython, toTypeScript } from './callExportsCode.ts';
import {
  type ExportedAddress,
  type ExportedCall,
  type ExportedHeader,
  exportedClient,
  type ExportedServer,
  type ExportText,
  joinParts,
  quoteShell,
  variablesOf,
  visibleJson,
} from './callExportsText.ts';

const choices = [
  { format: 'jsonRpc', label: 'JSON-RPC Request', detail: 'The request tools/call as it is sent' },
  { format: 'curl', label: 'curl Command', detail: 'For bash and zsh, with the handshake' },
  { format: 'typeScript', label: 'TypeScript', detail: 'For the official SDK, @modelcontextprotocol/sdk' },
  { format: 'python', label: 'Python', detail: 'For the official SDK, mcp' },
] as const;

export function exportChoices(server: ExportedServer): readonly (typeof choices)[number][] {
  return choices.filter(({ format }) => {
    if (format === 'jsonRpc') return true;
    if (server.kind === 'stdio') return format !== 'curl';
    // The official SDKs reach no sockets; of HTTP+SSE, curl cannot read the answer, which comes with another request.
    return format === 'curl' ? server.kind === 'http' : server.socketPath === undefined;
  });
}

/** Writes a call down. No value of a variable or header is in the text. Ends with a line break. */
export function exportCall(format: (typeof choices)[number]['format'], call: ExportedCall): string {
  switch (format) {
    case 'jsonRpc':
      return `${visibleJson(toRequest(call), 2)}\n`;
    case 'curl':
      return toCurl(call, toRequest(call));
    case 'typeScript':
      return toTypeScript(call);
    case 'python':
      return toPython(call);
  }
}

function toRequest({ tool, args, revision }: ExportedCall): UnknownRecord {
  // 2026-07-28, Basic, "_meta".
  const meta = {
    [`${metaPrefix}protocolVersion`]: revision,
    [`${metaPrefix}clientInfo`]: exportedClient,
    [`${metaPrefix}clientCapabilities`]: {},
  };
  const params = { name: tool, arguments: args, ...(isStatelessRevision(revision) && { _meta: meta }) };
  return { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
}

/** A call with curl. Of a server that is a program there is none. @param request `tools/call` */
function toCurl(call: ExportedCall, request: UnknownRecord): string {
  const { server, revision } = call;
  if (server.kind === 'stdio') return '';
  const needed = variablesOf(server);
  const lines = isStatelessRevision(revision)
    ? [curl(server, [...server.headers, ...statelessHeaders(call, request)], request)]
    : withHandshake(server, isHandshakeRevision(revision) ? revision : latestHandshakeRevision, request);
  const note = needed.length === 0 ? [] : [`# Set first: ${needed.join(', ')}`];
  return `${[...note, ...lines].join('\n')}\n`;
}

/** 2026-07-28, Basic / Transports / Streamable HTTP, "Standard Request Headers". */
function statelessHeaders({ revision, toolHeaders }: ExportedCall, request: UnknownRecord): readonly ExportedHeader[] {
  if (!isStatelessRevision(revision)) return [];
  const { method, params } = request;
  const { headers = {} } = createSendHints(revision, String(method), params as UnknownRecord, toolHeaders);
  return Object.entries(headers).map(([name, value]) => [name, [value]] as const);
}

/** 2025-11-25, Basic / Lifecycle, "Initialization", and Basic / Transports, "Session Management". */
function withHandshake(
  server: ExportedAddress,
  revision: HandshakeRevision,
  request: UnknownRecord,
): readonly string[] {
  const initialize = {
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: { protocolVersion: revision, capabilities: {}, clientInfo: exportedClient },
  };
  const later: readonly ExportedHeader[] = [
    ...server.headers,
    ...(isAtLeast(revision, '2025-06-18') ? [['Mcp-Protocol-Version', [revision]] as const] : []),
    ['Mcp-Session-Id', [{ variable: 'MCP_SESSION_ID' }]],
  ];
  return [
    '# The handshake. A server without sessions names none, and curl then leaves the header out.',
    `MCP_SESSION_ID=$(${curl(server, server.headers, initialize, ['-D', '-', '-o', '/dev/null'])} |`,
    `  tr -d '\\r' | sed -n 's/^[Mm][Cc][Pp]-[Ss][Ee][Ss][Ss][Ii][Oo][Nn]-[Ii][Dd]: *//p')`,
    curl(server, later, { jsonrpc: '2.0', method: 'notifications/initialized' }, ['-o', '/dev/null']),
    '# The call. The answer is JSON, or an event stream with JSON after "data:".',
    curl(server, later, request),
  ];
}

/** @param body JSON, always within quotes: no line break of it starts a command */
function curl(
  server: ExportedAddress,
  headers: readonly ExportedHeader[],
  body: unknown,
  options: readonly string[] = [],
): string {
  const socket = server.socketPath === undefined ? [] : ['--unix-socket', quoteShell(server.socketPath)];
  const all: readonly ExportedHeader[] = [
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
