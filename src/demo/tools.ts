import type { Clock } from '../base/clock.ts';
import { isRecord, type UnknownRecord } from '../base/json.ts';
import { ErrorCodes, JsonRpcError } from '../protocol/jsonRpc.ts';
import {
  createAddTool,
  createFailTool,
  createShowEverythingTool,
  createSlowCountTool,
  createWeatherReportTool,
} from './basicTools.ts';
import { createListRootsTool, createPingClientTool } from './clientQueryTools.ts';
import { createConfirmOnPageTool, createOpenGuideTool, createOrderLunchTool } from './elicitationTools.ts';
import { createSecretTool, createUnlockTool, type HiddenItems } from './hiddenItems.ts';
import type { ServerLog } from './logging.ts';
import { createAddNoteTool, createRemoveNoteTool, type NoteStore } from './notes.ts';
import { paginate } from './pagination.ts';
import { createAddUpPricesTool } from './priceTools.ts';
import type { RequestHandlerContext } from '../protocol/incomingRequests.ts';
import { invalidParams, type RpcServer } from './rpcServer.ts';
import { createDescribeImageTool, createSummarizeTool } from './samplingTools.ts';
import type { DemoClient, Session } from './session.ts';
import { createWeatherAppTool, createWeatherPlacesTool } from './weatherApp.ts';
import { ToolInput, type DemoTool, errorResult, ToolInputError, type ToolResult } from './tool.ts';

export interface ToolDependencies {
  readonly client: DemoClient;
  readonly clock: Clock;
  readonly log: ServerLog;
  readonly notes: NoteStore;
  readonly session: Session;
  readonly hiddenItems: HiddenItems;
}

/** Answers `tools/list` and `tools/call`, and sends `notifications/tools/list_changed`. */
export function registerTools(rpc: RpcServer, dependencies: ToolDependencies): void {
  const { hiddenItems } = dependencies;
  const visible = createTools(dependencies);
  const hidden = [createSecretTool()];
  const listed = (): readonly DemoTool[] => (hiddenItems.isVisible ? [...visible, ...hidden] : visible);

  rpc.handle('tools/list', (params) =>
    paginate(
      'tools',
      listed().map((tool) => tool.definition),
      params,
    ),
  );
  rpc.handle('tools/call', (params, context) => {
    const tool = listed().find((candidate) => candidate.definition.name === params['name']);
    if (tool === undefined) {
      throw new JsonRpcError(ErrorCodes.invalidParams, `Unknown tool: ${JSON.stringify(params['name'])}`);
    }
    return runTool(tool, readArguments(params), context, dependencies);
  });
  hiddenItems.onDidChange(() => rpc.notify('notifications/tools/list_changed'));
}

function createTools({ client, clock, notes, session, hiddenItems }: ToolDependencies): readonly DemoTool[] {
  return [
    createAddTool(),
    createSlowCountTool(clock),
    createFailTool(),
    createWeatherReportTool(),
    createSummarizeTool(client),
    createDescribeImageTool(client),
    createAddUpPricesTool(client),
    createOrderLunchTool(client, session),
    createOpenGuideTool(client),
    createConfirmOnPageTool(client),
    createListRootsTool(client),
    createPingClientTool(client, clock),
    createAddNoteTool(notes),
    createRemoveNoteTool(notes),
    createWeatherAppTool(),
    createWeatherPlacesTool(),
    createShowEverythingTool(session),
    createUnlockTool(hiddenItems),
  ];
}

async function runTool(
  tool: DemoTool,
  args: UnknownRecord,
  context: RequestHandlerContext,
  { clock, log, session }: ToolDependencies,
): Promise<ToolResult> {
  const { name } = tool.definition;
  const start = clock.now();
  log('debug', 'tools', { event: 'started', tool: name, arguments: Object.keys(args) });
  try {
    const result = await tool.run(new ToolInput(args), context);
    const level = result.isError === true ? 'warning' : 'info';
    log(level, 'tools', `${name} ${level === 'info' ? 'finished' : 'failed'} after ${clock.now() - start} ms`);
    return result;
  } catch (error) {
    if (context.signal.aborted) log('notice', 'tools', `${name} was cancelled`);
    else log('error', 'tools', `${name} failed after ${clock.now() - start} ms`);
    if (error instanceof ToolInputError) return rejectInput(error, session);
    throw error;
  }
}

/**
 * Since 2025-11-25, invalid arguments are a tool error, which a model can correct (Server / Tools, Error Handling);
 * before, `-32602`.
 */
function rejectInput(error: ToolInputError, session: Session): ToolResult {
  if (session.isAtLeast('2025-11-25')) return errorResult(`Invalid arguments: ${error.message}`);
  throw invalidParams(error.message);
}

function readArguments(params: UnknownRecord): UnknownRecord {
  const args = params['arguments'] ?? {};
  if (!isRecord(args)) throw invalidParams('arguments must be an object.');
  return args;
}
