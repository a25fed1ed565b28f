import { isString, type UnknownRecord } from '../../../base/json.ts';
import { utf8Characters } from '../../../base/truncate.ts';
import type { ClientCapabilities } from '../../mcp/lifecycle.ts';
import type { LoggingLevel } from '../../mcp/logging.ts';
import type { SendHints } from '../../messageChannel.ts';
import type { StatelessRevision } from '../../session/revision.ts';
import type { SessionSetup } from '../../session/session.ts';

export const metaPrefix = 'io.modelcontextprotocol/';

/** `params._meta` of every request (2026-07-28, Basic, "_meta"). @param logLevel `undefined`: no log messages */
export function createRequestMeta(
  { clientInfo, capabilities }: Pick<SessionSetup, 'clientInfo' | 'capabilities'>,
  revision: StatelessRevision,
  logLevel?: LoggingLevel,
): UnknownRecord {
  return {
    [`${metaPrefix}protocolVersion`]: revision,
    [`${metaPrefix}clientInfo`]: clientInfo,
    [`${metaPrefix}clientCapabilities`]: declaredCapabilities(capabilities),
    ...(logLevel !== undefined && { [`${metaPrefix}logLevel`]: logLevel }),
  };
}

/** The parameter that is sent as `Mcp-Name`, by method (the last three: tasks extension). */
const nameParameters: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
};

/** 2026-07-28, Basic / Transports / Streamable HTTP, "Standard Request Headers"; and the headers of `more`. */
export function createSendHints(
  revision: StatelessRevision,
  method: string,
  params: UnknownRecord = {},
  more?: Readonly<Record<string, string>>,
): SendHints {
  const name = params[nameParameters[method] ?? ''];
  return {
    isStateless: true,
    headers: {
      'MCP-Protocol-Version': revision,
      'Mcp-Method': method,
      ...(isString(name) && { 'Mcp-Name': encodeHeaderValue(name) }),
      ...more,
    },
  };
}

/** Without `roots.listChanged`, which 2026-07-28 does not have; with the tasks extension. */
function declaredCapabilities({ roots, extensions, ...others }: ClientCapabilities): ClientCapabilities {
  return {
    ...(roots && { roots: {} }),
    ...others,
    extensions: { ...extensions, [`${metaPrefix}tasks`]: {} },
  };
}

const prefix = '=?base64?';
const suffix = '?=';

/** Encodes any text as a header value (2026-07-28, Basic / Transports / Streamable HTTP, "Value Encoding"). */
export function encodeHeaderValue(value: string): string {
  const isPlain = /^[ -~]*$/.test(value) && value.trim() === value;
  const looksEncoded = value.startsWith(prefix) && value.endsWith(suffix);
  return isPlain && !looksEncoded ? value : `${prefix}${btoa(utf8Characters(value))}${suffix}`;
}
