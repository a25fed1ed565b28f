import { isPatchbayError } from '../base/errors.ts';
import { isRecord, type JsonObject, type JsonValue, parseJson, toJsonText } from '../base/json.ts';
import { JsonRpcError } from '../protocol/jsonRpc.ts';
import type { ContentBlock } from '../protocol/mcp/content.ts';
import type { CallToolResult, Tool } from '../protocol/mcp/tools.ts';
import type { Invocation, Options } from './arguments.ts';
import { exitCodes, UsageError } from './exitCodes.ts';
import { safeName, safeText } from './reports/shownText.ts';
import type { Output } from './output.ts';
import { jsonLine } from './reports/jsonReport.ts';
import { writeLines } from './writeReport.ts';
import { openServers } from './serverHost.ts';
import { startServer } from './startServer.ts';
import { findTargets, type Surroundings } from './targets.ts';

/** Names of tools in a line. */
const maximumNames = 20;

export async function callCommand(
  invocation: Invocation,
  surroundings: Surroundings,
  signal: AbortSignal,
): Promise<number> {
  const { positionals, options } = invocation;
  const { output } = surroundings;
  const name = positionals.tool ?? '';
  const given = givenArguments(options);
  const [target] = await findTargets(invocation, surroundings);
  if (target === undefined) return exitCodes.usage;
  await using host = openServers([target], output);
  const server = await startServer(host, target, output, signal);
  if (typeof server === 'number') return server;
  const tool = server.contents.tools.find((each) => each.name === name);
  const args = given ?? argumentsOf(options.args, tool);
  const help = (): void => {
    const hint = hintFor(name, server.contents.tools, output);
    if (hint !== undefined) output.note(host.redactor.text(hint));
  };
  try {
    const onProgress = ({ message }: { readonly message?: string | undefined }): void => {
      if (output.isVerbose && message !== undefined) output.note(safeText(message));
    };
    const result = await server.callTool(name, args, { caller: 'program', signal, onProgress });
    const lines =
      options.format === 'json'
        ? [jsonLine({ type: 'callResult', server: target.label, tool: name, result })]
        : resultLines(result);
    await writeLines(lines, options, output);
    if (!result.isError) return exitCodes.fine;
    help();
    return exitCodes.findings;
  } catch (error) {
    if (signal.aborted || error instanceof UsageError) throw error;
    output.note(host.describe(error));
    if (isPatchbayError(error, 'invalidArguments')) return exitCodes.usage;
    if (error instanceof JsonRpcError) help();
    const isAnswer = error instanceof JsonRpcError || isPatchbayError(error, 'invalidResult', 'invalidMessage');
    return isAnswer ? exitCodes.findings : exitCodes.unreachable;
  }
}

/** What may help where a tool has reported an error. */
function hintFor(name: string, tools: readonly Tool[], { isVerbose }: Output): string | undefined {
  if (tools.every((tool) => tool.name !== name)) {
    const shown = tools.slice(0, maximumNames).map((tool) => `"${safeName(tool.name)}"`);
    const others = tools.length > shown.length ? `, and ${tools.length - shown.length} more` : '';
    return `The server lists no tool "${safeName(name)}". It lists ${shown.length === 0 ? 'none' : shown.join(', ')}${others}.`;
  }
  return isVerbose ? undefined : 'The log of the server may say more: --verbose prints it.';
}

/** The arguments of `--json`. @throws {UsageError} */
function givenArguments({ json, args }: Options): JsonObject | undefined {
  if (json === undefined) return undefined;
  if (args.length > 0) throw new UsageError('Use either --arg or --json.');
  const value = parseJson(json);
  if (!isRecord(value)) throw new UsageError('"--json" needs a JSON object, such as {"text": "hello"}.');
  return value as JsonObject;
}

/** Text where the schema of the tool asks for text, otherwise JSON where it is valid JSON. */
function argumentsOf(pairs: Options['args'], tool: Pick<Tool, 'inputSchema'> | undefined): JsonObject {
  const properties = tool?.inputSchema['properties'];
  const entries = pairs.map(([name, text]): [string, JsonValue] => {
    const schema = isRecord(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
    const value = isText(schema) ? undefined : parseJson(text);
    return [name, value === undefined ? text : (value as JsonValue)];
  });
  return Object.fromEntries(entries);
}

function isText(schema: unknown): boolean {
  const type = isRecord(schema) ? schema['type'] : undefined;
  return type === 'string' || (Array.isArray(type) && type.includes('string'));
}

function resultLines({ content, structuredContent, isError }: CallToolResult): readonly string[] {
  const blocks = content.map(blockText);
  // Servers repeat it as text, for older clients.
  const structured = structuredContent === undefined ? '' : toJsonText(structuredContent);
  const isRepeated = blocks.some((text) => toJsonText(parseJson(text)) === structured);
  const shown = structured === '' || isRepeated ? blocks : [...blocks, structured];
  return [...(isError ? ['The tool reported an error:'] : []), ...shown.map((text) => safeText(text))];
}

function blockText(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'resource':
      return block.resource.text ?? `[resource ${block.resource.uri}]`;
    case 'resource_link':
      return `[resource ${block.uri}]`;
    case 'image':
    case 'audio':
      return `[${block.type} ${block.mimeType}, ${block.data.length} characters of Base64]`;
    case 'unknown':
      return toJsonText(block.original);
  }
}
