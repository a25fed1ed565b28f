import { jsonLength } from '../base/json.ts';
import { limits } from '../base/limits.ts';
import { cutText } from '../base/shown.ts';
import type { PromptArgument } from '../protocol/mcp/prompts.ts';
import type { Catalogue } from './catalogue.ts';
import { type ContentKind, contentKinds, type Contents, emptyContents } from './server.ts';

/** What is remembered of a server: a summary, see {@link summarizeContents}. */
export interface RememberedContents {
  readonly contents: Contents;
  /** When the server listed it: milliseconds since the epoch. */
  readonly listedAt: number;
}

/** Port that keeps what each server offered last, for showing while it is stopped. */
export interface ContentsMemory {
  load(label: string): RememberedContents | undefined;
  save(label: string, remembered: RememberedContents): void;
}

const maximum = limits.remembered;

/** What is worth remembering of a running server; lists that have not come yet are as they were seen last. */
export function summarizeListed(catalogue: Pick<Catalogue, 'contents' | 'listing'>, lastSeen: Contents): Contents {
  const awaited = contentKinds.filter((kind) => catalogue.listing(kind) !== undefined);
  const known = Object.fromEntries(awaited.map((kind) => [kind, lastSeen[kind]]));
  return summarizeContents({ ...catalogue.contents, ...known });
}

/** What is worth remembering of `contents`: names and descriptions, no schemas, and no more than is bounded. */
export function summarizeContents(contents: Contents): Contents {
  let room: number = maximum.server - jsonLength(emptyContents);
  const fits = (item: object): boolean => {
    const size = jsonLength(item) + 1;
    if (size > room) return false;
    room -= size;
    return true;
  };
  const keep = <T extends object>(items: readonly T[], pick: (item: T) => T): T[] =>
    items.slice(0, maximum.entries).filter(isShortlyNamed).map(pick).filter(fits);
  return {
    tools: keep(contents.tools, ({ name, title, description }) => ({
      ...named(name, title, description),
      inputSchema: { type: 'object' },
    })),
    resources: keep(contents.resources, ({ name, title, description, uri, mimeType }) => ({
      ...named(name, title, description),
      uri,
      ...(mimeType !== undefined && { mimeType }),
    })),
    resourceTemplates: keep(contents.resourceTemplates, ({ name, title, description, uriTemplate }) => ({
      ...named(name, title, description),
      uriTemplate,
    })),
    prompts: keep(contents.prompts, ({ name, title, description, arguments: args }) => ({
      ...named(name, title, description),
      ...(args !== undefined && { arguments: args.slice(0, maximum.entries).map(summarizeArgument) }),
    })),
    skills: keep(contents.skills, ({ name, description, uri, prefix }) => ({
      name,
      prefix,
      description: cutText(description, maximum.text),
      uri,
      frontmatter: {},
      files: [],
    })),
  };
}

/** Required members that a summary has no true value for. */
const standIns: Partial<Record<ContentKind, readonly string[]>> = {
  tools: ['inputSchema'],
  skills: ['frontmatter', 'files'],
};

/** A remembered entry of a list as the server listed it: the members that only stand in are left out. */
export function withoutStandIns(kind: ContentKind, item: object): object {
  const left = standIns[kind] ?? [];
  return Object.fromEntries(Object.entries(item).filter(([name]) => !left.includes(name)));
}

/** What it is known by cannot be cut. */
function isShortlyNamed(item: {
  readonly name?: string;
  readonly uri?: string;
  readonly uriTemplate?: string;
}): boolean {
  const { name = '', uri = '', uriTemplate = uri } = item;
  return name.length <= maximum.name && uri.length <= maximum.uri && uriTemplate.length <= maximum.uri;
}

function summarizeArgument({ name, title, description, required }: PromptArgument): PromptArgument {
  return { ...named(name, title, description), ...(required === true && { required }) };
}

function named(name: string, title: string | undefined, description: string | undefined) {
  return {
    name,
    ...(title !== undefined && { title: cutText(title, maximum.text) }),
    ...(description !== undefined && { description: cutText(description, maximum.text) }),
  };
}
