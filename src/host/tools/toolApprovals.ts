import type { Tool } from '../../protocol/mcp/tools.ts';

/** Tools that run without a question, for as long as the window is open. */
export interface ToolApprovals {
  isApproved(server: string, tool: Tool): boolean;
  approve(server: string, tool: Tool): void;
}

/** An approval ends as soon as the server describes the tool in any other way: it was given for what was shown. */
export function createToolApprovals(): ToolApprovals {
  const approved = new Map<string, string>();
  const keyOf = (server: string, tool: Tool): string => JSON.stringify([server, tool.name]);
  return {
    isApproved: (server, tool) => approved.get(keyOf(server, tool)) === JSON.stringify(tool),
    approve: (server, tool) => void approved.set(keyOf(server, tool), JSON.stringify(tool)),
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
