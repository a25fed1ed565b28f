import type { PromptArgument } from '../protocol/mcp/prompts.ts';
import type { Contents } from './server.ts';

/** Port that keeps what each server offered last, for showing while it is stopped. */
export interface ContentsMemory {
  load(label: string): Contents | undefined;
  save(label: string, contents: Contents): void;
}

/** Longer lists are remembered in part. */
const maximumRemembered = 200;

/** What is worth remembering of `contents`: names and descriptions, no schemas. */
export function summarizeContents(contents: Contents): Contents {
  const keep = <T>(items: readonly T[], pick: (item: T) => T): T[] => items.slice(0, maximumRemembered).map(pick);
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
      ...(args !== undefined && { arguments: keep(args, summarizeArgument) }),
    })),
    skills: keep(contents.skills, ({ name, description, uri, prefix }) => ({
      name,
      prefix,
      description: description.slice(0, 300),
      uri,
      frontmatter: {},
      files: [],
    })),
  };
}

function summarizeArgument({ name, title, description, required }: PromptArgument): PromptArgument {
  return { ...named(name, title, description), ...(required === true && { required }) };
}

function named(name: string, title: string | undefined, description: string | undefined) {
  return {
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description: description.slice(0, 300) }),
  };
}
