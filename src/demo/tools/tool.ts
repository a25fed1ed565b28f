import type { JsonValue } from '../../base/json.ts';
import type { Meta } from '../../protocol/mcp/base.ts';
import type { ContentBlock, TextContent } from '../../protocol/mcp/content.ts';
import type { Tool } from '../../protocol/mcp/tools.ts';
import type { IncomingCall } from '../rpcServer.ts';
import type { ToolInput } from './toolInput.ts';

/** What a tool answers, as it goes over the wire. */
export interface ToolOutcome {
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: JsonValue;
  readonly isError?: true;
  readonly _meta?: Meta;
}

/** One tool: what is listed of it, and what it does. */
export interface DemoTool {
  readonly definition: Tool;
  /** Throws a ToolInputError for bad arguments, a JsonRpcError to fail at the level of the protocol. */
  readonly run: (input: ToolInput, call: IncomingCall) => ToolOutcome | Promise<ToolOutcome>;
}

export function textBlock(text: string): TextContent {
  return { type: 'text', text };
}

export function textOutcome(text: string): ToolOutcome {
  return { content: [textBlock(text)] };
}

/** The tool failed, and says why in words a model can act on. */
export function errorOutcome(text: string): ToolOutcome {
  return { content: [textBlock(text)], isError: true };
}

/**
 * A structured answer: a sentence for people, and the same data as JSON text for clients that know nothing of structured
 * content (2025-06-18, tools "Structured Content").
 */
export function structuredOutcome(sentence: string, data: JsonValue): ToolOutcome {
  const json: TextContent = { ...textBlock(JSON.stringify(data)), annotations: { audience: ['assistant'] } };
  return { content: [textBlock(sentence), json], structuredContent: data };
}
