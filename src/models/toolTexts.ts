import { canonicalJson } from '../base/digest.ts';
import { parseJson, toJsonText } from '../base/json.ts';
import type { ToolResultContent } from '../protocol/mcp/sampling.ts';

/**
 * @returns the structured content of a result as JSON; `undefined` where a text of it has the same, as servers should repeat it for
 *   older clients (2025-06-18, Server Features / Tools / Structured Content)
 */
export function structuredText({ content, structuredContent }: ToolResultContent): string | undefined {
  if (structuredContent === undefined) return undefined;
  const wanted = canonicalJson(structuredContent);
  const isRepeated = content.some((block) => {
    const value = block.type === 'text' ? parseJson(block.text) : undefined;
    return value !== undefined && canonicalJson(value) === wanted;
  });
  return isRepeated ? undefined : toJsonText(structuredContent);
}
