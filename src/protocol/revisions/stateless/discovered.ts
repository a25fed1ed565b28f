import type { Implementation } from '../../mcp/base.ts';
import type { ServerCapabilities } from '../../mcp/lifecycle.ts';
import type { StatelessRevision } from '../revision.ts';

/** The answer to `server/discover`, checked (2026-07-28, Server / Discovery). */
export interface Discovered {
  /** The newest common revision. */
  readonly revision: StatelessRevision;
  readonly server: Implementation;
  readonly capabilities: ServerCapabilities;
  readonly instructions: string | undefined;
}
