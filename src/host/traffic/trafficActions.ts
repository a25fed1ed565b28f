import { commands, Selection, TextEditorRevealType, window } from 'vscode';
import { PatchbayError } from '../../base/errors.ts';
import { isRecord, isString, isStringRecord, type JsonObject, type UnknownRecord } from '../../base/json.ts';
import { preciseTime } from '../../base/relativeTime.ts';
import { launchIdentity } from '../../client/connection/launchIdentity.ts';
import { listSources } from '../../client/lists/readList.ts';
import { stringifyExactly } from '../../base/exactIntegers.ts';
import { messagesOf } from '../../client/trace/trafficExport.ts';
import { forgotten } from '../../client/trace/trafficMessage.ts';
import type { TrafficRow } from '../../client/trace/trafficRow.ts';
import { isToolCall } from '../../protocol/mcp/tools.ts';
import type { TrafficAction } from '../../shared/trafficMessages.ts';
import { CommandIds } from '../commandIds.ts';
import { checkIdentity, findServer } from '../invocation/contentTarget.ts';
import { runForPerson } from '../platform/personArguments.ts';
import { singleLine } from '../platform/displayText.ts';
import { copyToClipboard } from '../platform/sendTo.ts';
import type { HostServer, ServerRegistry } from '../servers/serverRegistry.ts';
import type { ServerLogs } from '../servers/serverLogs.ts';
import type { WindowSecrets } from '../servers/windowSecrets.ts';

/** A call of a tool, as the tabs of tools and the history know it. */
export interface CallTarget {
  readonly server: string;
  readonly tool: string;
}

export interface TrafficActionPorts {
  readonly registry: Pick<ServerRegistry, 'servers' | 'get'>;
  readonly knownSecrets: Pick<WindowSecrets, 'plans'>;
  /** Calls a tool from its tab, through the gate for calls. */
  readonly callAgain: (target: CallTarget & { readonly identity: string }, args: JsonObject) => Promise<void>;
  /** Shows the call that a row is of. @returns false where the history does not have it */
  readonly showCall: (position: number) => Promise<boolean>;
  readonly logs: Pick<ServerLogs, 'recent' | 'channel'>;
}

/** What can be done with a row. */
export function actionsOf(
  row: TrafficRow,
  { registry }: Pick<TrafficActionPorts, 'registry'>,
): readonly TrafficAction[] {
  const { source, kind, request, answer } = row;
  const host = source.peer === 'server' ? registry.get(source.label) : undefined;
  const isRunning = host?.server.state.kind === 'running';
  const call = callOf(row);
  const actions: readonly (readonly [TrafficAction, boolean])[] = [
    ['again', isRunning && (call !== undefined || senderOf(row) !== undefined)],
    ['edit', call !== undefined && host !== undefined],
    ['tool', call !== undefined && host !== undefined],
    ['call', isSentCall(row)],
    ['log', true],
    ['copyRequest', kind !== 'note' && request !== forgotten],
    ['copyAnswer', answer !== undefined && answer !== forgotten],
  ];
  return actions.flatMap(([action, isOffered]) => (isOffered ? [action] : []));
}

/** Does what the person has chosen for a row. @throws {PatchbayError} what they are told */
export async function act(row: TrafficRow, action: TrafficAction, ports: TrafficActionPorts): Promise<void> {
  const { source, at } = row;
  const server = source.label;
  switch (action) {
    case 'copyRequest':
    case 'copyAnswer': {
      const { request, answer } = messagesOf(row);
      return copyToClipboard(stringifyExactly((action === 'copyRequest' ? request : answer) ?? null, 2));
    }
    case 'log':
      return showLog(server, at, ports);
    case 'tool':
      return runForPerson(CommandIds.openTool, { server, tool: wantedCall(row).tool });
    case 'edit': {
      const { tool, args } = wantedCall(row);
      checkSame(row, findServer(ports.registry, server), ports);
      return runForPerson(CommandIds.openTool, { server, tool, arguments: args });
    }
    case 'call':
      if (await ports.showCall(row.position)) return undefined;
      throw new PatchbayError(
        'notFound',
        'The call history does not have this call. It may be turned off, or was forgotten.',
      );
    case 'again':
      return sendAgain(row, ports);
  }
}

