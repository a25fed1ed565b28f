import type { Clock } from '../../base/clock.ts';
import { isRecord, type UnknownRecord } from '../../base/json.ts';
import { ErrorCodes, JsonRpcError } from '../../protocol/jsonRpc.ts';
import type { DemoClient } from '../client.ts';
import type { ServerLog } from '../logging.ts';
import type { NoteStore } from '../notes.ts';
import { pageOf } from '../pages.ts';
import type { IncomingCall, RpcServer } from '../rpcServer.ts';
import type { Session } from '../session.ts';
import type { Vault } from '../vault.ts';
import { createAddTool } from './add.ts';
import { createListRootsTool, createPingClientTool } from './clientQueries.ts';
import { createConfirmOnPageTool } from './confirmOnPage.ts';
import { createOpenGuideTool, createOrderLunchTool } from './elicitation.ts';
import { createFailTool } from './fail.ts';
import { createAddNoteTool, createRemoveNoteTool } from './noteTools.ts';
import { createDescribeImageTool, createSummarizeTool } from './sampling.ts';
import { createShowEverythingTool } from './showEverything.ts';
import { createSlowCountTool } from './slowCount.ts';
import { type DemoTool, errorOutcome, type ToolOutcome } from './tool.ts';
import { createToolInput, ToolInputError } from './toolInput.ts';
import { createSecretTool, createUnlockTool } from './vaultTools.ts';
import { createWeatherReportTool } from './weatherReport.ts';

/** What the tools need. */
export interface ToolDependencies {
  readonly client: DemoClient;
  readonly clock: Clock;
  readonly log: ServerLog;
  readonly notes: NoteStore;
  readonly session: Session;
  readonly vault: Vault;
}

/** Answers `tools/list` and `tools/call`, and sends `notifications/tools/list_changed`. */
export function registerTools(rpc: RpcServer, dependencies: ToolDependencies): void {
  const { vault } = dependencies;
  const visible = createTools(dependencies);
  const hidden = [createSecretTool()];
  const listed = (): readonly DemoTool[] => (vault.isOpen ? [...visible, ...hidden] : visible);

  rpc.handle('tools/list', (params) =>
    pageOf(
      'tools',
      listed().map((tool) => tool.definition),
      params,
    ),
  );
  rpc.handle('tools/call', (params, call) => {
    const tool = listed().find((candidate) => candidate.definition.name === params['name']);
    if (tool === undefined) {
      throw new JsonRpcError(ErrorCodes.invalidParams, `Unknown tool: ${JSON.stringify(params['name'])}`);
    }
    return runTool(tool, readArguments(params), call, dependencies);
  });
  vault.onDidChange(() => rpc.notify('notifications/tools/list_changed'));
}

function createTools({ client, clock, notes, session, vault }: ToolDependencies): readonly DemoTool[] {
  return [
    createAddTool(),
    createSlowCountTool(clock),
    createFailTool(),
    createWeatherReportTool(),
    createSummarizeTool(client),
    createDescribeImageTool(client),
    createOrderLunchTool(client, session),
    createOpenGuideTool(client),
    createConfirmOnPageTool(client),
    createListRootsTool(client),
    createPingClientTool(client, clock),
    createAddNoteTool(notes),
    createRemoveNoteTool(notes),
    createShowEverythingTool(session),
    createUnlockTool(vault),
  ];
}

async function runTool(
  tool: DemoTool,
  args: UnknownRecord,
  call: IncomingCall,
  { clock, log, session }: ToolDependencies,
): Promise<ToolOutcome> {
  const { name } = tool.definition;
  const start = clock.now();
  log('debug', 'tools', { event: 'started', tool: name, arguments: Object.keys(args) });
  try {
    const outcome = await tool.run(createToolInput(args), call);
    const level = outcome.isError === true ? 'warning' : 'info';
    log(level, 'tools', `${name} ${level === 'info' ? 'finished' : 'failed'} after ${clock.now() - start} ms`);
    return outcome;
  } catch (error) {
    if (call.signal.aborted) log('notice', 'tools', `${name} was cancelled`);
    else log('error', 'tools', `${name} failed after ${clock.now() - start} ms`);
    if (error instanceof ToolInputError) return rejectInput(error, session);
    throw error;
  }
}

/** Since 2025-11-25, invalid arguments are a tool error, which a model can correct (Server / Tools, Error Handling); before, `-32602`. */
function rejectInput(error: ToolInputError, session: Session): ToolOutcome {
  if (session.isAtLeast('2025-11-25')) return errorOutcome(`Invalid arguments: ${error.message}`);
  throw new JsonRpcError(ErrorCodes.invalidParams, `Invalid params: ${error.message}`);
}

function readArguments(params: UnknownRecord): UnknownRecord {
  const args = params['arguments'] ?? {};
  if (!isRecord(args)) throw new JsonRpcError(ErrorCodes.invalidParams, 'Invalid params: arguments must be an object.');
  return args;
}
