import { InvalidResultError } from '../../client/toolCalls/resultCheck.ts';
import type { CallToolResult } from '../../protocol/mcp/tools.ts';

/** A result to be shown to a person. */
export interface CheckedResult {
  readonly result: CallToolResult;
  /** Sentences on what was not checked, and on what of the result breaks the tool's own schema. */
  readonly warnings: readonly string[];
}

/** A result that breaks the tool's promise is shown all the same, with a word about it (2025-06-18, "Output Schema"). */
export async function withWarnings(
  call: (onNote: (note: string) => void) => Promise<CallToolResult>,
): Promise<CheckedResult> {
  const warnings: string[] = [];
  try {
    return { result: await call((note) => warnings.push(note)), warnings };
  } catch (error) {
    if (!(error instanceof InvalidResultError)) throw error;
    return { result: error.result, warnings: [...warnings, ...error.problems] };
  }
}
