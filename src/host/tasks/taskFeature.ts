import { window } from 'vscode';
import { CancelledError, PatchbayError } from '../../base/errors.ts';
import { isRecord, isString } from '../../base/json.ts';
import { hasTaskEnded, type ServerTask } from '../../client/tasks/serverTask.ts';
import type { CallToolResult } from '../../protocol/mcp/tools.ts';
import { CommandIds } from '../commandIds.ts';
import { escapeIcons, singleLine } from '../platform/displayText.ts';
import { findServer } from '../invocation/contentTarget.ts';
import type { AskModel } from '../invocation/modelQuestion.ts';
import type { ResultDocument } from '../results/resultDocument.ts';
import { toThemeIcon } from '../platform/themeIcon.ts';
import type { HostServer, ServerRegistry } from '../servers/serverRegistry.ts';
import { collectFindings, toToolDocument } from '../tools/toolOutcome.ts';
import { describeTask, taskIcon } from './taskText.ts';

export interface TaskFeatureOptions {
  readonly registry: ServerRegistry;
  readonly show: (document: ResultDocument) => void;
  readonly askModel: AskModel;
}

/**
 * The commands about tasks, loaded with the first of them. Arguments come unchecked from VS Code: a row of the tree,
 * `{ server, task }` or nothing.
 */
export function createTaskCommands({ registry, show, askModel }: TaskFeatureOptions) {
  return {
    async [CommandIds.cancelTask](argument: unknown): Promise<void> {
      const texts = ['Cancel which task?', 'No task is running.'] as const;
      const { host, task } = await choose(argument, registry, texts, ({ state }) => !hasTaskEnded(state));
      await host.server.cancelTask(task.id);
    },
    /** Waits for the result if the task still runs. @returns the server's result */
    async [CommandIds.showTaskResult](argument: unknown): Promise<CallToolResult> {
      const texts = ['Show the result of which task?', 'No task has a result to show.'] as const;
      const { host, task } = await choose(argument, registry, texts, ({ state }) => hasTaskEnded(state));
      const findings = collectFindings();
      const result = await host.server.taskResult(task.id, findings);
      const definition = host.server.contents.tools.find(({ name }) => name === task.tool);
      const { identity } = host.server;
      const subject = { server: host.label, identity, tool: task.tool, definition };
      show({
        ...toToolDocument(subject, result, findings, askModel),
        key: JSON.stringify(['task', host.label, task.id]),
        resourcesOf: identity,
      });
      return result;
    },
    async [CommandIds.dismissTask](argument: unknown): Promise<void> {
      const texts = ['Dismiss which task?', 'There is no task to dismiss.'] as const;
      const { host, task } = await choose(argument, registry, texts, () => true);
      host.server.forgetTask(task.id);
    },
  };
}

/**
 * The task of a command: from its argument, or chosen by the person.
 * @throws {PatchbayError} `notFound`
 * @throws {CancelledError} if there is no task, or none was chosen
 */
async function choose(
  argument: unknown,
  registry: ServerRegistry,
  [placeHolder, whenNone]: readonly [string, string],
  isApplicable: (task: ServerTask) => boolean,
): Promise<{ readonly host: HostServer; readonly task: ServerTask }> {
  if (isRecord(argument) && isString(argument['server']) && isString(argument['task'])) {
    const host = findServer(registry, argument['server']);
    const task = host.server.tasks.find(({ id }) => id === argument['task']);
    if (task !== undefined) return { host, task };
    throw new PatchbayError('notFound', `The server "${host.label}" no longer has this task.`);
  }
  const choices = registry.servers.flatMap((host) =>
    host.server.tasks.filter(isApplicable).map((task) => ({
      label: escapeIcons(singleLine(task.tool)),
      description: escapeIcons(`${singleLine(host.label)} · ${describeTask(task)}`),
      iconPath: toThemeIcon(taskIcon(task.state)),
      host,
      task,
    })),
  );
  if (choices.length === 0) void window.showInformationMessage(whenNone);
  const picked = choices.length === 0 ? undefined : await window.showQuickPick(choices, { placeHolder });
  if (picked === undefined) throw new CancelledError('No task was chosen');
  return picked;
}
