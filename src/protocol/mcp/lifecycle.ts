import { isRecord, isString, type UnknownRecord } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { cutText } from '../../base/shown.ts';
import type { Icon, Implementation } from './base.ts';
import { usableIcons } from './boundEntry.ts';
import { givenMembers } from './members.ts';

/** What a server says it can do. Members are checked where they are used; unknown ones are kept. */
export interface ServerCapabilities {
  readonly tools?: { readonly listChanged?: boolean };
  readonly resources?: { readonly subscribe?: boolean; readonly listChanged?: boolean };
  readonly prompts?: { readonly listChanged?: boolean };
  readonly logging?: UnknownRecord;
  readonly completions?: UnknownRecord;
  /** 2025-11-25; later servers have an extension for it. */
  readonly tasks?: UnknownRecord;
  readonly experimental?: UnknownRecord;
  readonly extensions?: UnknownRecord;
}

/** What this client offers a server. A member is present only where somebody can really answer. */
export interface ClientCapabilities {
  readonly roots?: { readonly listChanged?: boolean };
  readonly sampling?: { readonly tools?: UnknownRecord; readonly context?: UnknownRecord };
  readonly elicitation?: { readonly form?: UnknownRecord; readonly url?: UnknownRecord };
  readonly extensions?: UnknownRecord;
}

/** The extension by which servers hand out instructions for models (ext-skills, "Extension Identifier"). */
export const skillsExtension = 'io.modelcontextprotocol/skills';

/** Skills may be asked for only where the server says that it has them (ext-skills, "Capability Negotiation"). */
export function offersSkills({ extensions }: ServerCapabilities): boolean {
  return isRecord(extensions?.[skillsExtension]);
}

/** Reads the capability object a server sent; anything but an object counts as none. */
export function readServerCapabilities(value: unknown): ServerCapabilities {
  if (!isRecord(value)) return {};
  // `"tools": true` and the like come from hand-written servers: presence is what counts.
  const entries = Object.entries(value).filter(([, member]) => member !== null && member !== false);
  return Object.fromEntries(entries.map(([key, member]) => [key, isRecord(member) ? readCapability(key, member) : {}]));
}

/** Settings of extensions are theirs; what the specification names is at most as deep as `tasks.requests.tools.call`. */
function readCapability(key: string, member: UnknownRecord): UnknownRecord {
  return givenMembers(member, key === 'extensions' || key === 'experimental' ? 1 : 3);
}

/** Reads who the server says it is; fields that are missing get a neutral value. */
export function readImplementation(value: unknown): Implementation {
  if (!isRecord(value)) return { name: 'unknown', version: '' };
  const { name, version, title, description, websiteUrl, icons } = value;
  const { name: maximum } = limits.server;
  return {
    name: isString(name) ? cutText(name, maximum) : 'unknown',
    version: isString(version) ? cutText(version, maximum) : '',
    ...(isString(title) && { title: cutText(title, maximum) }),
    ...(isString(description) && { description: cutText(description, limits.item.description) }),
    ...(isString(websiteUrl) && websiteUrl.length <= limits.item.uri && { websiteUrl }),
    ...(Array.isArray(icons) && { icons: readIcons(icons) }),
  };
}

function readIcons(icons: readonly unknown[]): readonly Icon[] {
  return usableIcons(icons).flatMap((icon) =>
    isRecord(icon) && isString(icon['src']) ? [givenMembers(icon) as unknown as Icon] : [],
  );
}

/** Reads what a server wants models to know of it; a very long text is cut. */
export function readInstructions(value: unknown): string | undefined {
  return isString(value) ? cutText(value, limits.server.instructions) : undefined;
}
