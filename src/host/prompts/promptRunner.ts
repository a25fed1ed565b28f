import type { Clock } from '../../base/clock.ts';
import { PatchbayError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { Server } from '../../client/server/server.ts';
import { displayName } from '../../protocol/mcp/displayName.ts';
import type { GetPromptResult, Prompt } from '../../protocol/mcp/prompts.ts';
import type { ArgumentField } from '../arguments/argumentFlow.ts';
import { askArguments, type CompleteArgument } from '../arguments/askArguments.ts';
import { withCallProgress } from '../invocation/callProgress.ts';
import { contentKey } from '../invocation/contentPicker.ts';
import { type ContentTarget, findServer } from '../invocation/contentTarget.ts';
import { ensureListed } from '../invocation/ensureRunning.ts';
import type { RecentItems } from '../invocation/recentItems.ts';
import type { HostServer, ServerRegistry } from '../servers/serverRegistry.ts';
import { checkPromptArguments, type PromptCommandOptions } from './promptCommandOptions.ts';
import type { DeliverPrompt } from './promptDelivery.ts';

export interface PromptRunnerOptions {
  readonly registry: ServerRegistry;
  readonly recent: RecentItems;
  readonly deliver: DeliverPrompt;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Runs a prompt from start to finish: starts its server, asks for what is missing, gets the messages, sends them on.
 * @returns what the server gave
 * @throws {PatchbayError} `notFound`, `invalidArguments`; whatever server and destination throw; cancellation
 */
export type RunPrompt = (target: ContentTarget, options: PromptCommandOptions) => Promise<GetPromptResult>;

export function createPromptRunner({ registry, recent, deliver, clock, logger }: PromptRunnerOptions): RunPrompt {
  return async (target, options) => {
    const host = findServer(registry, target.server);
    await ensureListed(host, 'prompts', clock);
    await host.server.preflight('prompts', target.name, { origin: 'person' });
    const prompt = findPrompt(host, target.name);
    checkPromptArguments(prompt, options.arguments);
    const title = displayName(prompt);
    const values = await askArguments({
      title,
      fields: promptFields(prompt),
      preset: options.arguments,
      complete: completePrompt(host.server, prompt.name),
      clock,
      logger,
    });
    recent.touch(contentKey(target.server, target.name));
    const startedAt = clock.now();
    const result = await withCallProgress({ title: `Getting the prompt ${title}`, clock }, (signal, onProgress) =>
      host.server.getPrompt(prompt.name, values, { signal, onProgress, origin: 'person' }),
    );
    const durationMs = clock.now() - startedAt;
    await deliver({ host, prompt, values, result, durationMs }, options.then);
    return result;
  };
}

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
