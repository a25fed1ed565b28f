import { meaningfulHints, type Tool, type ToolAnnotations } from '../../protocol/mcp/tools.ts';
import { appUriOf, isForModels } from '../../protocol/mcp/apps.ts';
import { toolDisplayName } from '../../protocol/mcp/displayName.ts';
import { limits } from '../../base/limits.ts';
import { truncateWithCount } from '../../base/truncate.ts';
import { changedDefinition } from '../invocation/contentTarget.ts';
import type { ToolClaim, ToolFinding, ToolView } from '../../shared/toolMessages.ts';
import { lintTool } from '../../workshop/lint/lintServer.ts';

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
    findings: tool && findingsOf(tool, target.server),
    schema: tool?.inputSchema ?? {},
    notices: [...notices, ...omissions(tool)],
    state,
  };
}

/** What other hosts would do with the tool: what they refuse goes first. */
function findingsOf(tool: Tool, server: string): readonly ToolFinding[] | undefined {
  const findings = lintTool(tool, server).map(({ title, message = '', verdict, references }) => ({
    isRefused: verdict === 'failed',
    text: `${title}. ${message}`,
    sources: references.map((source) => ({ title: source.title, url: source.url })),
  }));
  if (findings.length === 0) return undefined;
  return [...findings.filter(({ isRefused }) => isRefused), ...findings.filter(({ isRefused }) => !isRefused)];
}

export const withheldNotice = 'The arguments were not kept: they hold a secret that Patchbay knows. Enter them again.';

/** What a person should know of the state of a tool's server. @param isKnown its definition was ever seen */
export function stateNotices(
  state: ToolView['state'],
  server: string,
  isConfigured: boolean,
  isKnown: boolean,
): string[] {
  const missing = isConfigured
    ? `The server "${server}" does not list this tool now.`
    : `No server "${server}" is configured.`;
  const shown = isKnown ? 'The tool is shown as it was last seen.' : 'Start it to see what this tool takes.';
  return {
    running: [],
    starting: [],
    replaced: [changedDefinition(server)],
    missing: [`${missing} What you typed is kept.`],
    stopped: [`The server "${server}" is not running. ${shown}`],
  }[state];
}

/** In the words of the specification, and what they mean (2025-11-25, schema, `ToolAnnotations`). */
const claims: readonly [keyof ToolAnnotations, ToolClaim, ToolClaim][] = [
  [
    'readOnlyHint',
    { icon: 'eye', label: 'only reads data', detail: 'According to its server, it only reads data.' },
    { icon: 'edit', label: 'changes data', detail: 'According to its server, it may change data.' },
  ],
  [
    'destructiveHint',
    { icon: 'warning', label: 'destructive', detail: 'According to its server, it may overwrite or delete data.' },
    { icon: 'add', label: 'only adds data', detail: 'According to its server, it overwrites and deletes no data.' },
  ],
  [
    'idempotentHint',
    {
      icon: 'sync',
      label: 'safe to repeat',
      detail: 'According to its server, calling it again with the same arguments changes nothing more.',
    },
    {
      icon: 'sync-ignored',
      label: 'acts on each call',
      detail: 'According to its server, each call has an effect, also with the same arguments.',
    },
  ],
  [
    'openWorldHint',
    {
      icon: 'globe',
      label: 'contacts other systems',
      detail: 'According to its server, it contacts other systems, such as the web.',
    },
    {
      icon: 'home',
      label: 'contacts no other systems',
      detail: 'According to its server, it contacts no other systems.',
    },
  ],
];

function claimsOf(annotations: ToolAnnotations | undefined): readonly ToolClaim[] {
  const hints = meaningfulHints(annotations);
  return claims.flatMap(([hint, yes, no]) => {
    const value = hints[hint];
    return typeof value === 'boolean' ? [value ? yes : no] : [];
  });
}

function taskSentence(support: string | undefined): string | undefined {
  if (support === 'required') return 'A call always runs as a task: it continues if you close this tab.';
  return support === 'optional' ? 'A call may continue as a task.' : undefined;
}

function appSentence(tool: Tool): string | undefined {
  if (!isForModels(tool)) return 'Only apps of its server can use it, not models.';
  return appUriOf(tool) === undefined ? undefined : 'It has an app, which shows its results beside this tab.';
}

function omissions(tool: Tool | undefined): readonly string[] {
  if (tool?.omittedSchemas?.includes('inputSchema') !== true) return [];
  return ['Its input schema is too large to be shown. Write the arguments as JSON; they are not checked.'];
}
