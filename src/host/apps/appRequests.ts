import { isPatchbayError, CancelledError } from '../../base/errors.ts';
import { type JsonObject, type UnknownRecord, isRecord, jsonLength } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { formatCount, truncateWithCount } from '../../base/truncate.ts';
import { readBlocks, readDisplayMode, readText, refusal, type DisplayMode } from '../../client/apps/appMessages.ts';
import type { Server } from '../../client/server/managedServer.ts';
import { createQuestioner, rejectMuted } from '../../client/serverRequests/serverRequestHandlers.ts';
import type { AskAboutApp } from '../../client/toolCalls/ports.ts';
import type { RequestHandler } from '../../protocol/incomingRequests.ts';
import type { ContentBlock, EmbeddedResource, ResourceLink } from '../../protocol/mcp/content.ts';
import { createSamplingHandler } from '../../protocol/session/requestHandlers.ts';
import type { AppQuestionView } from '../../shared/appMessages.ts';
import { singleLine } from '../platform/displayText.ts';
import { fileName, nameFromUri } from '../platform/fileName.ts';
import { openLink } from '../platform/openLink.ts';
import { copyToClipboard, hasChat, openInChat, saveAs } from '../platform/sendTo.ts';
import { blockToMarkdown, joinMarkdown } from '../results/contentMarkdown.ts';
import type { AppPorts } from './appPorts.ts';

/** What an app gave for the next question to a model; each replaces the one before. */
export interface AppModelContext {
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: JsonObject;
}

export interface AppRequestPorts extends Pick<AppPorts, 'sampling' | 'mutes' | 'audit' | 'clock'> {
  readonly server: Pick<Server, 'label' | 'readResource'>;
  readonly title: string;
  readonly ask: AskAboutApp;
  readonly setContext: (context: AppModelContext) => void;
  /** @returns the mode that the app is shown in from now on */
  readonly setMode: (mode: DisplayMode) => Promise<DisplayMode>;
}

const maximumContext = 256_000;
const maximumFiles = 10;

/** An app that takes questions back so soon makes them come and go: after the third one, each counts as a refusal. In milliseconds. */
const withdrawalMs = 2_000;
const freeWithdrawals = 3;

/** What one document of an app asks of the person: one question at a time. */
export function createPersonRequests(requests: AppRequestPorts) {
  const { server, mutes, clock } = requests;
  /** Questions that were taken back so soon, since the person answered one. */
  let withdrawals = 0;
  // Only what the person answered counts: not a file that was not saved after a yes.
  const ports: AppRequestPorts = {
    ...requests,
    ask: async (question, signal) => {
      const askedAt = clock.now();
      const chosen = await requests.ask(question, signal);
      if (signal?.aborted === true && clock.now() - askedAt < withdrawalMs) {
        withdrawals += 1;
        if (withdrawals > freeWithdrawals) mutes.recordDecision(server.label, 'questions', false);
      }
      // The app has taken its request back: that is no answer.
      signal?.throwIfAborted();
      withdrawals = 0;
      mutes.recordDecision(server.label, 'questions', chosen !== undefined);
      return chosen;
    },
  };
  let isOpen = false;
  /** Asks one question at a time. The answer to the app is `{}` for a yes and `isError` for a no. */
  const ask = async (question: () => Promise<boolean>): Promise<object> => {
    if (isOpen) throw refusal('Another question of this app is open.');
    if (mutes.isMuted(server.label, 'questions')) throw refusal('The person has refused several questions in a row.');
    isOpen = true;
    try {
      return (await question()) ? {} : { isError: true };
    } catch (error) {
      throw isPatchbayError(error) ? refusal(error.message) : error;
    } finally {
      isOpen = false;
    }
  };
  /** As `ui/open-link`. @throws {JsonRpcError} a refusal */
  const follow = (link: string, signal?: AbortSignal): Promise<object> =>
    ask(() =>
      openLink(link, server.label, async ({ message, detail, href }) => {
        const question = { message, detail, body: href, safe: 'Don’t Open', actions: ['Open in Browser'] };
        return (await ports.ask(question, signal)) !== undefined;
      }),
    );
  const handlers: Readonly<Record<string, RequestHandler>> = {
    'ui/open-link': async (params, { signal }) => follow(readText(params, 'url'), signal),
    'ui/message': async (params, { signal }) => {
      const blocks = readOffered(params['content'], 'message');
      return ask(() => takeMessage(ports, blocks, signal));
    },
    'ui/download-file': (params, { signal }) => ask(() => saveFiles(ports, params, signal)),
    'ui/update-model-context': async (params) => keepContext(ports, params),
    'ui/request-display-mode': async (params) => ({ mode: await ports.setMode(readDisplayMode(params)) }),
    'sampling/createMessage': createSampling(ports),
  };
  return { openLink: follow, handlers };
}

/** `The app “Map” of “demo” wants to …` */
function wants({ server, title }: AppRequestPorts, what: string): string {
  return `The app “${singleLine(title, 60)}” of “${singleLine(server.label, 60)}” wants to ${what}.`;
}

/** What a message, and what an app says for models, may have in it. The app gets this list (SEP-1865 draft, `HostCapabilities`). */
export const offeredContent = {
  message: { text: {}, resource: {}, resourceLink: {} },
  updateModelContext: { text: {}, image: {}, resource: {}, resourceLink: {}, structuredContent: {} },
} as const;

