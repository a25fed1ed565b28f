import {
  isOptional,
  isRecord,
  isString,
  isStringArray,
  type JsonObject,
  type JsonValue,
  type UnknownRecord,
} from '../../base/json.ts';
import { type BaseMetadata, invalidResult, isBaseMetadata, type ListPage, type Meta, readListPage } from './base.ts';
import { type ContentBlock, readContentList } from './content.ts';

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

/** @throws {PatchbayError} `invalidMessage` */
export function readToolsPage(result: unknown): ListPage<Tool> {
  const page = readListPage<Tool>(result, 'tools', isTool);
  // A tool without a schema takes any object: old servers leave it out.
  if (page.items.every((tool) => tool.inputSchema !== undefined)) return page;
  return { ...page, items: page.items.map((tool) => ({ ...tool, inputSchema: tool.inputSchema ?? anyObject })) };
}

/** @throws {PatchbayError} `invalidMessage` */
export function readCallToolResult(result: unknown): CallToolResult {
  if (!isRecord(result)) throw invalidResult('the answer to tools/call is not an object');
  const structured = result['structuredContent'] as JsonValue | undefined;
  return {
    content: readContentList(result['content']),
    ...(structured !== undefined && { structuredContent: structured }),
    isError: result['isError'] === true,
    ...(isRecord(result['_meta']) && { _meta: result['_meta'] }),
  };
}

/** Arguments of a call, as the schema describes them. */
export type ToolArguments = JsonObject;

function isTool(value: UnknownRecord): boolean {
  return (
    isBaseMetadata(value) &&
    isOptional(value['inputSchema'], isRecord) &&
    isOptional(value['outputSchema'], isRecord) &&
    isOptional(value['annotations'], isAnnotations) &&
    isOptional(value['execution'], isRecord) &&
    isOptional(value['omittedSchemas'], isStringArray)
  );
}

function isAnnotations(value: unknown): value is ToolAnnotations {
  return isRecord(value) && isOptional(value['title'], isString);
}
