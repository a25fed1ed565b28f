import { canonicalJson } from '../../base/canonicalJson.ts';
import type { Server } from '../../client/server.ts';
import type { Tool } from '../../protocol/mcp/tools.ts';

type ApprovedServer = Pick<Server, 'label' | 'identity'>;

/** Tools that run without a question, for as long as the window is open. */
export interface ToolApprovals {
  isApproved(server: ApprovedServer, tool: Tool): boolean;
  approve(server: ApprovedServer, tool: Tool): void;
}

/**
 * An approval ends as soon as the server describes the tool in any other way, or another server runs under its label: it was
 * given for what was shown.
 */
export function createToolApprovals(): ToolApprovals {
  const approved = new Map<string, string>();
  const keyOf = ({ label, identity }: ApprovedServer, tool: Tool): string =>
    JSON.stringify([label, identity, tool.name]);
  return {
    isApproved: (server, tool) => approved.get(keyOf(server, tool)) === canonicalJson(tool),
    approve: (server, tool) => void approved.set(keyOf(server, tool), canonicalJson(tool)),
  };
}

/** What a server claims its tool does, as words; absent hints have the defaults of the specification (2025-03-26, tools). */
export function describeClaims({ annotations = {} }: Tool): string {
  if (annotations.readOnlyHint === true) return 'claims to change nothing';
  const destructive = annotations.destructiveHint === false ? 'claims only to add' : 'may change or destroy things';
  const repeated = annotations.idempotentHint === true ? 'claims that repeating it does no more' : undefined;
  const open = annotations.openWorldHint === false ? undefined : 'may reach other systems';
  return [destructive, repeated, open].filter((part) => part !== undefined).join(', ');
}
