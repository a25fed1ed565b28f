import { describeProblem } from '../../base/schemaCheck.ts';
import type { SchemaValidator } from '../../client/validation/schemaValidator.ts';
import type { CallToolResult, Tool } from '../../protocol/mcp/tools.ts';

/** A result that breaks the tool's promise is shown all the same, with a word about it (2025-06-18, "Output Schema"). */
export async function resultWarnings(
  validator: SchemaValidator,
  server: string,
  tool: Tool,
  result: CallToolResult,
): Promise<readonly string[]> {
  if (tool.outputSchema === undefined || result.isError) return [];
  if (result.structuredContent === undefined) return ['The tool promises structured content but sent none.'];
  const validation = await validator.validate(server, tool.outputSchema, result.structuredContent);
  switch (validation.kind) {
    case 'valid':
      return [];
    case 'invalid':
      return validation.problems.map(
        (problem) => `Structured content breaks the tool's own schema: ${describeProblem(problem)}.`,
      );
    case 'unsupported':
      return [`The result was not checked against the tool's output schema: ${validation.reason}.`];
  }
}
