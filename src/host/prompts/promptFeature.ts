import { commands, env, window } from 'vscode';
import { PatchbayError } from '../../base/errors.ts';
import { isRecord, isStringRecord } from '../../base/json.ts';
import { displayName } from '../../protocol/mcp/displayName.ts';
import type { GetPromptResult, Prompt, Role } from '../../protocol/mcp/prompts.ts';
import type { ArgumentField } from '../arguments/argumentRows.ts';
import { askArguments } from '../arguments/askArguments.ts';
import { CommandIds, promptCommandId } from '../commandIds.ts';
import { withCallProgress } from '../invocation/callProgress.ts';
import { createContentPicker, type FeatureContext } from '../invocation/contentPicker.ts';
import { type ContentTarget, findServer, prepareUse, readContentTarget } from '../invocation/contentTarget.ts';
import { type AskModel, askModelAction, type ModelSubject, promptContent } from '../invocation/modelQuestion.ts';
import { notificationText, singleLine } from '../platform/displayText.ts';
import type { HostServer } from '../servers/serverRegistry.ts';
import { rememberFailedUse } from '../platform/failedUses.ts';
import { copyToClipboard, hasChat, openInChat, openInEditor } from '../platform/sendTo.ts';
import { blockToMarkdown, joinMarkdown } from '../results/contentMarkdown.ts';
import type { ResultDocument } from '../results/resultDocument.ts';
import { textActions } from '../results/textResults.ts';

interface Targets {
  readonly show: (document: ResultDocument) => void;
  readonly askModel: AskModel;
}

interface PromptRunOptions {
  readonly arguments: Readonly<Record<string, string>>;
  readonly then: PromptDestination;
}

/**
 * The commands about prompts, loaded with the first of them. Their arguments come unchecked from VS Code: a row of the tree,
 * `{ server, prompt }`, or nothing. Those that run a prompt resolve to the server's result.
 */
export function createPromptFeature(options: FeatureContext & Targets) {
  const { registry, clock, logger } = options;
  const picker = createPicker(options);

  async function choose(argument: unknown, title: string): Promise<ContentTarget> {
    const given = readContentTarget(argument, 'prompt');
    if (given !== undefined) return given;
    const { host, name } = await picker.pick(title);
    return { server: host.label, name };
  }

  /** @param initial what the inputs have at first */
  async function run(
    target: ContentTarget,
    { arguments: preset, then }: PromptRunOptions,
    initial: PromptRunOptions['arguments'] = {},
  ): Promise<GetPromptResult> {
    const host = findServer(registry, target.server);
    await prepareUse(host, 'prompts', target.name, clock);
    const prompt = findPrompt(host, target.name);
    checkPromptArguments(prompt, preset);
    const title = displayName(prompt);
    const { server } = host;
    const reference = { type: 'ref/prompt', name: prompt.name } as const;
    const fields = promptFields(prompt);
    const values = await askArguments({ title, fields, preset, initial, server, reference, clock, logger });
    picker.markUsed(target);
    const startedAt = clock.now();
    const result = await withCallProgress({ title: `Getting the prompt ${title}`, clock }, (signal, onProgress) =>
      server.getPrompt(prompt.name, values, { signal, onProgress, origin: 'person' }),
    ).catch((error: unknown) => {
      const edit = (): Promise<unknown> => run(target, { arguments: {}, then }, values);
      rememberFailure(error, title, host, fields.length === 0 ? undefined : edit);
      throw error;
    });
    const runAgain = async (): Promise<void> => void (await run(target, { arguments: {}, then: 'show' }));
    const filled = { host, prompt, values, result, durationMs: clock.now() - startedAt, runAgain };
    await deliver(filled, then, options);
    return result;
  }

  return {
    // A row of the tree has more members than a keybinding; the options are read where they are.
    [CommandIds.runPrompt]: async (argument: unknown) =>
      run(await choose(argument, 'Run Prompt'), readPromptCommandOptions(argument)),
    [CommandIds.askModelWithPrompt]: async (argument: unknown) =>
      run(await choose(argument, 'Ask a Model With Prompt'), { ...readPromptCommandOptions(argument), then: 'model' }),
    [CommandIds.copyKeybinding]: async (argument: unknown): Promise<void> =>
      copyKeybinding(await choose(argument, 'Copy Keybinding of Prompt'), options),
    runTarget: async (target: ContentTarget, argument: unknown) => run(target, readPromptCommandOptions(argument)),
  };
}

/** Each argument can be given a value; one left out is asked for when the key is pressed. The server is not started. */
async function copyKeybinding(target: ContentTarget, { registry, clock, logger }: FeatureContext): Promise<void> {
  const { label, server } = findServer(registry, target.server);
  const prompt = findPrompt({ label, server }, target.name);
  const title = `Preset of ${displayName(prompt)}`;
  const fields = promptFields(prompt).map((field) => ({
    ...field,
    isRequired: false,
    description: `Leave out to be asked when the key is pressed. ${field.description ?? ''}`,
  }));
  const reference = { type: 'ref/prompt', name: prompt.name } as const;
  const completing = server.state.kind === 'running' ? server : undefined;
  const values = await askArguments({ title, fields, server: completing, reference, clock, logger });
  await env.clipboard.writeText(keybindingSnippet(label, prompt.name, values));
  void offerKeybindings(displayName(prompt));
}

