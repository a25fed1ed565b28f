import type { JsonValue, UnknownRecord } from '../base/json.ts';
import type { RequestHandlerContext } from '../protocol/incomingRequests.ts';
import { JsonRpcError } from '../protocol/jsonRpc.ts';
import type { Meta } from '../protocol/mcp/base.ts';
import type { ContentBlock, TextContent } from '../protocol/mcp/content.ts';
import type { Tool } from '../protocol/mcp/tools.ts';
import type { ClientFeature, Session } from './session.ts';

export interface ToolResult {
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: JsonValue;
  readonly isError?: true;
  readonly _meta?: Meta;
}

export interface DemoTool {
  readonly definition: Tool;
  /** Listed only after the tool `unlock` has run. */
  readonly isHidden?: boolean;
  /** Throws a {@link ToolInputError} for invalid arguments, a JsonRpcError for a protocol error. */
  readonly run: (args: UnknownRecord, session: Session, context: RequestHandlerContext) => Promise<ToolResult>;
}

/** The schema of one argument. One without a default is required. */
interface Input {
  readonly type: 'string' | 'number' | 'integer' | 'boolean';
  readonly title?: string;
  readonly description: string;
  readonly default?: string | number | boolean;
  readonly enum?: readonly string[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

type Inputs = Readonly<Record<string, Input>>;

type ValueOf<T extends Input> = T extends { readonly enum: readonly (infer Option)[] }
  ? Option
  : { string: string; number: number; integer: number; boolean: boolean }[T['type']];

interface ToolSource<T extends Inputs> extends Omit<Tool, 'inputSchema'> {
  readonly input?: T;
  readonly isHidden?: boolean;
  readonly run: (
    args: { readonly [Name in keyof T]: ValueOf<T[Name]> },
    session: Session,
    context: RequestHandlerContext,
  ) => ToolResult | Promise<ToolResult>;
}

/** Annotations of a tool that only answers. */
export const onlyAnswers = { readOnlyHint: true, idempotentHint: true, openWorldHint: false };

/** Makes a tool whose arguments are checked before it runs. @param source an empty `input` allows no arguments */
export function defineTool<const T extends Inputs>({ input, isHidden, run, ...others }: ToolSource<T>): DemoTool {
  const names = Object.keys(input ?? {});
  const required = names.filter((name) => input?.[name]?.default === undefined);
  const inputSchema = {
    type: 'object',
    ...(input !== undefined && { properties: input }),
    ...(required.length > 0 && { required }),
    ...(input !== undefined && names.length === 0 && { additionalProperties: false }),
  };
  return {
    definition: { ...others, inputSchema },
    ...(isHidden !== undefined && { isHidden }),
    run: async (args, session, context) =>
      run(readInput(input ?? {}, args) as Parameters<typeof run>[0], session, context),
  };
}

/** An argument does not match the tool's schema; the message names it. */
export class ToolInputError extends Error {
  override readonly name = 'ToolInputError';
}

function readInput(inputs: Inputs, args: UnknownRecord): UnknownRecord {
  const read = Object.entries(inputs).map(([name, input]) => {
    const value = args[name] ?? input.default;
    const fault = faultOf(input, value);
    if (fault !== undefined) throw new ToolInputError(`"${name}" must ${fault}.`);
    return [name, value] as const;
  });
  return Object.fromEntries(read);
}

/** @returns what is wrong with a value, as the end of "It must …" */
function faultOf(input: Input, value: unknown): string | undefined {
  const { type, minLength = 0, maxLength = Infinity, minimum = -Infinity, maximum = Infinity } = input;
  if (input.enum !== undefined)
    return input.enum.some((option) => option === value) ? undefined : `be one of: ${input.enum.join(', ')}`;
  if (type === 'boolean') return typeof value === 'boolean' ? undefined : 'be true or false';
  if (type === 'string') {
    if (typeof value !== 'string') return 'be a string';
    if (value.length < minLength) return `have at least ${minLength} characters`;
    return value.length > maxLength ? `have at most ${maxLength} characters` : undefined;
  }
  if (typeof value !== 'number' || !Number.isFinite(value) || (type === 'integer' && !Number.isInteger(value)))
    return type === 'integer' ? 'be an integer' : 'be a number';
  return value < minimum || value > maximum ? `be between ${minimum} and ${maximum}` : undefined;
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

const model = { method: 'sampling/createMessage', failure: 'The client gave no answer of a language model' };
const person = { method: 'elicitation/create', lack: 'cannot ask the user', failure: 'The client gave no answer' };

/** For each capability: the request, the end of "This client …" without it, and the start of a sentence about an error. */
const questions: Readonly<Record<ClientFeature, { method: string; lack: string; failure: string }>> = {
  roots: { method: 'roots/list', lack: 'lends no folders', failure: 'The client did not list its roots' },
  sampling: { ...model, lack: 'provides no language model' },
  'sampling.tools': { ...model, lack: 'gives a language model no tools' },
  'elicitation.form': person,
  'elicitation.url': person,
};

/**
 * Sends a request to the client and makes a result of its answer. An error of the client, or a missing capability, becomes
 * a tool error.
 * @param describe called with the client's answer, which is not checked
 */
export async function askClient(
  session: Session,
  signal: AbortSignal,
  feature: ClientFeature,
  params: UnknownRecord,
  describe: (answer: unknown) => ToolResult | Promise<ToolResult>,
): Promise<ToolResult> {
  const { method, lack, failure } = questions[feature];
  if (!session.clientHas(feature))
    return errorResult(`This client ${lack}: it did not declare the capability "${feature}".`);
  try {
    return await describe(await session.request(method, params, signal));
  } catch (error) {
    if (!(error instanceof JsonRpcError)) throw error;
    return errorResult(`${failure} (code ${error.code}): ${error.message}`);
  }
}
