import { InvalidResultError } from '../../client/toolCalls/validateResult.ts';
import type { CallToolResult } from '../../protocol/mcp/tools.ts';
import { blockToMarkdown, joinMarkdown, jsonFence } from '../results/contentMarkdown.ts';

/** A result to be shown to a person. */
export interface CheckedResult {
  readonly result: CallToolResult;
  /** Sentences on what was not checked, and on what of the result breaks the tool's own schema. */
  readonly warnings: readonly string[];
}

/** A result that breaks the tool's promise is shown all the same, with a word about it (2025-06-18, "Output Schema"). */
export async function addWarnings(
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

/** A tool's whole result as one Markdown document. */
export function toolResultToMarkdown({ content, structuredContent, isError }: CallToolResult): string {
  function* parts(): Generator<string> {
    if (isError) yield '**The tool reported an error.**';
    for (const block of content) yield blockToMarkdown(block);
    if (structuredContent !== undefined) yield jsonFence(structuredContent);
  }
  return joinMarkdown(parts());
}
