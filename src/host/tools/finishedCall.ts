import type { CallToolResult, Tool, ToolArguments } from '../../protocol/mcp/tools.ts';
import { toolDisplayName } from '../../protocol/mcp/displayName.ts';
import { type AskModel, askModelAction, type ModelSubject, toolContent } from '../invocation/modelQuestion.ts';
import type { AppPresenter } from '../apps/presentApp.ts';
import { singleLine } from '../platform/displayText.ts';
import { textActions } from '../results/resultActions.ts';
import type { ResultDocument, RunnableAction } from '../results/resultDocument.ts';
import type { HostServer } from '../servers/serverRegistry.ts';
import { toolResultToMarkdown } from '../results/contentMarkdown.ts';
import type { CheckedResult } from './toolResult.ts';

/** A call that gave a result. */
export interface FinishedCall extends CheckedResult {
  /** Milliseconds from the request to the result. */
  readonly durationMs: number;
  readonly host: HostServer;
  /** Who the server was when it was called: see `Server.identity`. */
  readonly identity: string;
  readonly tool: Tool;
  readonly args: ToolArguments;
  /** Its id in the history, if it is kept there. */
  readonly kept: Promise<string | undefined>;
}

/** The buttons above the result of any call. */
export function actionsOfResult(
  { host, identity, tool, args, result, kept }: FinishedCall,
  { askModel, apps }: { readonly askModel: AskModel; readonly apps: AppPresenter },
): RunnableAction[] {
  const call = { server: host.label, identity, occurrence: 0, tool, args };
  const openApp = { id: 'app', label: 'Open App', icon: 'window', run: () => apps.show(call, result, kept) };
  return [
    ...(apps.canShow(tool) ? [openApp] : []),
    ...textActions(() => toolResultToMarkdown(result)),
    askModelAction(askModel, () => toolSubject(host, tool, result)),
  ];
}

/** The result of a call as a panel shows it. */
export function toResultDocument(call: FinishedCall, actions: readonly RunnableAction[]): ResultDocument {
  const { host, identity, tool, args, result, durationMs, warnings, differences } = call;
  return {
    key: JSON.stringify(['tool', host.label, tool.name]),
    title: singleLine(toolDisplayName(tool), 60),
    server: host.label,
    result: { kind: 'tool', result },
    texts: { identity, kind: 'tool', name: tool.name },
    call: { args, durationMs },
    notices: warnings,
    differences,
    actions,
    resourcesOf: identity,
  };
}

function toolSubject(host: HostServer, tool: Tool, result: CallToolResult): ModelSubject {
  return {
    server: host.label,
    title: singleLine(toolDisplayName(tool), 60),
    about: `result of the tool ${tool.name}`,
    messages: toolContent(result),
    needsQuestion: true,
  };
}
