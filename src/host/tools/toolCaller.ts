import type { Clock } from '../../base/clock.ts';
import { PatchbayError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import { describeProblem } from '../../base/schemaCheck.ts';
import type { SchemaValidator } from '../../client/validation/schemaValidator.ts';
import type { CallToolResult, Tool, ToolArguments } from '../../protocol/mcp/tools.ts';
import { toolDisplayName } from '../../protocol/mcp/displayName.ts';
import { withCallProgress } from '../input/callProgress.ts';
import type { HostServer } from '../serverRegistry.ts';
import { confirmCall } from './confirmCall.ts';
import { resultWarnings } from './resultWarnings.ts';
import type { ToolApprovals } from './toolApprovals.ts';

/** A finished call. */
export interface ToolCall {
  readonly host: HostServer;
  readonly tool: Tool;
  readonly args: ToolArguments;
  readonly result: CallToolResult;
  /** Milliseconds from the request to the result. */
  readonly durationMs: number;
  /** Sentences on what was not checked, and on what of the result breaks the tool's own schema. */
  readonly warnings: readonly string[];
}

export interface ToolCallerOptions {
  readonly validator: SchemaValidator;
  readonly approvals: ToolApprovals;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Checks the arguments, asks where that is due, calls, checks the result. The server must be running.
 * @throws {PatchbayError} `invalidArguments`; {@link JsonRpcError} from the server; cancellation
 */
export type CallTool = (host: HostServer, tool: Tool, args: ToolArguments) => Promise<ToolCall>;

export function createToolCaller({ validator, approvals, clock, logger }: ToolCallerOptions): CallTool {
  return async (host, tool, args) => {
    const validation = await validator.validate(host.label, tool.inputSchema, args);
    if (validation.kind === 'invalid') throw badArguments(tool, validation.problems.map(describeProblem));
    const unchecked =
      validation.kind === 'unsupported'
        ? `The arguments were not checked against the tool's input schema: ${validation.reason}.`
        : undefined;
    if (unchecked !== undefined) logger.warn(`${host.label}/${tool.name}: ${unchecked}`);
    await confirmCall({ host, tool, args, note: unchecked }, approvals);
    const startedAt = clock.now();
    const result = await withCallProgress({ title: `Calling ${toolDisplayName(tool)}`, clock }, (signal, onProgress) =>
      host.server.callTool(tool.name, args, { signal, onProgress, origin: 'person' }),
    );
    const durationMs = clock.now() - startedAt;
    const warnings = await resultWarnings(validator, host.label, tool, result);
    const all = unchecked === undefined ? warnings : [unchecked, ...warnings];
    return { host, tool, args, result, durationMs, warnings: all };
  };
}

function badArguments(tool: Tool, problems: readonly string[]): PatchbayError {
  return new PatchbayError(
    'invalidArguments',
    `The arguments do not fit the tool "${tool.name}": ${problems.slice(0, 5).join('; ')}.`,
  );
}
