import { PatchbayError } from '../../base/errors.ts';
import { describeProblem, type SchemaProblem, type Validation } from '../../base/schemaCheck.ts';
import type { CallToolResult, Tool } from '../../protocol/mcp/tools.ts';
import type { SchemaValidator } from '../validation/schemaValidator.ts';

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
      `The tool "${tool}" of "${server}" has run, but its result is not what it promises. ${problems[0]}`,
    );
    this.result = result;
    this.problems = problems;
    this.differences = differences;
  }
}

/** The tool that a result comes from. */
export interface ValidatedTool {
  readonly server: string;
  /** The definition that the tool was called with; `undefined` if unknown. */
  readonly tool: Tool | undefined;
  /** Gets a sentence if the result could not be checked. */
  readonly onNote: (note: string) => void;
}

/**
 * Validates a result against the tool's output schema. Error results of the tool are not checked.
 * @returns `undefined` if the result was validated at once, as most are; otherwise rejects with what it throws
 * @throws {InvalidResultError}
 */
export function validateResult(
  validator: SchemaValidator,
  from: ValidatedTool,
  result: CallToolResult,
): Promise<void> | undefined {
  const { server, tool } = from;
  if (tool?.outputSchema === undefined || result.isError) return undefined;
  if (result.structuredContent === undefined)
    throw new InvalidResultError(server, tool.name, result, ['The tool promises structured content but sent none.']);
  const validation = validator.validate(server, tool.outputSchema, result.structuredContent);
  if (validation instanceof Promise) return validation.then((late) => assertValid(late, from, tool, result));
  assertValid(validation, from, tool, result);
  return undefined;
}

function assertValid(
  validation: Validation,
  { server, onNote }: ValidatedTool,
  { name }: Tool,
  result: CallToolResult,
): void {
  if (validation.kind === 'unsupported')
    onNote(`The result was not checked against the tool's output schema: ${validation.reason}.`);
  if (validation.kind === 'invalid')
    throw new InvalidResultError(
      server,
      name,
      result,
      validation.problems.map(
        (problem) => `Structured content breaks the tool's own schema: ${describeProblem(problem)}.`,
      ),
      validation.problems,
    );
}