/** @param edit asks for the arguments again; `undefined` where there are none */
function rememberFailure(
  error: unknown,
  title: string,
  { label }: Pick<HostServer, 'label'>,
  edit: (() => Promise<unknown>) | undefined,
): void {
  const sentence = `The prompt “${singleLine(title, 60)}” of “${singleLine(label, 60)}” failed.`;
  rememberFailedUse(error, { sentence, remedy: edit && { title: 'Edit Arguments…', run: edit } });
}

function createPicker(context: FeatureContext) {
  return createContentPicker({
    ...context,
    placeholder: 'Choose a prompt',
    noun: 'prompts',
    storageKey: 'patchbay.recentPrompts',
    takesOnly: true,
    itemsOf: ({ prompts }) =>
      prompts.map((item) => ({
        item,
        icon: 'comment-discussion',
        label: displayName(item),
        name: item.name,
        about: item.description,
      })),
  });
}

/** @throws {PatchbayError} `invalidArguments` for an argument the prompt does not have */
export function checkPromptArguments(prompt: Prompt, values: Readonly<Record<string, string>>): void {
  const known = (prompt.arguments ?? []).map(({ name }) => name);
  const unknown = Object.keys(values).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const hint = known.length === 0 ? 'It takes none.' : `It takes ${known.map((name) => `"${name}"`).join(', ')}.`;
  throw new PatchbayError('invalidArguments', `The prompt "${prompt.name}" has no argument "${unknown}". ${hint}`);
}

function promptFields({ arguments: list = [] }: Prompt): ArgumentField[] {
  return list.map((argument) => ({
    name: argument.name,
    label: displayName(argument),
    isRequired: argument.required === true,
    description: argument.description,
  }));
}

function findPrompt({ label, server }: Pick<HostServer, 'label' | 'server'>, name: string): Prompt {
  const prompt = server.contents.prompts.find((candidate) => candidate.name === name);
  if (prompt !== undefined) return prompt;
  throw new PatchbayError('notFound', `The server "${label}" does not offer a prompt "${name}".`);
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

const promptDestinations = ['show', 'editor', 'clipboard', 'chat', 'model'] as const;

type PromptDestination = (typeof promptDestinations)[number];

export interface FilledPrompt {
  readonly host: HostServer;
  readonly prompt: Prompt;
  readonly values: Readonly<Record<string, string>>;
  readonly result: GetPromptResult;
  /** Milliseconds from the request to the result. */
  readonly durationMs: number;
  /** Runs the prompt again, and asks for its arguments again. */
  readonly runAgain: () => Promise<void>;
}

/** Sends the messages of a prompt to a destination. @throws what the destination throws, such as {@link AskModel} */
export async function deliver(filled: FilledPrompt, destination: PromptDestination, targets: Targets): Promise<void> {
  if (destination === 'show') return targets.show(await promptDocument(filled, targets));
  if (destination === 'model') return targets.askModel(subjectOf(filled));
  const send = { editor: openInEditor, clipboard: copyToClipboard, chat: openInChat }[destination];
  return send(promptToMarkdown(filled.result));
}

async function promptDocument(filled: FilledPrompt, targets: Targets): Promise<ResultDocument> {
  const { host, prompt, values, result, durationMs, runAgain } = filled;
  const toChat = (): Promise<void> => openInChat(promptToMarkdown(result));
  const chat = { id: 'chat', label: 'Send to Chat', icon: 'comment-discussion', run: toChat };
  return {
    key: JSON.stringify(['prompt', host.label, prompt.name]),
    title: singleLine(displayName(prompt), 60),
    server: host.label,
    result: { kind: 'prompt', prompt: result },
    texts: { identity: host.server.identity, kind: 'prompt', name: prompt.name },
    call: { args: values, durationMs },
    actions: [
      ...textActions(() => promptToMarkdown(result)),
      ...((await hasChat()) ? [chat] : []),
      askModelAction(targets.askModel, () => subjectOf(filled)),
      { id: 'runAgain', label: 'Run Again', icon: 'refresh', run: runAgain },
    ],
    resourcesOf: host.server.identity,
  };
}

/** A prompt says itself what the model should do. */
function subjectOf({ host, prompt, result }: FilledPrompt): ModelSubject {
  return {
    server: host.label,
    title: singleLine(displayName(prompt), 60),
    about: `prompt ${prompt.name}`,
    messages: promptContent(result.messages),
    needsQuestion: false,
  };
}

const headings: Readonly<Record<Role, string>> = { user: '## User', assistant: '## Assistant' };

/** A prompt's messages as one Markdown document; neighbours of one role share a heading, and a lone user message has none. */
export function promptToMarkdown({ messages }: Pick<GetPromptResult, 'messages'>): string {
  const isPlain = messages.every(({ role }) => role === 'user');
  function* parts(): Generator<string> {
    for (const [index, { role, content }] of messages.entries()) {
      if (!isPlain && messages[index - 1]?.role !== role) yield headings[role];
      yield blockToMarkdown(content);
    }
  }
  return joinMarkdown(parts());
}
