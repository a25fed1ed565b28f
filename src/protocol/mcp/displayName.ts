import type { BaseMetadata } from './base.ts';
import type { Tool } from './tools.ts';

/** `title`, else `name` (schema, BaseMetadata). */
export function displayName(item: BaseMetadata): string {
  return item.title !== undefined && item.title !== '' ? item.title : item.name;
}

/** `title`, else `annotations.title`, else `name` (schema, Tool). */
export function toolDisplayName(tool: Tool): string {
  return displayName({ name: tool.name, title: tool.title ?? tool.annotations?.title ?? tool.name });
}
