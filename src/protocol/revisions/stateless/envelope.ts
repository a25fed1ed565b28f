import type { UnknownRecord } from '../../../base/json.ts';
import type { ClientCapabilities } from '../../mcp/lifecycle.ts';
import type { SendHints } from '../../messageChannel.ts';
import type { StatelessRevision } from '../revision.ts';
import type { SessionSetup } from '../session.ts';

/** The prefix of the keys the specification reserves in `_meta`. */
export const metaPrefix = 'io.modelcontextprotocol/';

/** What every request says about us, in its `params._meta` (2026-07-28, "_meta"). */
export function createEnvelope(
  { clientInfo, capabilities }: Pick<SessionSetup, 'clientInfo' | 'capabilities'>,
  revision: StatelessRevision,
): UnknownRecord {
  return {
    [`${metaPrefix}protocolVersion`]: revision,
    [`${metaPrefix}clientInfo`]: clientInfo,
    [`${metaPrefix}clientCapabilities`]: withoutNotifications(capabilities),
  };
}

/** The headers of a request without a name of its own (2026-07-28, "Standard Request Headers"). */
export function createHints(revision: StatelessRevision, method: string): SendHints {
  return { isStateless: true, headers: { 'MCP-Protocol-Version': revision, 'Mcp-Method': method } };
}

/** This revision has no word for changed roots, so nothing may be promised about them. */
function withoutNotifications({ roots, ...others }: ClientCapabilities): ClientCapabilities {
  return roots === undefined ? others : { roots: {}, ...others };
}
