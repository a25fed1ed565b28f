import type { CallToolResult } from '../../protocol/mcp/tools.ts';
import { copyToClipboard, openInEditor } from '../platform/sendTo.ts';
import type { RunnableAction } from '../results/resultActions.ts';
import { toolResultToMarkdown } from './toolResult.ts';

/** What can be done with any result of a tool. */
export function toolResultActions(result: CallToolResult): RunnableAction[] {
  const editor = (): Promise<void> => openInEditor(toolResultToMarkdown(result));
  const clipboard = (): Promise<void> => copyToClipboard(toolResultToMarkdown(result));
  return [
    { id: 'editor', label: 'Open in Editor', icon: 'go-to-file', run: editor },
    { id: 'clipboard', label: 'Copy', icon: 'copy', run: clipboard },
  ];
}
