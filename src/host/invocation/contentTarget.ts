import { workspace } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { PatchbayError } from '../../base/errors.ts';
import { isRecord, isString } from '../../base/json.ts';
import { type ContentKind, type Contents, type DefinedKind, definitionsOf } from '../../client/contents.ts';
import type { Tool } from '../../protocol/mcp/tools.ts';
import type { HostServer, ServerRegistry } from '../servers/serverRegistry.ts';
import { withCallProgress } from './callProgress.ts';

/** One item of a server: a tool or prompt by name, a resource or skill by URI, a template by its text. */
export interface ContentTarget {
  readonly server: string;
  readonly name: string;
}

/**
 * Reads a command's argument: a row of the servers view, or `{ server, [key] }` as a keybinding writes it.
 * @returns `undefined` if there is no argument, or none with this key
 * @throws {PatchbayError} `invalidArguments` for a key without a server, or of the wrong type
 */
export function readContentTarget(
  argument: unknown,
  key: 'prompt' | 'skill' | 'tool' | 'uri' | 'uriTemplate',
): ContentTarget | undefined {
  if (!isRecord(argument) || argument[key] === undefined) return undefined;
  const { server, [key]: name } = argument;
  if (isString(server) && isString(name)) return { server, name };
  throw new PatchbayError('invalidArguments', `The command's argument must have the texts "server" and "${key}".`);
}

/**
 * Which of several tools of one name the argument of a command means: that of a row or of a list, the one at `occurrence`, or the first.
 * @returns the index among the tools of that name
 */
export function readOccurrence(argument: unknown, contents: Contents, name: string): number {
  const { item, occurrence } = isRecord(argument) ? argument : {};
  // A row has the listed tool itself. It counts only the rows that a filter has left.
  const index = definitionsOf(contents, 'tools', name).indexOf(item as Tool);
  if (index >= 0) return index;
  return Number.isSafeInteger(occurrence) ? Number(occurrence) : 0;
}

/** The listed tool of this name: among several the one at `occurrence`, otherwise the first. */
export function findTool(contents: Contents, name: string, occurrence: number): Tool | undefined {
  const namesakes = definitionsOf(contents, 'tools', name) as readonly Tool[];
  return namesakes[occurrence] ?? namesakes[0];
}

/** Keywords that name no argument and rule none out. */
const silentKeywords = ['$schema', '$id', '$comment', 'title', 'description', 'type', 'properties', 'required'];

/** True if the schema of a tool names no argument: it can be called without asking for any. */
export function takesNothing({ inputSchema, omittedSchemas = [] }: Tool): boolean {
  const { additionalProperties, ...schema } = inputSchema;
  const isEmpty = (value: unknown = {}): boolean => Object.keys(value ?? {}).length === 0;
  return (
    !omittedSchemas.includes('inputSchema') &&
    !isRecord(additionalProperties) &&
    Object.keys(schema).every((keyword) => silentKeywords.includes(keyword)) &&
    isEmpty(schema['properties']) &&
    isEmpty(schema['required'])
  );
}

/** @throws {PatchbayError} `notFound` if no server has this label */
export function findServer(registry: Pick<ServerRegistry, 'servers' | 'get'>, label: string): HostServer {
  const found = registry.get(label);
  if (found !== undefined) return found;
  const known = registry.servers.map((server) => `"${server.label}"`).join(', ');
  const hint = known === '' ? 'None is.' : `Configured are ${known}.`;
  throw new PatchbayError('notFound', `No server "${label}" is configured. ${hint}`);
}

/**
 * Why an editor that reads a document by itself cannot ask the server: no person is behind that, so it starts nothing, and in
 * Restricted Mode it reads nothing.
 * @returns a sentence that says what to do; `undefined` where the server can be asked
 */
export function whyUnreadable(host: Pick<HostServer, 'label' | 'server'> | undefined): string | undefined {
  if (host === undefined) return 'Its server is no longer configured.';
  if (!workspace.isTrusted)
    return 'Nothing is read in Restricted Mode. Trust this workspace, or open the document from the sidebar.';
  return host.server.state.kind === 'running' ? undefined : `Start "${host.label}" to read this document.`;
}

/**
 * Starts a server for a person if it does not run, and waits for one of its lists, with a notification that can cancel.
 * @param list the only list to wait for
 * @throws what starting throws; cancellation
 */
export async function ensureListed(hostServer: HostServer, list: ContentKind, clock: Clock): Promise<void> {
  const { server, label } = hostServer;
  const isRunning = server.state.kind === 'running';
  if (isRunning && !server.listState(list).isLoading) return;
  const title = isRunning ? `Waiting for the lists of ${label}` : `Starting ${label}`;
  await withCallProgress({ title, clock }, (signal) => hostServer.start('person', signal, list));
}

/**
 * Prepares the use of an item by a person: the server runs, its list is read, and a changed definition is agreed to.
 * @param name of the item, as in {@link ContentTarget}
 * @param identity of the server that the use is meant for, see {@link checkIdentity}; any if absent
 * @throws {PatchbayError} `declined`, `notFound`; what starting throws; cancellation
 */
export async function prepareUse(
  host: HostServer,
  kind: DefinedKind,
  name: string,
  clock: Clock,
  identity?: string,
): Promise<void> {
  const check = (): void => {
    if (identity !== undefined) checkIdentity(host, identity);
  };
  check();
  await ensureListed(host, kind, clock);
  // What was launched is known only now; while the person is asked, it may be replaced.
  check();
  await host.server.preflight(kind, name, { origin: 'person' });
  check();
}

/**
 * Refuses to use what belongs to one server with another that has its label now.
 * @param identity of the server that it belongs to: see `Server.identity`
 * @throws {PatchbayError} `notFound`
 */
export function checkIdentity({ label, server }: HostServer, identity: string): void {
  if (server.identity !== identity) throw new PatchbayError('notFound', changedDefinition(label));
}

/** Says that what is open belongs to another server than the one that has its label now. */
export function changedDefinition(label: string): string {
  return `The definition of "${label}" has changed since this was opened. What belongs to the earlier definition is kept, but not used with this one.`;
}
