import { isRecord, isString, isStringArray, type UnknownRecord } from '../../base/json.ts';
import type { Tool } from './tools.ts';

/** MCP Apps (SEP-1865, 2026-01-26, "Extension Identifier"). */
export const appsExtension = 'io.modelcontextprotocol/ui';

/** The only type of document that an app may have (SEP-1865, "Content Requirements"). */
export const appMimeType = 'text/html;profile=mcp-app';

export const appsRevision = '2026-01-26';

/** The settings that a client offers for the extension (SEP-1865, "Client<>Server Capability Negotiation"). */
export const appsCapability: UnknownRecord = { mimeTypes: [appMimeType] };

/** @returns `undefined` without an app, or for an address of another scheme (SEP-1865, "Resource Discovery") */
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

export function isAppMimeType(mimeType: string | undefined): boolean {
  return mimeType?.replaceAll(/\s/g, '').toLowerCase() === appMimeType;
}

/** What a browser can allow a page (SEP-1865, "UI Resource Format"). */
export const appPermissions = ['camera', 'microphone', 'geolocation', 'clipboardWrite'] as const;

export type AppPermission = (typeof appPermissions)[number];

/** The domains that an app declares, by what it does with them; as sent, not checked to be domains. */
export interface AppDomains {
  readonly connect: readonly string[];
  /** Where scripts, styles, fonts, pictures and media may come from. */
  readonly resources: readonly string[];
  /** Which pages it may show inside itself. */
  readonly frames: readonly string[];
  /** What relative addresses may be relative to. */
  readonly baseUris: readonly string[];
}

/** `_meta.ui` of an app's resource (SEP-1865, "UI Resource Format"). */
export interface AppMetadata {
  readonly domains: AppDomains;
  readonly permissions: readonly AppPermission[];
  /** An origin of its own, in a form that each host chooses. Patchbay has none to give. */
  readonly domain: string | undefined;
  /** `undefined`: the host decides. */
  readonly prefersBorder: boolean | undefined;
}

/** More entries of one list are left out. */
const maximumDomains = 100;

/**
 * Reads the metadata of an app: that of the contents, or, where they have none, that of the list (SEP-1865 draft, "Metadata
 * Location"). They are not mixed.
 * @param read `_meta` of the contents
 * @param listed `_meta` of the entry in `resources/list`, if there is one
 */
export function readAppMetadata(read: unknown, listed: unknown): AppMetadata {
  const ui = uiOf(read) ?? uiOf(listed) ?? {};
  const csp = isRecord(ui['csp']) ? ui['csp'] : {};
  const { permissions, domain, prefersBorder } = ui;
  const domains = (key: string): readonly string[] => {
    const list = csp[key];
    return Array.isArray(list) ? list.filter(isString).slice(0, maximumDomains) : [];
  };
  return {
    domains: {
      connect: domains('connectDomains'),
      resources: domains('resourceDomains'),
      frames: domains('frameDomains'),
      baseUris: domains('baseUriDomains'),
    },
    permissions: isRecord(permissions) ? appPermissions.filter((name) => isRecord(permissions[name])) : [],
    domain: isString(domain) ? domain : undefined,
    prefersBorder: typeof prefersBorder === 'boolean' ? prefersBorder : undefined,
  };
}
