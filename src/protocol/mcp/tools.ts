import { isRecord, type JsonObject, type JsonValue, type UnknownRecord } from '../../base/json.ts';
import { type BaseMetadata, baseMetadata, invalidResult, type ListPage, type Meta, readListPage } from './base.ts';
import { type ContentBlock, readContentList } from './content.ts';
import { boolean, type Kind, listOf, objectOf, opaqueObject, optional, text, validIfGiven } from './members.ts';

/** A JSON Schema as the server wrote it, kept whole (2026-07-28, tools: any 2020-12 keyword survives). */
export type JsonSchema = UnknownRecord;

/** What a server claims of a tool. Claims only: never grounds for skipping a question (2025-03-26, tools). */
export interface ToolAnnotations {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

export interface Tool extends BaseMetadata {
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly annotations?: ToolAnnotations;
  /** Whether a call may or must become a task (2025-11-25, "Tasks"); anything else it may hold counts as `forbidden`. */
  readonly execution?: { readonly taskSupport?: string };
  /** Ours: the schemas the server sent that were too long to be kept. */
  readonly omittedSchemas?: readonly string[];
}

export interface CallToolResult {
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: JsonValue;
  /** The tool itself failed; protocol failures are thrown instead. */
  readonly isError: boolean;
  readonly _meta?: Meta;
}

const anyObject: JsonSchema = Object.freeze({ type: 'object' });

/** A tool as servers send it: old ones leave out the schema of one that takes any object. */
type ListedTool = Omit<Tool, 'inputSchema'> & Partial<Pick<Tool, 'inputSchema'>>;

/** How a tool is read, in a list or in a request for a model. */
export const listedTool: Kind<ListedTool> = objectOf<ListedTool>({
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

/** @throws {PatchbayError} `invalidMessage` */
export function readToolsPage(result: unknown): ListPage<Tool> {
  const page = readListPage(result, 'tools', listedTool);
  return page.items.every(hasInputSchema)
    ? { ...page, items: page.items }
    : { ...page, items: page.items.map((tool) => ({ ...tool, inputSchema: tool.inputSchema ?? anyObject })) };
}

/** @throws {PatchbayError} `invalidMessage` */
export function readCallToolResult(result: unknown): CallToolResult {
  if (!isRecord(result)) throw invalidResult('the answer to tools/call is not an object');
  const structured = (result['structuredContent'] ?? undefined) as JsonValue | undefined;
  return {
    content: readContentList(result['content']),
    ...(structured !== undefined && { structuredContent: structured }),
    isError: result['isError'] === true,
    ...(isRecord(result['_meta']) && { _meta: result['_meta'] }),
  };
}

/** Arguments of a call, as the schema describes them. */
export type ToolArguments = JsonObject;

function hasInputSchema(tool: ListedTool): tool is Tool {
  return tool.inputSchema !== undefined;
}