/** Opens the latest lines of the log of a server, at the last one before a moment; an empty log, where it is always shown. */
async function showLog(server: string, at: number, { logs }: TrafficActionPorts): Promise<void> {
  const lines = logs.recent(server);
  if (lines.length === 0) return logs.channel(server).show();
  // A text may have several lines.
  const before = lines.slice(
    0,
    Math.max(
      0,
      lines.findLastIndex((each) => each.at <= at),
    ),
  );
  const line = before.reduce((count, { text }) => count + text.split('\n').length, 0);
  const text = lines.map((each) => `${preciseTime(each.at)} ${each.text}\n`).join('');
  const title = `${singleLine(server, 60)}.log`;
  await commands.executeCommand(CommandIds.openWhole, { title, value: Buffer.from(text) });
  const editor = window.activeTextEditor;
  if (editor?.document.uri.path.endsWith('.log') !== true) return;
  editor.selection = new Selection(line, 0, line, 0);
  editor.revealRange(editor.selection, TextEditorRevealType.InCenter);
}

async function sendAgain(row: TrafficRow, ports: TrafficActionPorts): Promise<void> {
  const server = row.source.label;
  const host = findServer(ports.registry, server);
  checkSame(row, host, ports);
  const call = callOf(row);
  const { identity } = host.server;
  if (call !== undefined) return ports.callAgain({ server, identity, tool: call.tool }, call.args);
  const send = senderOf(row);
  if (send === undefined)
    throw new PatchbayError('invalidArguments', `Patchbay cannot send ${row.method} again by itself.`);
  checkIdentity(host, identity);
  await send(host);
}

/** What was sent may hold what is not for another server that has the same name now. */
function checkSame(row: TrafficRow, host: HostServer, { knownSecrets }: TrafficActionPorts): void {
  const plan = knownSecrets.plans.get(host.label);
  if (plan !== undefined && launchIdentity(plan) === launchIdentity(row.source.plan)) return;
  const problem = `The server "${host.label}" is not the one that this was sent to: its definition has changed.`;
  throw new PatchbayError('notFound', `${problem} Open the tool from the sidebar instead.`);
}

function wantedCall(row: TrafficRow): NonNullable<ReturnType<typeof callOf>> {
  const call = callOf(row);
  if (call === undefined) throw new PatchbayError('notFound', 'The message of this call is no longer kept.');
  return call;
}

function sentParams(row: TrafficRow): UnknownRecord | undefined {
  const { source, kind, direction, request } = row;
  if (source.peer !== 'server' || kind !== 'request' || direction !== 'sent' || !isRecord(request)) return undefined;
  const { params = {} } = request;
  return isRecord(params) ? params : undefined;
}

/** A call of a tool: also one whose messages are no longer kept. */
function isSentCall({ source, direction, method }: TrafficRow): boolean {
  return source.peer === 'server' && direction === 'sent' && isToolCall(method);
}

/** The call that a row is; `undefined` for anything else. */
function callOf(row: TrafficRow): { readonly tool: string; readonly args: JsonObject } | undefined {
  const params = isToolCall(row.method) ? sentParams(row) : undefined;
  if (params === undefined || !isString(params['name'])) return undefined;
  const args = params['arguments'] ?? {};
  return isRecord(args) ? { tool: params['name'], args: args as JsonObject } : undefined;
}

/** How Patchbay itself sends such a request; `undefined` where it has no way to. */
function senderOf(row: TrafficRow): ((host: HostServer) => Promise<unknown>) | undefined {
  const params = sentParams(row);
  if (params === undefined) return undefined;
  const { uri, name, arguments: args = {} } = params;
  const list = listSources.find(({ method }) => method === row.method);
  if (list !== undefined) return async ({ server }) => server.reloadList(list.kind);
  const by = { origin: 'person' } as const;
  if (row.method === 'ping') return ({ server }) => server.ping();
  if (row.method === 'resources/read' && isString(uri)) return ({ server }) => server.readResource(uri, by);
  if (row.method === 'prompts/get' && isString(name) && isStringRecord(args))
    return ({ server }) => server.getPrompt(name, args, by);
  return undefined;
}
