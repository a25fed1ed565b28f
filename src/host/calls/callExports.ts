import type { UnknownRecord } from '../../base/json.ts';
import { metaPrefix } from '../../protocol/revisions/stateless/requestMetadata.ts';
import { isStatelessRevision, type StatelessRevision } from '../../protocol/session/revision.ts';
import { toPython } from './callExportsPython.ts';
import { toCurl } from './callExportsShell.ts';
import { visibleJson } from './callExportsText.ts';
import { type ExportedCall, exportedClient, type ExportedServer } from './callExportsTypes.ts';
import { toTypeScript } from './callExportsTypeScript.ts';

/** The ways to write a call down. */
export type ExportFormat = 'jsonRpc' | 'curl' | 'typeScript' | 'python';

/** One way, as a person chooses it. */
export interface ExportChoice {
  readonly format: ExportFormat;
  readonly label: string;
  readonly detail: string;
}

const choices: readonly ExportChoice[] = [
  { format: 'jsonRpc', label: 'JSON-RPC Request', detail: 'The request tools/call as it is sent' },
  { format: 'curl', label: 'curl Command', detail: 'For bash and zsh, with the handshake' },
  { format: 'typeScript', label: 'TypeScript', detail: 'For the official SDK, @modelcontextprotocol/sdk' },
  { format: 'python', label: 'Python', detail: 'For the official SDK, mcp' },
];

/** The ways in which a call of this server can be written down. */
export function exportChoices(server: ExportedServer): readonly ExportChoice[] {
  return choices.filter(({ format }) => {
    if (format === 'jsonRpc') return true;
    if (server.kind === 'stdio') return format !== 'curl';
    // The official SDKs reach no sockets; of HTTP+SSE, curl cannot read the answer, which comes with another request.
    return format === 'curl' ? server.kind === 'http' : server.socketPath === undefined;
  });
}

/** Writes a call down. No value of a variable or header is in the text. Ends with a line break. */
export function exportCall(format: ExportFormat, call: ExportedCall): string {
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

/** The request `tools/call`, with what the revision asks of each request. */
function toRequest({ tool, args, revision }: ExportedCall): UnknownRecord {
  const meta = isStatelessRevision(revision) ? { _meta: metaOf(revision) } : {};
  return { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: args, ...meta } };
}

/** 2026-07-28, Basic, "_meta". */
function metaOf(revision: StatelessRevision): UnknownRecord {
  return {
    [`${metaPrefix}protocolVersion`]: revision,
    [`${metaPrefix}clientInfo`]: exportedClient,
    [`${metaPrefix}clientCapabilities`]: {},
  };
}
