import { redactedCopy } from '../client/trace/traceJson.ts';
import { truncateWithEllipsis } from '../base/truncate.ts';
import type { Contents } from '../client/contents.ts';
import type { ManagedServer } from '../client/server/managedServer.ts';
import { analyzeCommandLine } from '../config/commandLineAnalysis.ts';
import { programName } from '../config/programName.ts';
import { isStdio, type StdioServerDefinition } from '../config/serverDefinition.ts';
import type { PromptArgument } from '../protocol/mcp/prompts.ts';
import type { JsonSchema } from '../protocol/mcp/tools.ts';
import { listIn, membersIn } from '../schema/schemaNode.ts';
import type { Invocation } from './arguments.ts';
import { exitCodes } from './exitCodes.ts';
import { type FoundServer, loadServers } from './loadServers.ts';
import { safeName, safeText } from './reports/shownText.ts';
import { jsonLine } from './reports/jsonReport.ts';
import { writeLines } from './writeReport.ts';
import { openServers } from './serverHost.ts';
import { startServer } from './startServer.ts';
import { findTargets, type Surroundings } from './targets.ts';

const descriptionLength = 200;
/** Names of arguments in a line. */
const maximumArguments = 20;

export async function listCommand(
  invocation: Invocation,
  surroundings: Surroundings,
  signal: AbortSignal,
): Promise<number> {
  const { direct, positionals, options } = invocation;
  const { output } = surroundings;
  const isJson = options.format === 'json';
  if (direct === undefined && positionals.server === undefined) {
    const found = await loadServers(surroundings.cwd, options.config);
    for (const problem of found.problems) output.note(problem);
    if (found.servers.length === 0) output.note('There are no servers in the configuration files of this folder.');
    await writeLines(found.servers.map(isJson ? configuredJson : configuredLine), options, output);
    return exitCodes.fine;
  }
  const [target] = await findTargets(invocation, surroundings);
  if (target === undefined) return exitCodes.usage;
  await using host = openServers([target], output);
  const server = await startServer(host, target, output, signal);
  if (typeof server === 'number') return server;
  // Without the secrets that the server was started with.
  const offered = redactedCopy(offeredBy(server), host.redactor, Infinity) as unknown as Offered;
  const lines = isJson ? [jsonLine(offeredJson(offered))] : offeredLines(offered);
  await writeLines(lines, options, output);
  return exitCodes.fine;
}

function configuredLine({ server: { label, definition, source, shadows } }: FoundServer): string {
  const what = isStdio(definition) ? programOf(definition) : definition.url.replace(/[?#].*$/s, '');
  const others = shadows.length === 0 ? '' : `; not used: ${shadows.map(({ title }) => title).join(', ')}`;
  return safeName(`${label}  ${what}  (${source.title}${others})`);
}

/** What runs. Options, other arguments, and parameters of addresses may be secrets. */
function programOf({ command, args = [] }: StdioServerDefinition): string {
  const { name, isInline, packages } = analyzeCommandLine([command, ...args]);
  if (isInline || packages.some(({ isFromAddress }) => isFromAddress)) return command;
  // Its whole path: there may be several of that name.
  const program = `${programName(command)} `;
  return name.startsWith(program) ? `${command} ${name.slice(program.length)}` : name;
}

function configuredJson({ server: { label, definition, shadows }, place }: FoundServer): string {
  const transport = isStdio(definition) ? 'stdio' : (definition.type ?? 'http');
  return jsonLine({ type: 'server', server: label, transport, place, shadows: shadows.map(({ title }) => title) });
}

const titles = {
  tools: 'Tools',
  prompts: 'Prompts',
  resources: 'Resources',
  resourceTemplates: 'Resource templates',
  skills: 'Skills',
} as const satisfies Record<keyof Contents, string>;

const kinds = Object.keys(titles) as readonly (keyof Contents)[];

interface Offered extends Pick<ManagedServer, 'label' | 'contents' | 'session'> {
  readonly failures: readonly { readonly list: keyof Contents; readonly message: string }[];
}

function offeredBy(server: ManagedServer): Offered {
  const { label, contents, session } = server;
  const failures = kinds.flatMap((list) => {
    const { failure } = server.listState(list);
    return failure === undefined ? [] : [{ list, message: failure }];
  });
  return { label, contents, session, failures };
}

function offeredLines({ label, contents, session, failures }: Offered): readonly string[] {
  const lines = [`${safeName(label)}: ${describeSession(session)}`];
  for (const kind of kinds) {
    const failure = failures.find(({ list }) => list === kind);
    const entries = contents[kind];
    if (failure !== undefined) lines.push(`${titles[kind]} could not be read: ${safeText(failure.message)}`);
    if (entries.length === 0) continue;
    lines.push(`${titles[kind]} (${entries.length})`, ...entries.flatMap(entryLines));
  }
  return lines;
}

function describeSession(session: ManagedServer['session']): string {
  if (session === undefined) return 'not running';
  const { server, protocolVersion, transport } = session;
  return `${safeName(`${server.name} ${server.version}`.trim())}, ${safeName(protocolVersion)} over ${transport}`;
}

interface Entry {
  readonly name: string;
  readonly uri?: string;
  readonly uriTemplate?: string;
  readonly description?: string | undefined;
  /** Of a tool. */
  readonly inputSchema?: JsonSchema;
  /** Of a prompt. */
  readonly arguments?: readonly PromptArgument[] | undefined;
}

function entryLines(entry: object): readonly string[] {
  const { name, uri, uriTemplate, description } = entry as Entry;
  const key = uri ?? uriTemplate ?? name;
  const [line = ''] = (description ?? '').trim().split('\n');
  const words = argumentWords(entry as Entry);
  return [
    `  ${safeName(key)}${line === '' ? '' : `  ${safeName(safeText(line, descriptionLength))}`}`,
    ...(words.length === 0 ? [] : [`      ${safeName(words.join(', '))}`]),
  ];
}

/** The names of the arguments, with a star at those that must be given: the first of them. */
function argumentWords({ inputSchema = {}, arguments: ofPrompt = [] }: Entry): readonly string[] {
  const needed = new Set(listIn(inputSchema, 'required'));
  const ofTool = membersIn(inputSchema, 'properties').map(([name]) => ({ name, required: needed.has(name) }));
  const all = [...ofTool, ...ofPrompt];
  const shown = all
    .slice(0, maximumArguments)
    .map(({ name, required }) => `${truncateWithEllipsis(name, 60)}${required === true ? '*' : ''}`);
  return all.length > shown.length ? [...shown, `… ${all.length - shown.length} more`] : shown;
}

function offeredJson({ session, contents, label, failures }: Offered): object {
  const { protocolVersion, transport, capabilities, instructions, server: implementation } = session ?? {};
  const about = { protocolVersion, transport, capabilities, instructions, implementation };
  return { type: 'contents', server: label, ...about, ...contents, failures };
}
