import { PatchbayError } from '../../base/errors.ts';
import { describeProblem } from '../../base/schemaCheck.ts';
import type { CallToolResult, Tool } from '../../protocol/mcp/tools.ts';
import type { SchemaValidator } from '../validation/schemaValidator.ts';

/**
 * A tool has run, and its result breaks the schema that the tool itself gives for it (2025-06-18, "Output Schema"). What came
 * is here all the same: it is for whoever looks at it, not for a program that relies on its shape.
 */
export class InvalidResultError extends PatchbayError {
  readonly result: CallToolResult;
  /** Sentences. */
  readonly problems: readonly string[];

  constructor(server: string, tool: string, result: CallToolResult, problems: readonly string[]) {
    super(
      'invalidResult',
      `The tool "${tool}" of "${server}" has run, but its result is not what it promises. ${problems[0]}`,
    );
    this.result = result;
    this.problems = problems;
  }
}

export interface CheckedTool {
  readonly server: string;
  /** The definition under which the tool was called; `undefined` where none is known. */
  readonly tool: Tool | undefined;
  readonly onNote: (note: string) => void;
}

/**
 * Holds a result against the tool's output schema. Errors of the tool have no shape, and are not checked.
 * @throws {InvalidResultError}
 */
export async function checkResult(
  validator: SchemaValidator,
  { server, tool, onNote }: CheckedTool,
  result: CallToolResult,
): Promise<void> {
  if (tool?.outputSchema === undefined || result.isError) return;
  if (result.structuredContent === undefined)
    throw new InvalidResultError(server, tool.name, result, ['The tool promises structured content but sent none.']);
  const validation = await validator.validate(server, tool.outputSchema, result.structuredContent);
  if (validation.kind === 'unsupported')
    onNote(`The result was not checked against the tool's output schema: ${validation.reason}.`);
  if (validation.kind === 'invalid')
    throw new InvalidResultError(
      server,
      tool.name,
      result,
      validation.problems.map(
        (problem) => `Structured content breaks the tool's own schema: ${describeProblem(problem)}.`,
      ),
    );
}
