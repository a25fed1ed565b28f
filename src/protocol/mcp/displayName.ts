import type { BaseMetadata } from './base.ts';
import type { Tool } from './tools.ts';

/** The name to show: `title`, else `name` (2025-11-25, Schema, `BaseMetadata`). */
export function displayName(item: BaseMetadata): string {
  return item.title !== undefined && item.title !== '' ? item.title : item.name;
}

/** The name of a tool to show: `title`, else `annotations.title`, else `name` (2025-11-25, Schema, `Tool`). */
export function toolDisplayName(tool: Tool): string {
  const title = tool.title ?? tool.annotations?.title;
  return title === undefined || title === '' ? tool.name : title;
}
