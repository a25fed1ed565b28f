import { commands } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { PatchbayError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { SchemaValidator } from '../../client/validation/schemaValidator.ts';
import type { CallToolResult, Tool, ToolArguments } from '../../protocol/mcp/tools.ts';
import { toolDisplayName } from '../../protocol/mcp/displayName.ts';
import { CommandIds } from '../commands/commandIds.ts';
import { singleLine } from '../displayText.ts';
import { askArguments } from '../input/askArguments.ts';
import { contentKey } from '../input/contentRows.ts';
import { type ContentTarget, findServer } from '../input/contentTarget.ts';
import type { RecentItems } from '../input/recentItems.ts';
import { startServer } from '../input/startServer.ts';
import type { ResultDocument } from '../panels/resultDocument.ts';
import { handleActions, type RunnableAction } from '../results/resultActions.ts';
import { showError } from '../results/showError.ts';
import type { HostServer, ServerRegistry } from '../serverRegistry.ts';
import type { ArgumentEditors } from './argumentEditors.ts';
import type { CallTool, ToolCall } from './toolCaller.ts';
import { toArguments, toolFields } from './toolFields.ts';
import { toArgumentFields } from './toolForm.ts';
import { toolResultActions } from './toolResultActions.ts';

export interface ToolRunnerOptions {
  readonly registry: ServerRegistry;
  readonly show: (document: ResultDocument) => void;
  readonly recent: RecentItems;
  readonly editors: ArgumentEditors;
  readonly validator: SchemaValidator;
  readonly call: CallTool;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Calls a tool from start to finish: starts its server, has the arguments filled in where they are not given, calls, shows
 * the result.
 * @returns the result; `undefined` where the arguments are now being written in an editor
 */
export type RunTool = (target: ContentTarget, args: ToolArguments | undefined) => Promise<CallToolResult | undefined>;

export function createToolRunner(options: ToolRunnerOptions): RunTool {
  const { registry, show, recent, editors, call, clock, logger } = options;
  const run: RunTool = async (target, given) => {
    const host = findServer(registry, target.server);
    await startServer(host, 'tools', clock);
    // Before arguments are asked for by a schema that nobody agreed to.
    await host.server.admit('tools', target.name, { origin: 'person' });
    const tool = findTool(host, target.name);
    recent.touch(contentKey(target.server, target.name));
    const args = given ?? (await askForArguments(host, tool, options));
    if (args === undefined) return undefined;
    const finished = await call(host, tool, args);
    const again = async (): Promise<void> => void (await run(target, args));
    show({ ...toDocument(finished), ...handleActions(actionsFor(finished, editors, again), logger, showError) });
    return finished.result;
  };
  return run;
}

async function askForArguments(
  host: HostServer,
  tool: Tool,
  { editors, validator, clock, logger }: ToolRunnerOptions,
): Promise<ToolArguments | undefined> {
  const fields = toolFields(tool.inputSchema);
  if (fields === undefined) {
    await editors.open(host.label, tool);
    return undefined;
  }
  const texts = await askArguments({
    title: toolDisplayName(tool),
    fields: toArgumentFields(host.label, fields, validator),
    clock,
    logger,
  });
  return toArguments(fields, texts);
}

function actionsFor(
  { host, tool, args, result }: ToolCall,
  editors: ArgumentEditors,
  again: () => Promise<void>,
): RunnableAction[] {
  return [
    ...toolResultActions(result),
    { id: 'editArguments', label: 'Edit Arguments', icon: 'edit', run: () => editors.open(host.label, tool, args) },
    { id: 'callAgain', label: 'Call Again', icon: 'refresh', run: again },
  ];
}

function toDocument(call: ToolCall): Omit<ResultDocument, 'actions' | 'onAction'> {
  const { host, tool, args, result, durationMs, warnings } = call;
  return {
    key: JSON.stringify(['tool', host.label, tool.name]),
    title: singleLine(toolDisplayName(tool), 60),
    server: host.label,
    result: { kind: 'tool', result },
    call: { args, durationMs },
    notices: warnings,
    onOpenResource: (uri) => void commands.executeCommand(CommandIds.openResource, { server: host.label, uri }),
  };
}

/** @throws {PatchbayError} `notFound` */
function findTool({ label, server }: HostServer, name: string): Tool {
  const tool = server.contents.tools.find((candidate) => candidate.name === name);
  if (tool !== undefined) return tool;
  throw new PatchbayError('notFound', `The server "${label}" does not offer a tool "${name}".`);
}
