import type { JsonValue, UnknownRecord } from '../base/json.ts';
import { JsonRpcError } from '../protocol/jsonRpc.ts';
import type { Meta } from '../protocol/mcp/base.ts';
import type { ContentBlock, TextContent } from '../protocol/mcp/content.ts';
import type { Tool } from '../protocol/mcp/tools.ts';
import type { RequestHandlerContext } from '../protocol/incomingRequests.ts';
import type { DemoClient } from './session.ts';

export interface ToolResult {
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: JsonValue;
  readonly isError?: true;
  readonly _meta?: Meta;
}

/** One tool: its definition for `tools/list`, and its function. */
export interface DemoTool {
  readonly definition: Tool;
  /** Throws a ToolInputError for invalid arguments, a JsonRpcError for a protocol error. */
  readonly run: (input: ToolInput, context: RequestHandlerContext) => ToolResult | Promise<ToolResult>;
}

export function textBlock(text: string): TextContent {
  return { type: 'text', text };
}

export function textResult(text: string): ToolResult {
  return { content: [textBlock(text)] };
}

/** A tool error; `text` says why in a way that a model can act on. */
export function errorResult(text: string): ToolResult {
  return { content: [textBlock(text)], isError: true };
}

/**
 * A result with structured content: a sentence for people, and the data also as JSON text for clients that do not support
 * structured content (2025-11-25, Server / Tools, Structured Content).
 */
export function structuredResult(sentence: string, data: JsonValue): ToolResult {
  const json: TextContent = { ...textBlock(JSON.stringify(data)), annotations: { audience: ['assistant'] } };
  return { content: [textBlock(sentence), json], structuredContent: data };
}

/**
 * Sends a request to the client and makes a result of its answer.
 * @param failure the start of the tool error if the client answers with an error
 * @param describe called with the client's answer, which is not checked
 */
export async function requestFromClient(
  client: DemoClient,
  request: {
    readonly method: string;
    readonly params: UnknownRecord;
    readonly signal: AbortSignal;
    readonly failure: string;
  },
  describe: (answer: unknown) => ToolResult | Promise<ToolResult>,
): Promise<ToolResult> {
  const { method, params, signal, failure } = request;
  try {
    return await describe(await client.request(method, params, signal));
  } catch (error) {
    if (!(error instanceof JsonRpcError)) throw error;
    return errorResult(`${failure} (code ${error.code}): ${error.message}`);
  }
}

/** An argument does not match the tool's schema; the message names it. */
export class ToolInputError extends Error {
  override readonly name = 'ToolInputError';
}

interface TextRule {
  readonly type: 'string';
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly default?: string;
}

interface NumberRule {
  readonly type: 'number' | 'integer';
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: number;
}

interface ChoiceRule<T extends string> {
  readonly type: 'string';
  readonly enum: readonly T[];
  readonly default?: T;
}

interface FlagRule {
  readonly type: 'boolean';
  readonly default: boolean;
}

/**
 * The arguments of one call. Each is read with the part of the input schema that describes it, and throws a
 * {@link ToolInputError} if it is invalid.
 */
export class ToolInput {
  readonly #values: UnknownRecord;

  constructor(values: UnknownRecord) {
    this.#values = values;
  }

  text(name: string, rule: TextRule): string {
    const value = this.#values[name] ?? rule.default;
    if (typeof value !== 'string') throw new ToolInputError(`"${name}" must be a string.`);
    const { minLength = 0, maxLength = Infinity } = rule;
    if (value.length < minLength) throw new ToolInputError(`"${name}" must have at least ${minLength} characters.`);
    if (value.length > maxLength) throw new ToolInputError(`"${name}" must have at most ${maxLength} characters.`);
    return value;
  }

  number(name: string, rule: NumberRule): number {
    const value = this.#values[name] ?? rule.default;
    const isRightKind = rule.type === 'integer' ? Number.isInteger(value) : Number.isFinite(value);
    const article = rule.type === 'integer' ? 'an integer' : 'a number';
    if (!isRightKind || typeof value !== 'number') throw new ToolInputError(`"${name}" must be ${article}.`);
    const { minimum = -Infinity, maximum = Infinity } = rule;
    if (value < minimum || value > maximum) {
      throw new ToolInputError(`"${name}" must be between ${minimum} and ${maximum}.`);
    }
    return value;
  }

  choice<T extends string>(name: string, rule: ChoiceRule<T>): T {
    const value = this.#values[name] ?? rule.default;
    const chosen = rule.enum.find((option) => option === value);
    if (chosen === undefined) throw new ToolInputError(`"${name}" must be one of: ${rule.enum.join(', ')}.`);
    return chosen;
  }

  flag(name: string, rule: FlagRule): boolean {
    const value = this.#values[name] ?? rule.default;
    if (typeof value !== 'boolean') throw new ToolInputError(`"${name}" must be true or false.`);
    return value;
  }
}
