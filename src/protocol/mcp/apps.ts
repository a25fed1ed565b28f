import { isRecord, isString, isStringArray, type UnknownRecord } from '../../base/json.ts';
import type { Tool } from './tools.ts';

/** MCP Apps (SEP-1865, 2026-01-26, "Extension Identifier"). */
export const appsExtension = 'io.modelcontextprotocol/ui';

/** The only type of document that an app may have (SEP-1865, "Content Requirements"). */
export const appMimeType = 'text/html;profile=mcp-app';

/** The revision of MCP Apps that is spoken. */
export const appsRevision = '2026-01-26';

/** The settings that a client offers for the extension (SEP-1865, "Client<>Server Capability Negotiation"). */
export const appsCapability: UnknownRecord = { mimeTypes: [appMimeType] };

/**
 * The address of the app that shows a tool's results: `_meta.ui.resourceUri`, or the deprecated flat key (SEP-1865,
 * "Resource Discovery").
 * @returns `undefined` for a tool without an app, and for an address of another scheme
 */
export function appUriOf({ _meta }: Pick<Tool, '_meta'>): string | undefined {
  const uri = uiOf(_meta)?.['resourceUri'] ?? _meta?.['ui/resourceUri'];
  return isString(uri) && uri.startsWith('ui://') ? uri : undefined;
}

/** False for tools that are for apps alone: no model may be offered them (SEP-1865, "Visibility"). */
export function isForModels(tool: Pick<Tool, '_meta'>): boolean {
  return isVisibleTo(tool, 'model');
}

/** False for tools that apps may not call (SEP-1865, "Visibility"). */
export function isForApps(tool: Pick<Tool, '_meta'>): boolean {
  return isVisibleTo(tool, 'app');
}

function isVisibleTo({ _meta }: Pick<Tool, '_meta'>, who: 'model' | 'app'): boolean {
  const visibility = uiOf(_meta)?.['visibility'];
  return !isStringArray(visibility) || visibility.includes(who);
}

/** `_meta.ui`, which apps and their tools have. */
export function uiOf(meta: unknown): UnknownRecord | undefined {
  const ui = isRecord(meta) ? meta['ui'] : undefined;
  return isRecord(ui) ? ui : undefined;
}
