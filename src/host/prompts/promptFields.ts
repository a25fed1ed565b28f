import { PatchbayError } from '../../base/errors.ts';
import type { Prompt } from '../../protocol/mcp/prompts.ts';
import { displayName } from '../../protocol/mcp/displayName.ts';
import type { Server } from '../../client/server.ts';
import type { ArgumentField } from '../input/argumentFlow.ts';
import type { CompleteArgument } from '../input/askArguments.ts';
import type { HostServer } from '../serverRegistry.ts';

/** What to ask before a prompt can be had. */
export function promptFields({ arguments: list = [] }: Prompt): ArgumentField[] {
  return list.map((argument) => ({
    name: argument.name,
    label: displayName(argument),
    isRequired: argument.required === true,
    ...(argument.description !== undefined && { description: argument.description }),
  }));
}

/** Completion by the server, with what is settled already as its context (since 2025-06-18). */
export function completePrompt(server: Server, prompt: string): CompleteArgument {
  const reference = { type: 'ref/prompt', name: prompt } as const;
  return (field, value, settled, signal) =>
    server.complete(reference, { name: field.name, value }, settled, { signal });
}

/** @throws {PatchbayError} `notFound` */
export function findPrompt({ label, server }: HostServer, name: string): Prompt {
  const prompt = server.contents.prompts.find((candidate) => candidate.name === name);
  if (prompt !== undefined) return prompt;
  throw new PatchbayError('notFound', `The server "${label}" does not offer a prompt "${name}".`);
}
