import { toJsonText } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { truncateWithCount, formatCount } from '../../base/truncate.ts';
import { writeJsonInPieces } from '../../base/jsonPreview.ts';
import { escapeHidden, visibleText } from '../../base/visibleText.ts';
import type { CallAnswer, Caller, ProposedCall } from '../../client/toolCalls/ports.ts';
import type { Tool, ToolArguments } from '../../protocol/mcp/tools.ts';
import { toolDisplayName } from '../../protocol/mcp/displayName.ts';
import { singleLine } from '../platform/displayText.ts';

/** The question before a call, as texts. */
export interface CallQuestion {
  readonly message: string;
  /** Who wants it, what the server says of the tool, what nobody knows, and the arguments as far as they fit. */
  readonly detail: string;
}

/** What of a dialog the arguments may take; it has no scrollbar. */
const argumentLines = 12;

/** The question about a call that a person has not seen before. */
export function callQuestion(call: ProposedCall, offered: readonly CallAnswer[]): CallQuestion {
  const paragraphs = [callers[call.caller], ...callWarnings(call), argumentsParagraph(call.args)];
  if (offered.length > 0)
    paragraphs.push(
      '“Always” holds for every caller, until the server stops or the definition of a tool changes. Manage Approvals… takes it back.',
    );
  return { message: `Call the ${describeTool(call)}?`, detail: paragraphs.filter((text) => text !== '').join('\n\n') };
}

/** What a person should know before they answer, each a sentence or two. */
export function callWarnings({ tool, sameNameCount, unchecked }: ProposedCall): readonly string[] {
  return [
    ...(tool === undefined ? [] : [`The tool ${describeToolHints(tool)}.`]),
    ...(sameNameCount > 1
      ? [
          `The server lists ${formatCount(sameNameCount)} tools of this name and is only told the name: it cannot tell which of them is meant.`,
        ]
      : []),
    ...(unchecked === undefined ? [] : [`The arguments are not checked: ${singleLine(unchecked, 200)}.`]),
  ];
}

/** `tool “add_note” of “demo”`: by the name it is called with. A title, which may be anything, stands beside it. */
export function describeTool({ name, tool, server }: Pick<ProposedCall, 'name' | 'tool' | 'server'>): string {
  const title = tool === undefined ? name : toolDisplayName(tool);
  const aside = title === name ? '' : ` (${shown(title)})`;
  return `tool “${shown(name)}”${aside} of “${shown(server)}”`;
}

function shown(text: string): string {
  return singleLine(visibleText(text), 60);
}

const callers: Readonly<Record<Caller, string>> = {
  form: '',
  again: 'You asked to call it again.',
  command: 'The command “patchbay.callTool” wants to call it: a keybinding, or another extension.',
  extension: 'Another extension wants to call it. VS Code does not tell which one.',
  program: '',
};

/** All of them where they fit, otherwise how they begin. */
function argumentsParagraph(args: ToolArguments): string {
  if (Object.keys(args).length === 0) return 'Arguments: none';
  const { columns } = limits.trustQuestion;
  const text = escapeHidden(toJsonText(args, argumentLines * columns));
  const [whole] = writeJsonInPieces(args);
  const lines = escapeHidden(whole ?? '').split('\n');
  const needed = lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / columns)), 0);
  if (needed <= argumentLines) return ['Arguments:', ...lines.map((line) => `    ${line}`)].join('\n');
  return `Arguments, which begin like this and are shown whole by Show Arguments:\n    ${singleLine(text, 6 * columns)}`;
}

/** All arguments as a document. What could not be seen is written as JSON escapes it. */
export function argumentsDocument(args: ToolArguments): string {
  let text = '';
  for (const piece of writeJsonInPieces(args)) {
    text += piece;
    if (text.length > limits.shown.document) break;
  }
  return `${escapeHidden(truncateWithCount(text, limits.shown.document))}\n`;
}

/** What a server says its tool does; absent hints have the defaults of the specification (2025-03-26, tools). */
export function describeToolHints({ annotations = {} }: Tool): string {
  if (annotations.readOnlyHint === true) return 'says it changes nothing';
  const destructive = annotations.destructiveHint === false ? 'says it only adds' : 'may change or destroy things';
  const repeated = annotations.idempotentHint === true ? 'says repeating it does no more' : undefined;
  const open = annotations.openWorldHint === false ? undefined : 'may reach other systems';
  return [destructive, repeated, open].filter((part) => part !== undefined).join(', ');
}
