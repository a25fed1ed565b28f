import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { afterAll } from 'vitest';
import type { Outcome } from './companion.ts';
import { fixtureServer, folderWith } from './newWorkspace.ts';
import { model, useModelWindow } from './testModel.ts';
import { window } from './useWindow.ts';

/** What the servers of the workspace are called. */
export type AskingServer = 'asker' | 'second';

/** The parameters of a request for a model with one text. */
export function textRequest(text: string, maxTokens = 100): object {
  return { messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens };
}

/** The answer of the model, unless a test says another one. */
export const modelWords = 'The model has read it.';

/** The two servers of the window, and its model. */
export let sampling: SamplingWindow;

/**
 * Opens a window without any model of VS Code, with two servers that ask and run, and one model of a local endpoint that needs no
 * account.
 * @param files of the workspace, by path
 */
export function useSamplingWindow(files: Readonly<Record<string, string>> = {}): void {
  let folder: string;
  afterAll(() => rm(folder, { recursive: true }));
  useModelWindow(
    async () => {
      model.answerNext({ pieces: [modelWords] });
      folder = await mkdtemp(join(tmpdir(), 'patchbay-sampling-'));
      sampling = new SamplingWindow(folder);
      const server = (label: AskingServer) => fixtureServer('askingServer.mjs', `--record=${join(folder, label)}`);
      return {
        workspace: folderWith({ asker: server('asker'), second: server('second') }, { files }),
        companion: { models: false },
        settings: { 'patchbay.demoServer': true },
      };
    },
    async () => {
      for (const label of ['asker', 'second'] as const) await sampling.startServer(label);
    },
    'Local Model',
  );
}

class SamplingWindow {
  readonly model = model;
  /** Has what each server received. */
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The bodies of the requests that the model got, the oldest first. */
  get sent(): readonly SentRequest[] {
    return this.model.asked.map(({ body }) => body as SentRequest);
  }

  /** All text that the model got last. */
  get lastSent(): string {
    return JSON.stringify(this.sent.at(-1)?.messages ?? []);
  }

  /** Starts a server, and lets extensions call its tools without a question until it stops. */
  async startServer(label: AskingServer): Promise<void> {
    await window.startServer(label);
    await this.allowCalls(label);
    // What it lists would hide the rows of the next server.
    await window.sidebar.collapse(label);
  }

  /** Lets extensions call the tools of a server without a question until it stops. */
  async allowCalls(server: AskingServer): Promise<void> {
    for (const tool of ['ask', 'take_back']) {
      const { outcome } = await window.callToolAlways({ server, tool, args: {} });
      await outcome;
    }
  }

  /** Has a server ask for a model. @returns what the server gets, as JSON, when it gets it */
  ask(params: object, server: AskingServer = 'asker'): Promise<string> {
    return window.companion.callTool({ server, tool: 'ask', args: { params } }).then(textOf);
  }

  /** Has a server cancel what it asks. */
  async takeBack(server: AskingServer): Promise<void> {
    await window.companion.callTool({ server, tool: 'take_back', args: {} });
  }

  /** Waits for the panel that shows a question of a server. */
  question(server: string): Promise<Frame> {
    return window.webviews.frame(`h1:has-text("${server} wants to use a language model")`);
  }

  /** Resolves when no question is on the screen. */
  async noQuestion(): Promise<void> {
    await window.webviews.waitUntilGone('h1:has-text("wants to use a language model")');
  }

  /** The lines that a server has received, of all its runs. */
  async received(server: AskingServer): Promise<readonly string[]> {
    return (await readFile(join(this.#folder, server), 'utf8')).trimEnd().split('\n');
  }
}

/** What is read of a body in the form of OpenAI's chat completions. */
export interface SentRequest {
  readonly messages: readonly { readonly role: string; readonly content?: unknown }[];
  readonly tools?: readonly unknown[];
  readonly tool_choice?: unknown;
}

/** The text of the tool's result, or the words of the error. */
function textOf(outcome: Outcome): string {
  if (outcome.kind === 'error') return outcome.message;
  const { content } = outcome.result as { readonly content: readonly { readonly text?: string }[] };
  return content.map(({ text = '' }) => text).join('\n');
}

/** Presses a button of a panel as soon as it can be pressed. */
export async function press(panel: Frame, name: string): Promise<void> {
  await panel.getByRole('button', { name, exact: true, disabled: false }).click();
}
