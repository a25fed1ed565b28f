import { PatchbayError } from '../../base/errors.ts';
import type { Server } from '../../client/server/server.ts';
import { displayName } from '../../protocol/mcp/displayName.ts';
import type { GetPromptResult, Prompt } from '../../protocol/mcp/prompts.ts';
import type { ArgumentField } from '../arguments/argumentItems.ts';
import { askArguments, type CompleteArgument } from '../arguments/askArguments.ts';
import { withCallProgress } from '../invocation/callProgress.ts';
import type { ContentPicker, FeatureContext } from '../invocation/contentPicker.ts';
import { type ContentTarget, findServer, prepareUse } from '../invocation/contentTarget.ts';
import type { AskModel } from '../invocation/modelQuestion.ts';
import type { ResultDocument } from '../results/resultDocument.ts';
import type { HostServer } from '../servers/serverRegistry.ts';
import { createPromptDelivery, type PromptDestination } from './promptDelivery.ts';

/** How to run a prompt, as a keybinding writes it. */
export interface PromptRunOptions {
  /** Arguments that need not be asked for. */
  readonly arguments: Readonly<Record<string, string>>;
  readonly then: PromptDestination;
}

/** What running a prompt needs of the host. */
export interface PromptRunnerOptions extends Omit<FeatureContext, 'storage'> {
  /** Shows a result in an editor tab. */
  readonly show: (document: ResultDocument) => void;
  readonly askModel: AskModel;
  /** Remembers what was used. */
  readonly picker: Pick<ContentPicker<unknown>, 'markUsed'>;
}

/**
 * Runs a prompt from start to finish: starts its server, asks for the missing arguments, gets the messages, delivers them.
 * @returns the server's result
 * @throws {PatchbayError} `notFound`, `invalidArguments`; errors of the server and of the destination; cancellation
 */
export type RunPrompt = (target: ContentTarget, options: PromptRunOptions) => Promise<GetPromptResult>;

/** Creates the runner of prompts, for commands and for buttons of results. */
export function createPromptRunner(options: PromptRunnerOptions): RunPrompt {
  const { registry, clock, logger, picker } = options;
  const deliver = createPromptDelivery({
    ...options,
    runAgain: async ({ host, prompt }) => {
      await run({ server: host.label, name: prompt.name }, { arguments: {}, then: 'show' });
    },
  });
  const run: RunPrompt = async (target, { arguments: preset, then }) => {
    const host = findServer(registry, target.server);
    await prepareUse(host, 'prompts', target.name, clock);
    const prompt = findPrompt(host, target.name);
    checkPromptArguments(prompt, preset);
    const title = displayName(prompt);
    const complete = completePrompt(host.server, prompt.name);
    const values = await askArguments({ title, fields: promptFields(prompt), preset, complete, clock, logger });
    picker.markUsed(target);
    const startedAt = clock.now();
    const result = await withCallProgress({ title: `Getting the prompt ${title}`, clock }, (signal, onProgress) =>
      host.server.getPrompt(prompt.name, values, { signal, onProgress, origin: 'person' }),
    );
    const durationMs = clock.now() - startedAt;
    await deliver({ host, prompt, values, result, durationMs }, then);
    return result;
  };
  return run;
}

/** @throws {PatchbayError} `invalidArguments` for an argument the prompt does not have */
export function checkPromptArguments(prompt: Prompt, values: Readonly<Record<string, string>>): void {
  const known = (prompt.arguments ?? []).map(({ name }) => name);
  const unknown = Object.keys(values).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const hint = known.length === 0 ? 'It takes none.' : `It takes ${known.map((name) => `"${name}"`).join(', ')}.`;
  throw new PatchbayError('invalidArguments', `The prompt "${prompt.name}" has no argument "${unknown}". ${hint}`);
}

/** The arguments of a prompt as fields to ask for. */
export function promptFields({ arguments: list = [] }: Prompt): ArgumentField[] {
  return list.map((argument) => ({
    name: argument.name,
    label: displayName(argument),
    isRequired: argument.required === true,
    ...(argument.description !== undefined && { description: argument.description }),
  }));
}

/** Completion by the server, with the values known so far as its context (since 2025-06-18). */
export function completePrompt(server: Server, prompt: string): CompleteArgument {
  const reference = { type: 'ref/prompt', name: prompt } as const;
  return (field, value, settled, signal) =>
    server.complete(reference, { name: field.name, value }, settled, { signal });
}

/** The listed prompt of this name. @throws {PatchbayError} `notFound` */
export function findPrompt({ label, server }: HostServer, name: string): Prompt {
  const prompt = server.contents.prompts.find((candidate) => candidate.name === name);
  if (prompt !== undefined) return prompt;
  throw new PatchbayError('notFound', `The server "${label}" does not offer a prompt "${name}".`);
}
