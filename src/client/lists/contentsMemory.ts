import { jsonLength } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { truncateWithCount } from '../../base/truncate.ts';
import type { Prompt, PromptArgument } from '../../protocol/mcp/prompts.ts';
import type { Tool } from '../../protocol/mcp/tools.ts';
import { type ContentKind, contentKinds, type Contents, emptyContents } from '../contents.ts';
import type { Catalogue } from './catalogue.ts';

export interface RememberedContents {
  readonly contents: Contents;
  /** When the server listed it, in milliseconds since the epoch. */
  readonly listedAt: number;
}

/** Port that stores what each server offered last, to show it while the server is stopped. */
export interface ContentsMemory {
  /** @param identity of the server, see `ServerIdentities` */
  load(identity: string): RememberedContents | undefined;
  save(identity: string, remembered: RememberedContents): void;
}

const maximum = limits.remembered;

/** The summary of a running server; lists that are still being read are taken from `lastSeen`. */
export function summarizeListed(catalogue: Pick<Catalogue, 'contents' | 'pendingList'>, lastSeen: Contents): Contents {
  const awaited = contentKinds.filter((kind) => catalogue.pendingList(kind) !== undefined);
  const known = Object.fromEntries(awaited.map((kind) => [kind, lastSeen[kind]]));
  return summarizeContents({ ...catalogue.contents, ...known });
}

/** The summary of `contents`: names and descriptions without schemas, within `limits.remembered`. */
export function summarizeContents(contents: Contents): Contents {
  let remaining: number = maximum.server - jsonLength(emptyContents);
  const fits = (item: object): boolean => {
    const size = jsonLength(item) + 1;
    if (size > remaining) return false;
    remaining -= size;
    return true;
  };
  const keep = <T extends object>(items: readonly T[], pick: (item: T) => T): T[] =>
    items.slice(0, maximum.entries).filter(hasShortName).map(pick).filter(fits);
  return {
    tools: keep(contents.tools, (tool) => Object.assign(named(tool), { inputSchema: anyObject })),
    resources: keep(contents.resources, (resource) => {
      const { uri, mimeType } = resource;
      return Object.assign(named(resource), { uri }, mimeType !== undefined && { mimeType });
    }),
    resourceTemplates: keep(contents.resourceTemplates, (template) =>
      Object.assign(named(template), { uriTemplate: template.uriTemplate }),
    ),
    prompts: keep(contents.prompts, (prompt) => Object.assign(named(prompt), summarizeArguments(prompt))),
    skills: keep(contents.skills, ({ name, description, uri, prefix }) => ({
      name,
      prefix,
      description: truncateWithCount(description, maximum.text),
      uri,
      frontmatter: {},
      files: [],
    })),
  };
}

/** Required members for which a summary has placeholder values only. */
const placeholders: Partial<Record<ContentKind, readonly string[]>> = {
  tools: ['inputSchema'],
  skills: ['frontmatter', 'files'],
};

/** A remembered entry without its placeholder members: what the server really sent. */
export function withoutPlaceholders(kind: ContentKind, item: object): object {
  const left = placeholders[kind] ?? [];
  return Object.fromEntries(Object.entries(item).filter(([name]) => !left.includes(name)));
}

/** Names and URIs identify the entry, so they cannot be shortened: an entry with a long one is left out. */
function hasShortName(item: { readonly name?: string; readonly uri?: string; readonly uriTemplate?: string }): boolean {
  const { name = '', uri = '', uriTemplate = uri } = item;
  return name.length <= maximum.name && uri.length <= maximum.uri && uriTemplate.length <= maximum.uri;
}

function summarizeArguments({ arguments: args }: Prompt): Pick<Prompt, 'arguments'> {
  if (args === undefined) return {};
  const summarize = (argument: PromptArgument): PromptArgument =>
    Object.assign(named(argument), argument.required === true && { required: true });
  return { arguments: args.slice(0, maximum.entries).map(summarize) };
}

const anyObject: Tool['inputSchema'] = Object.freeze({ type: 'object' });

interface Named {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
}

/**
 * What summaries have in common. Their members are assigned: V8 may give each object with a spread its own hidden class,
 * which takes several times as much memory as the object, and there are thousands of summaries.
 */
function named({ name, title, description }: Named): Named {
  return Object.assign(
    { name },
    title !== undefined && { title: truncateWithCount(title, maximum.text) },
    description !== undefined && { description: truncateWithCount(description, maximum.text) },
  );
}
