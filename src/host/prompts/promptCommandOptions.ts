import { PatchbayError } from '../../base/errors.ts';
import { isRecord, isStringRecord } from '../../base/json.ts';
import type { Prompt } from '../../protocol/mcp/prompts.ts';

/** Where the messages of a prompt can go. */
export const promptDestinations = ['show', 'editor', 'clipboard', 'chat', 'model'] as const;

export type PromptDestination = (typeof promptDestinations)[number];

/** What a prompt's own command takes, as a keybinding writes it. */
export interface PromptCommandOptions {
  /** Arguments that need not be asked for. */
  readonly arguments: Readonly<Record<string, string>>;
  readonly then: PromptDestination;
}

/**
 * Checks what a prompt command was given; nothing at all is fine.
 * @throws {PatchbayError} `invalidArguments` naming the member that is wrong
 */
export function readPromptCommandOptions(argument: unknown): PromptCommandOptions {
  if (argument === undefined || argument === null) return { arguments: {}, then: 'show' };
  if (!isRecord(argument)) throw invalid('must be an object such as { "arguments": { … }, "then": "show" }');
  const { arguments: values = {}, then: destination = 'show' } = argument;
  if (!isRecord(values)) throw invalid('"arguments" must be an object');
  if (!isStringRecord(values)) {
    const wrong = Object.entries(values).find(([, value]) => typeof value !== 'string');
    throw invalid(`"arguments.${wrong?.[0] ?? ''}" must be a text`);
  }
  const then = promptDestinations.find((known) => known === destination);
  if (then === undefined)
    throw invalid(`"then" must be one of ${promptDestinations.map((known) => `"${known}"`).join(', ')}`);
  return { arguments: values, then };
}

/** @throws {PatchbayError} `invalidArguments` for an argument the prompt does not have */
export function checkPromptArguments(prompt: Prompt, values: Readonly<Record<string, string>>): void {
  const known = (prompt.arguments ?? []).map(({ name }) => name);
  const unknown = Object.keys(values).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const hint = known.length === 0 ? 'It takes none.' : `It takes ${known.map((name) => `"${name}"`).join(', ')}.`;
  throw new PatchbayError('invalidArguments', `The prompt "${prompt.name}" has no argument "${unknown}". ${hint}`);
}

function invalid(detail: string): PatchbayError {
  return new PatchbayError('invalidArguments', `The argument of a prompt command is wrong: ${detail}.`);
}
