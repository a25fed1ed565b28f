import type { Tool, ToolAnnotations } from '../../protocol/mcp/tools.ts';
import { appUriOf, isForModels } from '../../protocol/mcp/apps.ts';
import { toolDisplayName } from '../../protocol/mcp/displayName.ts';
import { limits } from '../../base/limits.ts';
import { truncateWithCount } from '../../base/truncate.ts';
import type { ToolClaim, ToolView } from '../../shared/toolMessages.ts';

export function toToolView(
  target: { readonly server: string; readonly name: string },
  tool: Tool | undefined,
  { state, notices }: Pick<ToolView, 'state' | 'notices'>,
): Omit<ToolView, 'revision'> {
  const { description } = tool ?? {};
  return {
    ...target,
    title: truncateWithCount(tool === undefined ? target.name : toolDisplayName(tool), 200),
    description: description === undefined ? undefined : truncateWithCount(description, limits.item.description),
    claims: claimsOf(tool?.annotations),
    taskSupport: taskSentence(tool?.execution?.taskSupport),
    app: tool && appSentence(tool),
    schema: tool?.inputSchema ?? {},
    notices: [...notices, ...omissions(tool)],
    state,
  };
}

/** In the words of the specification, and what they mean (2025-11-25, schema, `ToolAnnotations`). */
const claims: readonly [keyof ToolAnnotations, ToolClaim, ToolClaim][] = [
  [
    'readOnlyHint',
    { icon: 'eye', label: 'read-only', detail: 'The server says that it changes nothing.' },
    { icon: 'edit', label: 'changes things', detail: 'The server says that it may change things.' },
  ],
  [
    'destructiveHint',
    { icon: 'warning', label: 'destructive', detail: 'The server says that it may overwrite or delete.' },
    { icon: 'add', label: 'only adds', detail: 'The server says that it overwrites and deletes nothing.' },
  ],
  [
    'idempotentHint',
    { icon: 'sync', label: 'repeatable', detail: 'The server says that repeating a call does no more.' },
    { icon: 'sync-ignored', label: 'not repeatable', detail: 'The server says that each call does something again.' },
  ],
  [
    'openWorldHint',
    { icon: 'globe', label: 'open world', detail: 'The server says that it reaches other systems.' },
    { icon: 'home', label: 'closed world', detail: 'The server says that it reaches no other systems.' },
  ],
];

function claimsOf(annotations: ToolAnnotations = {}): readonly ToolClaim[] {
  return claims.flatMap(([hint, yes, no]) => {
    const value = annotations[hint];
    return typeof value === 'boolean' ? [value ? yes : no] : [];
  });
}

function taskSentence(support: string | undefined): string | undefined {
  if (support === 'required') return 'A call always continues as a task: it goes on if you close this tab.';
  return support === 'optional' ? 'The server may continue a call as a task.' : undefined;
}

function appSentence(tool: Tool): string | undefined {
  if (!isForModels(tool)) return 'It is for apps of its server: no model is offered it.';
  return appUriOf(tool) === undefined ? undefined : 'It has an app, which shows its results beside this tab.';
}

function omissions(tool: Tool | undefined): readonly string[] {
  if (tool?.omittedSchemas?.includes('inputSchema') !== true) return [];
  return ['Its input schema is too large to be shown. Write the arguments as JSON; they are not checked.'];
}
