import { commands, env, window } from 'vscode';
import { PatchbayError } from '../../base/errors.ts';
import { isRecord, isStringRecord } from '../../base/json.ts';
import { displayName } from '../../protocol/mcp/displayName.ts';
import type { Prompt } from '../../protocol/mcp/prompts.ts';
import { askArguments } from '../arguments/askArguments.ts';
import { createContentPicker, type FeatureContext } from '../invocation/contentPicker.ts';
import { type ContentTarget, findServer, readContentTarget } from '../invocation/contentTarget.ts';
import { notificationText } from '../platform/displayText.ts';
import type { HostServer } from '../servers/serverRegistry.ts';
import { promptCommandId } from './promptCommands.ts';
import { promptDestinations } from './promptDelivery.ts';
import {
  completePrompt,
  createPromptRunner,
  findPrompt,
  promptFields,
  type PromptRunnerOptions,
  type PromptRunOptions,
} from './promptRunner.ts';

/** What {@link PromptFeature} needs of the host. */
export type PromptFeatureOptions = FeatureContext & Omit<PromptRunnerOptions, 'picker'>;

/** The commands about prompts. Arguments come unchecked from VS Code. */
export interface PromptFeature {
  /** *Run Prompt…*. The argument is a row of the tree, `{ server, prompt }` or nothing. @returns the server's result */
  run(argument: unknown): Promise<unknown>;
  /** The command that a prompt has of its own. @returns the server's result */
  runTarget(target: ContentTarget, argument: unknown): Promise<unknown>;
  /** *Ask a Model With Prompt…*: the same as *Run Prompt…*, but the messages go to a model. @returns the server's result */
  askModel(argument: unknown): Promise<unknown>;
  /** *Copy Keybinding*, with the same argument as *Run Prompt…*. */
  copyKeybinding(argument: unknown): Promise<void>;
}

/** Loaded with the first of these commands. */
export function createPromptFeature(options: PromptFeatureOptions): PromptFeature {
  const { registry, clock, logger } = options;
  const picker = createContentPicker({
    ...options,
    placeholder: 'Choose a prompt',
    noun: 'prompts',
    storageKey: 'patchbay.recentPrompts',
    itemsOf: ({ prompts }) =>
      prompts.map((item) => ({
        item,
        icon: 'comment-discussion',
        label: displayName(item),
        name: item.name,
        about: item.description,
      })),
  });
  const run = createPromptRunner({ ...options, picker });

  async function choose(argument: unknown, title: string): Promise<ContentTarget> {
    const given = readContentTarget(argument, 'prompt');
    if (given !== undefined) return given;
    const { host, name } = await picker.pick(title);
    return { server: host.label, name };
  }

  /** Each argument can be given a value; one left out is asked for when the key is pressed. The server is not started. */
  async function copyKeybinding(host: HostServer, prompt: Prompt): Promise<void> {
    const isRunning = host.server.state.kind === 'running';
    const values = await askArguments({
      clock,
      logger,
      title: `Preset of ${displayName(prompt)}`,
      fields: promptFields(prompt).map((field) => ({
        ...field,
        isRequired: false,
        description: `Leave out to be asked when the key is pressed. ${field.description ?? ''}`,
      })),
      ...(isRunning && { complete: completePrompt(host.server, prompt.name) }),
    });
    await env.clipboard.writeText(keybindingSnippet(host.label, prompt.name, values));
    void offerKeybindings(displayName(prompt));
  }

  return {
    // A row of the tree has more members than a keybinding; the options are read where they are.
    run: async (argument) => run(await choose(argument, 'Run Prompt'), readPromptCommandOptions(argument)),
    runTarget: async (target, argument) => run(target, readPromptCommandOptions(argument)),
    askModel: async (argument) =>
      run(await choose(argument, 'Ask a Model With Prompt'), { ...readPromptCommandOptions(argument), then: 'model' }),
    async copyKeybinding(argument) {
      const { server, name } = await choose(argument, 'Copy Keybinding of Prompt');
      const host = findServer(registry, server);
      await copyKeybinding(host, findPrompt(host, name));
    },
  };
}

/**
 * Reads the options in the argument of a prompt command: `{ arguments?, then? }`, or nothing.
 * @throws {PatchbayError} `invalidArguments` naming the member that is wrong
 */
export function readPromptCommandOptions(argument: unknown): PromptRunOptions {
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

/** An entry of keybindings.json that runs a prompt. */
export function keybindingSnippet(server: string, prompt: string, values: Readonly<Record<string, string>>): string {
  const args = { ...(Object.keys(values).length > 0 && { arguments: values }), then: 'show' };
  return JSON.stringify({ key: 'ctrl+alt+shift+p', command: promptCommandId(server, prompt), args }, undefined, 2);
}

async function offerKeybindings(name: string): Promise<void> {
  const open = 'Open keybindings.json';
  const message = `A keybinding for "${notificationText(name, 80)}" is in the clipboard. Paste it into keybindings.json and choose a key.`;
  if ((await window.showInformationMessage(message, open)) === open) {
    await commands.executeCommand('workbench.action.openGlobalKeybindingsFile');
  }
}

function invalid(detail: string): PatchbayError {
  return new PatchbayError('invalidArguments', `The argument of a prompt command is wrong: ${detail}.`);
}
