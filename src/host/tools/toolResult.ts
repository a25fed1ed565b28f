import type { SchemaProblem } from '../../base/schemaCheck.ts';
import { InvalidResultError } from '../../client/toolCalls/validateResult.ts';
import type { CallToolResult } from '../../protocol/mcp/tools.ts';

/** A result to be shown to a person. */
export interface CheckedResult {
  readonly result: CallToolResult;
  /** Sentences on what was not checked, and on what is missing. */
  readonly warnings: readonly string[];
  /** Where the structured content breaks the tool's own schema. */
  readonly differences: readonly SchemaProblem[];
}

/** A result that breaks the tool's promise is shown all the same, with a word about it (2025-06-18, "Output Schema"). */
export async function addWarnings(
  call: (onNote: (note: string) => void) => Promise<CallToolResult>,
): Promise<CheckedResult> {
  const warnings: string[] = [];
  try {
    return { result: await call((note) => warnings.push(note)), warnings, differences: [] };
  } catch (error) {
    if (!(error instanceof InvalidResultError)) throw error;
    const { result, problems, differences } = error;
    // The page shows each difference at its place.
    return { result, warnings: differences.length > 0 ? warnings : [...warnings, ...problems], differences };
  }
}
