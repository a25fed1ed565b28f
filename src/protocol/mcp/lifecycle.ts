import { isRecord, isString, type UnknownRecord } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { truncateWithCount } from '../../base/truncate.ts';
import type { Icon, Implementation } from './base.ts';
import { usableIcons } from './boundEntry.ts';
import { isEmptyList, withoutNulls } from './readers.ts';

/** The capabilities of a server. Members are checked where they are used; unknown ones are kept. */
export interface ServerCapabilities {
  readonly tools?: { readonly listChanged?: boolean };
  readonly resources?: { readonly subscribe?: boolean; readonly listChanged?: boolean };
  readonly prompts?: { readonly listChanged?: boolean };
  readonly logging?: UnknownRecord;
  readonly completions?: UnknownRecord;
  /** Only in 2025-11-25; an extension later. */
  readonly tasks?: UnknownRecord;
  readonly experimental?: UnknownRecord;
  readonly extensions?: UnknownRecord;
}

export interface ClientCapabilities {
  readonly roots?: { readonly listChanged?: boolean };
  readonly sampling?: { readonly tools?: UnknownRecord; readonly context?: UnknownRecord };
  readonly elicitation?: { readonly form?: UnknownRecord; readonly url?: UnknownRecord };
  readonly extensions?: UnknownRecord;
}

/** The skills extension (ext-skills, "Extension Identifier"). */
export const skillsExtension = 'io.modelcontextprotocol/skills';

/** True when the server declares the skills extension (ext-skills, "Capability Negotiation"). */
export function offersSkills({ extensions }: ServerCapabilities): boolean {
  return isRecord(extensions?.[skillsExtension]);
}

/** What a server says about itself when a session is opened. */
export interface ServerFacts {
  readonly server: Implementation;
  readonly capabilities: ServerCapabilities;
  readonly instructions: string | undefined;
}

/** Reads the result of `initialize` or `server/discover`; the latter has `serverInfo` elsewhere. */
export function readServerFacts({ capabilities, instructions }: UnknownRecord, serverInfo: unknown): ServerFacts {
  return {
    server: readImplementation(serverInfo),
    capabilities: readServerCapabilities(capabilities),
    instructions: isString(instructions) ? truncateWithCount(instructions, limits.server.instructions) : undefined,
  };
}

/** Reads the capabilities of a server. One that names none at all, not even an empty object, is asked for its tools. */
function readServerCapabilities(value: unknown): ServerCapabilities {
  if (!isRecord(value)) return isEmptyList(value) ? {} : { tools: {} };
  // Some hand-written servers send `"tools": true`: only presence counts.
  const entries = Object.entries(value).filter(([, member]) => member !== null && member !== false);
  // Settings of extensions keep `null`. Other members are at most as deep as `tasks.requests.tools.call`.
  const levelsOf = (key: string): number => (key === 'extensions' || key === 'experimental' ? 1 : 3);
  return Object.fromEntries(
    entries.map(([key, member]) => [key, isRecord(member) ? withoutNulls(member, levelsOf(key)) : {}]),
  );
}

/** Reads name and version of a server; missing members get neutral values. */
function readImplementation(value: unknown): Implementation {
  if (!isRecord(value)) return { name: 'unknown', version: '' };
  const { name, version, title, description, websiteUrl, icons } = value;
  const { name: maximum } = limits.server;
  return {
    name: isString(name) ? truncateWithCount(name, maximum) : 'unknown',
    version: isString(version) ? truncateWithCount(version, maximum) : '',
    ...(isString(title) && { title: truncateWithCount(title, maximum) }),
    ...(isString(description) && { description: truncateWithCount(description, limits.item.description) }),
    ...(isString(websiteUrl) && websiteUrl.length <= limits.item.uri && { websiteUrl }),
    ...(Array.isArray(icons) && { icons: readIcons(icons) }),
  };
}

function readIcons(icons: readonly unknown[]): readonly Icon[] {
  return usableIcons(icons).flatMap((icon) =>
    isRecord(icon) && isString(icon['src']) ? [withoutNulls(icon) as unknown as Icon] : [],
  );
}
