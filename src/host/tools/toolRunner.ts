import type { Clock } from '../../base/clock.ts';
import { PatchbayError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { Caller } from '../../client/toolCalls/ports.ts';
import type { SchemaValidator } from '../../client/validation/schemaValidator.ts';
import type { CallToolResult, Tool, ToolArguments } from '../../protocol/mcp/tools.ts';
import { toolDisplayName } from '../../protocol/mcp/displayName.ts';
import { singleLine } from '../platform/displayText.ts';
import { askArguments } from '../arguments/askArguments.ts';
import { withCallProgress } from '../invocation/callProgress.ts';
import { contentKey } from '../invocation/contentPicker.ts';
import { type ContentTarget, findServer } from '../invocation/contentTarget.ts';
import type { RecentItems } from '../invocation/recentItems.ts';
import { ensureListed } from '../invocation/ensureRunning.ts';
import { textActions } from '../results/resultActions.ts';
import type { ResultDocument, RunnableAction } from '../results/resultDocument.ts';
import type { HostServer, ServerRegistry } from '../servers/serverRegistry.ts';
import type { ArgumentEditors } from './argumentEditors.ts';
import { addWarnings, type CheckedResult, toolResultToMarkdown } from './toolResult.ts';
import { toArguments, toolFields } from './toolFields.ts';
import { toArgumentFields } from './toolForm.ts';

export interface ToolRunnerOptions {
  readonly registry: ServerRegistry;
  readonly show: (document: ResultDocument) => void;
  readonly recent: RecentItems;
  readonly editors: ArgumentEditors;
  readonly validator: SchemaValidator;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A call that somebody wants. */
export interface WantedCall {
  readonly target: ContentTarget;
  readonly caller: Extract<Caller, 'form' | 'again' | 'command'>;
  /** Asked for where they are not given. */
  readonly args?: ToolArguments | undefined;
  /** The definition the arguments were written for. */
  readonly tool?: Tool;
  /** Which one of those of that name is meant, where the definition is still to be found: 0 for the first. */
  readonly occurrence?: number;
}

/** A finished call. */
interface FinishedCall extends CheckedResult {
  /** Milliseconds from the request to the result. */
  readonly durationMs: number;
  readonly host: HostServer;
  readonly tool: Tool;
  readonly args: ToolArguments;
}

/**
 * Calls a tool from start to finish: starts its server, has the arguments filled in where they are not given, calls, shows
 * the result.
 * @returns the result; `undefined` where the arguments are now being written in an editor
 */
export type RunTool = (wanted: WantedCall) => Promise<CallToolResult | undefined>;

export function createToolRunner(options: ToolRunnerOptions): RunTool {
  const { registry, show, recent, editors, clock } = options;
  const run: RunTool = async (wanted) => {
    const { target, caller } = wanted;
    const host = findServer(registry, target.server);
    await ensureListed(host, 'tools', clock);
    // Before arguments are asked for by a schema that nobody agreed to.
    await host.server.preflight('tools', target.name, { origin: 'person' });
    const tool = wanted.tool ?? findTool(host, target.name, wanted.occurrence);
    recent.touch(contentKey(target.server, target.name));
    const args = wanted.args ?? (await askForArguments(host, tool, options));
    if (args === undefined) return undefined;
    const finished = await callTool({ host, tool, args, caller }, clock);
    const again = async (): Promise<void> => void (await run({ target, caller: 'again', tool, args }));
    show(toDocument(finished, actionsFor(finished, editors, again)));
    return finished.result;
  };
  return run;
}

async function callTool(
  { host, tool, args, caller }: Pick<FinishedCall, 'host' | 'tool' | 'args'> & Pick<WantedCall, 'caller'>,
  clock: Clock,
): Promise<FinishedCall> {
  const title = `Calling ${toolDisplayName(tool)}`;
  let startedAt = clock.now();
  const checked = await addWarnings((onNote) =>
    withCallProgress({ title, clock, asksFirst: true }, (signal, onProgress, begin) => {
      const onSend = (): void => {
        startedAt = clock.now();
        begin();
      };
      return host.server.callTool(tool.name, args, { caller, tool, signal, onProgress, onSend, onNote });
    }),
  );
  return { host, tool, args, durationMs: clock.now() - startedAt, ...checked };
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
  { host, tool, args, result }: FinishedCall,
  editors: ArgumentEditors,
  again: () => Promise<void>,
): RunnableAction[] {
  return [
    ...textActions(() => toolResultToMarkdown(result)),
    { id: 'editArguments', label: 'Edit Arguments', icon: 'edit', run: () => editors.open(host.label, tool, args) },
    { id: 'callAgain', label: 'Call Again', icon: 'refresh', run: again },
  ];
}

function toDocument(call: FinishedCall, actions: readonly RunnableAction[]): ResultDocument {
  const { host, tool, args, result, durationMs, warnings } = call;
  return {
    key: JSON.stringify(['tool', host.label, tool.name]),
    title: singleLine(toolDisplayName(tool), 60),
    server: host.label,
    result: { kind: 'tool', result },
    call: { args, durationMs },
    notices: warnings,
    actions,
    opensResources: true,
  };
}

/** @throws {PatchbayError} `notFound` */
function findTool({ label, server }: HostServer, name: string, occurrence = 0): Tool {
  const namesakes = server.contents.tools.filter((candidate) => candidate.name === name);
  const tool = namesakes[occurrence] ?? namesakes[0];
  if (tool !== undefined) return tool;
  throw new PatchbayError('notFound', `The server "${label}" does not offer a tool "${name}".`);
}
