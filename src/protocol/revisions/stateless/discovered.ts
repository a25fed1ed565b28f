import type { Implementation } from '../../mcp/base.ts';
import type { ServerCapabilities } from '../../mcp/lifecycle.ts';
import type { StatelessRevision } from '../revision.ts';

/** What a server said of itself in `server/discover` (2026-07-28, "Discovery"). */
export interface Discovered {
  /** The newest revision both sides speak. */
  readonly revision: StatelessRevision;
  readonly server: Implementation;
  readonly capabilities: ServerCapabilities;
  readonly instructions: string | undefined;
}
