import { toJsonText } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { truncateWithCount, formatCount } from '../../base/truncate.ts';
import { writeJsonInPieces } from '../../base/jsonPreview.ts';
import { escapeHidden, visibleText } from '../../base/visibleText.ts';
import type { Caller, CallingApp, ProposedCall } from '../../client/toolCalls/ports.ts';
import type { Tool, ToolArguments } from '../../protocol/mcp/tools.ts';
import { toolDisplayName } from '../../protocol/mcp/displayName.ts';
import { singleLine } from '../platform/displayText.ts';

/** Lines of the dialog for the arguments. A modal dialog has no scrollbar. */
const argumentLines = 12;

/**
 * The question about a call whose arguments the person has not seen: who asks for it, the hints and limits of the tool, and as much
 * of the arguments as fits.
 */
export function callQuestion(call: ProposedCall) {
  const paragraphs = [...aboutCall(call), argumentsParagraph(call.args)];
  return { message: `Call the ${describeTool(call)}?`, detail: paragraphs.filter((text) => text !== '').join('\n\n') };
}

/** Who calls, and what the person should know: a paragraph each. */
export function aboutCall(call: ProposedCall): readonly string[] {
  return [callerText(call), ...callWarnings(call)].filter((text) => text !== '');
}

/** The question whether an app may go on calling a tool: it is about all arguments, so it shows none. */
export function alwaysQuestion(call: ProposedCall, app: CallingApp) {
  return {
    message: `Let the app “${displayName(app.title)}” call the ${describeTool(call)} without a question from now on?`,
    detail: [
      ...callWarnings(call),
      'This is for this app only, with any arguments and as often as it wants, until the server or the tool changes. You can revoke it in the Approvals view.',
    ],
  };
}

/** What the person should know before they answer, in one or two sentences each. */
function callWarnings({ tool, sameNameCount, unchecked }: ProposedCall): readonly string[] {
  return [
    ...(tool === undefined ? [] : [describeToolHints(tool)]),
    ...(sameNameCount > 1
      ? [`The server lists ${formatCount(sameNameCount)} tools with this name and decides which one it calls.`]
      : []),
    ...(unchecked === undefined ? [] : [`The arguments are not checked: ${singleLine(unchecked, 200)}.`]),
  ];
}

/** `tool “add_note” of “demo”`. Names the tool as the call does; its title can be any text and follows in parentheses. */
export function describeTool({ name, tool, server }: Pick<ProposedCall, 'name' | 'tool' | 'server'>): string {
  const title = tool === undefined ? name : toolDisplayName(tool);
  const aside = title === name ? '' : ` (${displayName(title)})`;
  return `tool “${displayName(name)}”${aside} of “${displayName(server)}”`;
}

function displayName(text: string): string {
  return singleLine(visibleText(text), 60);
}

const callerTexts: Readonly<Record<Caller, string>> = {
  form: '',
  again: 'You asked to call it again.',
  test: 'You run its saved calls as tests.',
  command: 'The command “patchbay.callTool” wants to call it: a keyboard shortcut, or another extension.',
  extension: 'Another extension wants to call it. VS Code does not say which one.',
  app: '',
  program: '',
};

function callerText({ caller, app, server }: ProposedCall): string {
  if (app === undefined) return callerTexts[caller];
  return `The app “${displayName(app.title)}” of “${displayName(server)}” wants to call it. Its address is ${displayName(app.uri)}.`;
}

/** The complete arguments if they fit, otherwise their beginning. */
function argumentsParagraph(args: ToolArguments): string {
  if (Object.keys(args).length === 0) return 'Arguments: none';
  const { columns } = limits.trustQuestion;
  const text = escapeHidden(toJsonText(args, argumentLines * columns));
  const [whole] = writeJsonInPieces(args);
  const lines = escapeHidden(whole ?? '').split('\n');
  const needed = lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / columns)), 0);
  if (needed <= argumentLines) return ['Arguments:', ...lines.map((line) => `    ${line}`)].join('\n');
  return `Arguments (the beginning; Show Arguments shows all):\n    ${singleLine(text, 6 * columns)}`;
}

/** The complete arguments as a document. Hidden characters are shown as JSON escapes. */
export function argumentsDocument(args: ToolArguments): string {
  let text = '';
  for (const piece of writeJsonInPieces(args)) {
    text += piece;
    if (text.length > limits.shown.document) break;
  }
  return `${escapeHidden(truncateWithCount(text, limits.shown.document))}\n`;
}

/**
 * Describes the hints in the annotations of a tool, as sentences, with the defaults of the specification for absent hints (2025-03-26,
 * Server Features / Tools).
 */
export function describeToolHints({ annotations = {} }: Tool): string {
  if (annotations.readOnlyHint === true) return 'According to its server, the tool changes nothing.';
  const others = annotations.openWorldHint === false ? [] : ['contact other systems'];
  const repeated = annotations.idempotentHint === true ? ' and is safe to repeat' : '';
  if (annotations.destructiveHint === false)
    return [
      `According to its server, the tool only adds data${repeated}.`,
      ...others.map((may) => `It may ${may}.`),
    ].join(' ');
  const may = `The tool may ${['delete or change data', ...others].join(' and ')}.`;
  return repeated === '' ? may : `${may} According to its server, it is safe to repeat.`;
}