/** @throws {JsonRpcError} a refusal of all content if some of it is of a kind that was not offered: a person is never asked about a part */
function readOffered(content: unknown, what: keyof typeof offeredContent): readonly ContentBlock[] {
  const blocks = readBlocks(content);
  const offered: readonly string[] = Object.keys(offeredContent[what]);
  const other = blocks.find(({ type }) => !offered.includes(type === 'resource_link' ? 'resourceLink' : type));
  if (other === undefined) return blocks;
  const kind = other.type === 'unknown' ? 'of an unknown kind' : `of the kind "${other.type}"`;
  throw refusal(`Content ${kind} is not taken here. Offered are: ${offered.join(', ')}.`);
}

async function takeMessage(
  ports: AppRequestPorts,
  blocks: readonly ContentBlock[],
  signal: AbortSignal,
): Promise<boolean> {
  const text = joinMarkdown(blocks.map(blockToMarkdown));
  const chat = await hasChat();
  const chosen = await ports.ask(
    {
      message: wants(ports, 'send a message in your name'),
      detail: chat ? ['You decide in the chat whether to send it.'] : [],
      body: text,
      safe: 'Discard',
      actions: chat ? ['Put into Chat', 'Copy'] : ['Copy'],
    },
    signal,
  );
  if (chosen === 'Put into Chat') await openInChat(text);
  if (chosen === 'Copy') await copyToClipboard(text);
  return chosen !== undefined;
}

function keepContext({ setContext }: AppRequestPorts, { content, structuredContent }: UnknownRecord): object {
  if (jsonLength(content) + jsonLength(structuredContent) > maximumContext)
    throw refusal(`More than ${formatCount(maximumContext)} characters are not kept for a model.`);
  const structured = isRecord(structuredContent) && { structuredContent: structuredContent as JsonObject };
  setContext({ content: readOffered(content, 'updateModelContext'), ...structured });
  return {};
}

async function saveFiles(ports: AppRequestPorts, { contents }: UnknownRecord, signal: AbortSignal): Promise<boolean> {
  const files = readBlocks(contents).filter((block) => block.type === 'resource' || block.type === 'resource_link');
  if (files.length === 0) throw refusal('Nothing to download was given.');
  const shown = files.slice(0, maximumFiles).map((file) => {
    const { uri, mimeType } = file.type === 'resource' ? file.resource : file;
    return { file, name: fileName(nameFromUri(uri), mimeType) };
  });
  const chosen = await ports.ask(
    {
      message: wants(ports, `save ${files.length === 1 ? 'a file' : `${shown.length} files`}`),
      detail: ['You choose where to save.'],
      body: shown.map(({ name }) => name).join('\n'),
      safe: 'Don’t Save',
      actions: ['Choose Where…'],
    },
    signal,
  );
  if (chosen === undefined) return false;
  for (const [index, { file, name }] of shown.entries()) {
    const target = await saveAs(name, () => bytesOf(file, ports.server));
    if (target === undefined) return index > 0;
  }
  return true;
}

async function bytesOf(file: EmbeddedResource | ResourceLink, server: AppRequestPorts['server']): Promise<Uint8Array> {
  const contents =
    file.type === 'resource' ? [file.resource] : (await server.readResource(file.uri, { origin: 'person' })).contents;
  const { text, blob = '' } = contents[0] ?? {};
  return text === undefined ? Buffer.from(blob, 'base64') : new TextEncoder().encode(text);
}

/** Asked as a server's request is; no rule covers an app. */
function createSampling({ server, title, sampling, mutes, audit, clock }: AppRequestPorts): RequestHandler {
  const requester = { label: server.label, cause: () => `app ${singleLine(title, 60)}` };
  const ask = createQuestioner(requester, mutes, audit, clock);
  return createSamplingHandler(
    (request, context) => ask('sampling', context, (asked) => sampling(request, asked), rejectMuted),
    () => '2025-11-25',
  );
}

interface Open {
  readonly view: AppQuestionView;
  resolve(choice: string | undefined): void;
  reject(reason: unknown): void;
}

/** Over all apps: an answer to one document is none to the next. */
let lastId = 0;

export type AppQuestions = ReturnType<typeof createAppQuestions>;

/** The questions above one document of an app, one at a time. */
export function createAppQuestions(onDidChange: () => void) {
  let waiting: readonly Open[] = [];

  function settle(open: Open | undefined, choice: string | undefined): void {
    if (open === undefined || !waiting.includes(open)) return;
    waiting = waiting.filter((other) => other !== open);
    open.resolve(choice);
    onDidChange();
  }

  const ask: AskAboutApp = (question, signal) =>
    new Promise((resolve, reject) => {
      lastId += 1;
      const body = question.body && truncateWithCount(question.body, limits.shown.document);
      const open: Open = { view: { id: lastId, ...question, body }, resolve, reject };
      if (signal?.aborted === true) return resolve(undefined);
      signal?.addEventListener('abort', () => settle(open, undefined), { once: true });
      waiting = [...waiting, open];
      onDidChange();
    });

  return {
    get current(): AppQuestionView | undefined {
      return waiting[0]?.view;
    },
    ask,
    /** @param id of the question that the person saw; an answer to another one is ignored */
    answer(id: number, choice: string | undefined): void {
      const open = waiting.find(({ view }) => view.id === id);
      settle(open, choice === undefined || open?.view.actions.includes(choice) === true ? choice : undefined);
    },
    /** Cancels all, as the app has ended: that is no answer of the person. */
    end(): void {
      const ended = waiting;
      waiting = [];
      for (const open of ended) open.reject(new CancelledError('The app has ended'));
      if (ended.length > 0) onDidChange();
    },
  };
}
