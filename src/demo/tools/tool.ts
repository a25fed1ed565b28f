import type { JsonValue } from '../../base/json.ts';
import type { Meta } from '../../protocol/mcp/base.ts';
import type { ContentBlock, TextContent } from '../../protocol/mcp/content.ts';
import type { Tool } from '../../protocol/mcp/tools.ts';
import type { IncomingCall } from '../rpcServer.ts';
import type { ToolInput } from './toolInput.ts';

/** The result of `tools/call`. */
export interface ToolOutcome {
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: JsonValue;
  readonly isError?: true;
  readonly _meta?: Meta;
}

/** One tool: its definition for `tools/list`, and its function. */
export interface DemoTool {
  readonly definition: Tool;
  /** Throws a ToolInputError for invalid arguments, a JsonRpcError for a protocol error. */
  readonly run: (input: ToolInput, call: IncomingCall) => ToolOutcome | Promise<ToolOutcome>;
}

/** A content block with text. */
export function textBlock(text: string): TextContent {
  return { type: 'text', text };
}

/** A result with one text. */
export function textOutcome(text: string): ToolOutcome {
  return { content: [textBlock(text)] };
}

/** A tool error; `text` says why in a way that a model can act on. */
export function errorOutcome(text: string): ToolOutcome {
  return { content: [textBlock(text)], isError: true };
}

/**
 * A result with structured content: a sentence for people, and the data also as JSON text for clients that do not support
 * structured content (2025-11-25, Server / Tools, Structured Content).
 */
export function structuredOutcome(sentence: string, data: JsonValue): ToolOutcome {
  const json: TextContent = { ...textBlock(JSON.stringify(data)), annotations: { audience: ['assistant'] } };
  return { content: [textBlock(sentence), json], structuredContent: data };
}
