import type { Clock } from '../base/clock.ts';
import { isRecord, isString, isStringRecord, type UnknownRecord } from '../base/json.ts';
import type { RequestHandlerContext } from '../protocol/incomingRequests.ts';
import { ErrorCodes, JsonRpcError } from '../protocol/jsonRpc.ts';
import type { ServerCapabilities } from '../protocol/mcp/lifecycle.ts';
import { basicTools, clientTools, lastTools } from './basicTools.ts';
import { elicitationTools } from './elicitationTools.ts';
import { noteTools } from './notes.ts';
import { prompts } from './prompts.ts';
import { features, listResources, readResource, templates, tickClock } from './resources.ts';
import { createLogoIcons } from './sampleFiles.ts';
import { samplingTools } from './samplingTools.ts';
import { invalidParams, type Method, Session } from './session.ts';
import { type DemoTool, errorResult, ToolInputError, type ToolResult } from './tool.ts';
import { weatherAppTools } from './weatherApp.ts';

const instructions = `# Patchbay Demo

This server shows what the Model Context Protocol can do. It works on **nothing but itself**: notes live in memory, and are
gone when it stops.

${features}
1. Ask before \`remove_note\`: nothing brings a note back.
2. The weather is invented. Say so.
`;

const tools: readonly DemoTool[] = [
  ...basicTools,
  ...samplingTools,
  ...elicitationTools,
  ...clientTools,
  ...noteTools,
  ...weatherAppTools,
  ...lastTools,
];

/** Small, so that every list shows how pagination works. */
const pageSize = 5;

/** The maximum of values in one answer (2025-11-25, Server / Utilities / Completion). */
const maximumValues = 100;

const methods: Readonly<Record<string, Method>> = {
  initialize,
  ping: () => ({}),
  'logging/setLevel'({ level }, session) {
    session.setLogLevel(level);
    return {};
  },
  'tools/list': (params, session) => paginate('tools', listed(tools, session), params),
  'tools/call': callTool,
  'prompts/list': (params, session) => paginate('prompts', listed(prompts, session), params),
  'prompts/get': getPrompt,
  'resources/list': (params, session) => paginate('resources', listResources(session), params),
  'resources/templates/list': (params) => paginate('resourceTemplates', templates, params),
  'resources/read': ({ uri }, session) => ({ contents: readResource(uri, session) }),
  'resources/subscribe'({ uri }, session) {
    readResource(uri, session);
    session.subscribed.add(String(uri));
    return {};
  },
  'resources/unsubscribe'({ uri }, session) {
    session.subscribed.delete(String(uri));
    return {};
  },
  'completion/complete': complete,
};

/**
 * Dispose it when the client has gone.
 * @param write writes one line to the client; the line includes its line break
 * @param reportError reports an error in the server itself, which the client gets as "Internal error", as one line
 */
export function createDemoServer(
  clock: Clock,
  write: (line: string) => void,
  reportError: (text: string) => void,
): Session {
  const session = new Session(clock, write, reportError);
  for (const [name, method] of Object.entries(methods)) session.handle(name, method);
  tickClock(session);
  return session;
}

function initialize(params: UnknownRecord, session: Session): object {
  const protocolVersion = session.begin(params);
  const capabilities: ServerCapabilities = {
    tools: { listChanged: true },
    resources: { subscribe: true, listChanged: true },
    prompts: { listChanged: true },
    logging: {},
    // 2024-11-05 has `completion/complete`, but no capability for it.
    ...(session.isAtLeast('2025-03-26') && { completions: {} }),
  };
  const serverInfo = {
    name: 'patchbay-demo',
    title: 'Patchbay Demo',
    version: '1.0.0',
    description: 'Shows every feature a server can have, without network or files.',
    websiteUrl: 'https://modelcontextprotocol.io/',
    icons: createLogoIcons(),
  };
  return { protocolVersion, capabilities, serverInfo, instructions };
}

interface Listed {
  readonly definition: object;
  readonly isHidden?: boolean;
}

function listed<T extends Listed>(items: readonly T[], { showsHidden }: Session): readonly T[] {
  return items.filter(({ isHidden }) => showsHidden || isHidden !== true);
}

