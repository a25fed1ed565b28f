import { PatchbayError } from '../../base/errors.ts';
import type { UnknownRecord } from '../../base/json.ts';
import { describeProblem, type SchemaProblem, type Validation } from '../../base/schemaCheck.ts';
import type { TaskSnapshot } from '../../protocol/mcp/tasks.ts';
import { type CallToolResult, readCallToolResult, type Tool, type ToolArguments } from '../../protocol/mcp/tools.ts';
import type { RequestOptions } from '../../protocol/pendingRequests.ts';
import type { Progress } from '../../protocol/progress.ts';
import type { ProtocolSession } from '../../protocol/session/session.ts';
import type { TaskManager } from '../tasks/taskManager.ts';
import type { CallOptions } from '../useDispatcher.ts';
import type { SchemaValidator } from '../validation/schemaValidator.ts';

/**
 * Requests `tools/call`; if the call becomes a task, waits for its result.
 * @returns rejects with PatchbayError `invalidMessage`; what a request throws; what {@link TaskManager.track} throws
 */
export async function sendToolCall(
  session: Pick<ProtocolSession, 'tasks' | 'request'>,
  taskManager: TaskManager,
  call: { readonly name: string; readonly arguments: ToolArguments },
  { signal, onProgress = ignore, onRequest }: CallOptions & { readonly onRequest?: RequestOptions['onSent'] },
): Promise<CallToolResult> {
  const { tasks } = session;
  if (tasks === undefined)
    return session.request('tools/call', call, requestOptions(onProgress, signal, onRequest)).then(readCallToolResult);
  let latest: Progress = { progress: 0 };
  const tell = (progress: Progress): void => {
    latest = progress;
    onProgress(progress);
  };
  const answer = await tasks.call(call, requestOptions(tell, signal, onRequest));
  if (answer.kind === 'result') return readCallToolResult(answer.result);
  // The status messages of the task are progress too.
  const report = ({ message }: TaskSnapshot): void => {
    if (message !== undefined && message !== latest.message) tell({ ...latest, message });
  };
  return taskManager.track(answer, call.name, report, signal);
}

/** A name that no server has. */
const missingTool = 'patchbay_check_of_a_tool_that_does_not_exist';

/**
 * Calls a tool that does not exist, to see how the server refuses that: nothing can run.
 * @param listed the names of the server's tools
 * @returns `undefined` where the server does list this name
 */
export async function callMissingTool<Answer>(
  request: (method: string, params: UnknownRecord) => Promise<Answer>,
  listed: readonly string[],
): Promise<Answer | undefined> {
  if (listed.includes(missingTool)) return undefined;
  return request('tools/call', { name: missingTool, arguments: {} });
}

/** Always requests progress: each notification of the server restarts the timeout of a long call. */
function requestOptions(
  onProgress: (progress: Progress) => void,
  signal: AbortSignal | undefined,
  onSent: RequestOptions['onSent'],
): RequestOptions {
  const options = signal === undefined ? { onProgress } : { onProgress, signal };
  return onSent === undefined ? options : { ...options, onSent };
}

function ignore(): void {}

/**
 * A tool has run, but its result does not match its own output schema (2025-06-18, Server Features / Tools, "Output
 * Schema"). The error contains the result, to show it to a person; programs must not rely on its shape.
 */
export class InvalidResultError extends PatchbayError {
  readonly result: CallToolResult;
  /** What does not match, one sentence each. */
  readonly problems: readonly string[];
  /** The same for structured content that breaks the schema, each with its place; empty if there is none at all. */
  readonly differences: readonly SchemaProblem[];

  constructor(
    server: string,
    tool: string,
    result: CallToolResult,
    problems: readonly string[],
    differences: readonly SchemaProblem[] = [],
  ) {
    super(
      'invalidResult',
      `The tool "${tool}" of "${server}" ran, but its result does not match its output schema. ${problems[0]}`,
    );
    this.result = result;
    this.problems = problems;
    this.differences = differences;
  }
}

/**
 * Validates a result against the tool's output schema. Error results of the tool are not checked.
 * @param onNote gets a sentence if the result could not be checked
 * @returns what does not match, as an error that the caller may throw; `undefined` if nothing. No promise if the result was validated at
 *   once, as most are
 */
export function validateResult(
  validator: SchemaValidator,
  server: string,
  tool: Tool | undefined,
  result: CallToolResult,
  onNote: (note: string) => void,
): InvalidResultError | undefined | Promise<InvalidResultError | undefined> {
  if (tool?.outputSchema === undefined || result.isError) return undefined;
  if (result.structuredContent === undefined)
    return new InvalidResultError(server, tool.name, result, ['It returned no structured content.']);
  const toError = (validation: Validation): InvalidResultError | undefined => {
    if (validation.kind === 'unsupported')
      onNote(`The result was not checked against the tool's output schema: ${validation.reason}.`);
    if (validation.kind !== 'invalid') return undefined;
    const { problems } = validation;
    const sentenceOf = (problem: SchemaProblem): string => describeProblem(problem, result.structuredContent, 'it');
    const sentences = problems.map((problem) => `In the structured content, ${sentenceOf(problem)}`);
    return new InvalidResultError(server, tool.name, result, sentences, problems);
  };
  const validation = validator.validate(server, tool.outputSchema, result.structuredContent);
  return validation instanceof Promise ? validation.then(toError) : toError(validation);
}
