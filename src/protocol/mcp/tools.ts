import { copyDigits } from '../../base/exactIntegers.ts';
import { isRecord, type JsonObject, type JsonValue, type UnknownRecord } from '../../base/json.ts';
import { type BaseMetadata, baseMetadata, invalidResult, type ListPage, type Meta, readListPage } from './base.ts';
import { type ContentBlock, readContentList, unknownContent } from './content.ts';
import { boolean, type Reader, listOf, objectOf, opaqueObject, optional, text, validIfGiven } from './readers.ts';

/** A JSON Schema of a server, unchanged with all keywords (2026-07-28, Server Features / Tools). */
export type JsonSchema = UnknownRecord;

/** Untrusted hints about a tool: never skip a confirmation because of them (2025-03-26, Server Features / Tools). */
export interface ToolAnnotations {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/**
 * The hints that are said of a tool: `destructiveHint` and `idempotentHint` mean nothing where it only reads (2025-11-25, schema,
 * `ToolAnnotations`). A question that such a hint adds is asked all the same.
 */
export function meaningfulHints(annotations: ToolAnnotations = {}): ToolAnnotations {
  if (annotations.readOnlyHint !== true) return annotations;
  const { destructiveHint: _, idempotentHint: __, ...others } = annotations;
  return others;
}

export interface Tool extends BaseMetadata {
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly annotations?: ToolAnnotations;
  /** Whether a call is a task (2025-11-25, Basic / Utilities / Tasks); other values count as `forbidden`. */
  readonly execution?: { readonly taskSupport?: string };
  /** Not of the server: the schemas that were left out because they were too long. */
  readonly omittedSchemas?: readonly string[];
}

export interface CallToolResult {
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: JsonValue;
  /** The tool failed; protocol errors are thrown instead. */
  readonly isError: boolean;
  readonly _meta?: Meta;
}

const anyObject: JsonSchema = Object.freeze({ type: 'object' });

/** A tool as sent: older servers omit the input schema where any object is accepted. */
type ListedTool = Omit<Tool, 'inputSchema'> & Partial<Pick<Tool, 'inputSchema'>>;

export const listedTool: Reader<ListedTool> = objectOf<ListedTool>({
  ...baseMetadata,
  inputSchema: validIfGiven(opaqueObject),
  outputSchema: validIfGiven(opaqueObject),
  annotations: optional(
    objectOf<ToolAnnotations>({
      title: optional(text),
      readOnlyHint: optional(boolean),
      destructiveHint: optional(boolean),
      idempotentHint: optional(boolean),
      openWorldHint: optional(boolean),
    }),
  ),
  execution: optional(objectOf<NonNullable<Tool['execution']>>({ taskSupport: optional(text) })),
  omittedSchemas: optional(listOf(text)),
});

export function readToolsPage(result: unknown): ListPage<Tool> {
  const page = readListPage(result, 'tools', listedTool);
  return page.items.every(hasInputSchema)
    ? { ...page, items: page.items }
    : { ...page, items: page.items.map((tool) => ({ ...tool, inputSchema: tool.inputSchema ?? anyObject })) };
}

/** Reads the result of `tools/call`. @throws {PatchbayError} `invalidMessage` */
export function readCallToolResult(result: unknown): CallToolResult {
  if (!isRecord(result)) throw invalidResult('the answer to tools/call is not an object');
  const structured = (result['structuredContent'] ?? undefined) as JsonValue | undefined;
  const { content, isError: _, _meta, resultType: __, ...others } = result;
  // Some hand-written servers give the bare result of the tool.
  const isBare = content === undefined && structured === undefined && Object.keys(others).length > 0;
  return {
    content: isBare ? [unknownContent(copyDigits(result, others))] : readContentList(content),
    ...(structured !== undefined && { structuredContent: structured }),
    isError: result['isError'] === true,
    ...(isRecord(_meta) && { _meta }),
  };
}

/** The server has sent no input schema; one that was left out as too long is none of these. */
export function isWithoutSchema({ inputSchema, omittedSchemas = [] }: Tool): boolean {
  return inputSchema === anyObject && !omittedSchemas.includes('inputSchema');
}

export type ToolArguments = JsonObject;

function hasInputSchema(tool: ListedTool): tool is Tool {
  return tool.inputSchema !== undefined;
}

/** True for the method of a request that calls a tool. */
export function isToolCall(method: string): boolean {
  return method === 'tools/call';
}