/** One page of a list, as its member `key` (2025-11-25, Server / Utilities / Pagination). */
function paginate(key: string, items: readonly Listed[], { cursor }: UnknownRecord): object {
  const start = cursor === undefined ? '0' : isString(cursor) ? /^from-(\d{1,6})$/.exec(cursor)?.[1] : undefined;
  if (start === undefined) throw invalidParams('unknown cursor.');
  const end = Number(start) + pageSize;
  const page = items.slice(Number(start), end).map(({ definition }) => definition);
  return { [key]: page, ...(end < items.length && { nextCursor: `from-${end}` }) };
}

async function callTool(params: UnknownRecord, session: Session, context: RequestHandlerContext): Promise<ToolResult> {
  const tool = listed(tools, session).find(({ definition }) => definition.name === params['name']);
  if (tool === undefined)
    throw new JsonRpcError(ErrorCodes.invalidParams, `Unknown tool: ${JSON.stringify(params['name'])}`);
  const args = params['arguments'] ?? {};
  if (!isRecord(args)) throw invalidParams('arguments must be an object.');
  const { name } = tool.definition;
  const start = session.clock.now();
  session.log('debug', 'tools', { event: 'started', tool: name, arguments: Object.keys(args) });
  try {
    const result = await tool.run(args, session, context);
    const [level, word] = result.isError === true ? (['warning', 'failed'] as const) : (['info', 'finished'] as const);
    session.log(level, 'tools', `${name} ${word} after ${session.clock.now() - start} ms`);
    return result;
  } catch (error) {
    if (context.signal.aborted) session.log('notice', 'tools', `${name} was cancelled`);
    else session.log('error', 'tools', `${name} failed after ${session.clock.now() - start} ms`);
    if (!(error instanceof ToolInputError)) throw error;
    // A tool error, which a model can correct, since 2025-11-25 (Server / Tools, Error Handling); before, `-32602`.
    if (session.isAtLeast('2025-11-25')) return errorResult(`Invalid arguments: ${error.message}`);
    throw invalidParams(error.message);
  }
}

function getPrompt(params: UnknownRecord, session: Session): object {
  const prompt = listed(prompts, session).find(({ definition }) => definition.name === params['name']);
  if (prompt === undefined) throw invalidParams(`there is no prompt ${JSON.stringify(params['name'])}.`);
  const args = params['arguments'] ?? {};
  if (!isStringRecord(args)) throw invalidParams('arguments must be an object of strings.');
  const { name, arguments: wanted = [] } = prompt.definition;
  const missing = wanted.find((each) => each.required === true && (args[each.name] ?? '') === '');
  if (missing !== undefined) throw invalidParams(`the prompt ${name} needs the argument "${missing.name}".`);
  return prompt.get(args, session);
}

/** Answers with the values of an argument of a prompt or a variable of a template that start with what is typed. */
function complete({ argument, ref, context }: UnknownRecord, session: Session): object {
  if (!isRecord(argument) || !isString(argument['name']) || !isString(argument['value']))
    throw invalidParams('argument needs a name and a value.');
  if (!isRecord(ref)) throw invalidParams('ref must be an object.');
  const { type, name, uri } = ref;
  const found =
    type === 'ref/prompt'
      ? listed(prompts, session).find(({ definition }) => definition.name === name)
      : templates.find(({ definition }) => type === 'ref/resource' && definition.uriTemplate === uri);
  if (found === undefined) throw invalidParams('ref names no prompt or resource template of this server.');
  const { completions = {} } = found;
  const all = Object.hasOwn(completions, argument['name']) ? completions[argument['name']] : undefined;
  const chosen = isRecord(context) ? context['arguments'] : undefined;
  const typed = argument['value'].toLowerCase();
  const values = (all?.(isStringRecord(chosen) ? chosen : {}, session) ?? []).filter((value) =>
    value.toLowerCase().startsWith(typed),
  );
  const [total, hasMore] = [values.length, values.length > maximumValues];
  return { completion: { values: values.slice(0, maximumValues), total, hasMore } };
}
