import { isString, type UnknownRecord } from '../../../base/json.ts';
import type { ClientCapabilities } from '../../mcp/lifecycle.ts';
import type { LoggingLevel } from '../../mcp/logging.ts';
import type { SendHints } from '../../messageChannel.ts';
import type { StatelessRevision } from '../revision.ts';
import type { SessionSetup } from '../session.ts';
import { encodeHeaderValue } from './headerValue.ts';

/** The prefix of the keys the specification reserves in `_meta`. */
export const metaPrefix = 'io.modelcontextprotocol/';

/**
 * What every request says about us, in its `params._meta` (2026-07-28, "_meta").
 * @param logLevel from where on the server may send log messages for the request; without it there are none
 */
export function createEnvelope(
  { clientInfo, capabilities }: Pick<SessionSetup, 'clientInfo' | 'capabilities'>,
  revision: StatelessRevision,
  logLevel?: LoggingLevel,
): UnknownRecord {
  return {
    [`${metaPrefix}protocolVersion`]: revision,
    [`${metaPrefix}clientInfo`]: clientInfo,
    [`${metaPrefix}clientCapabilities`]: offered(capabilities),
    ...(logLevel !== undefined && { [`${metaPrefix}logLevel`]: logLevel }),
  };
}

/** Where the name of a request is that goes into `Mcp-Name` (the last three: tasks extension). */
const nameParameters: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
};

/** The headers every request has over HTTP (2026-07-28, "Standard Request Headers"), and `more`. */
export function createHints(
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

/** This revision has no word for changed roots, so nothing may be promised about them; tasks are understood by all of it. */
function offered({ roots, extensions, ...others }: ClientCapabilities): ClientCapabilities {
  return {
    ...(roots && { roots: {} }),
    ...others,
    extensions: { ...extensions, [`${metaPrefix}tasks`]: {} },
  };
}
