import type { ContentBlock } from '../../protocol/mcp/content.ts';
import { displayName } from '../../protocol/mcp/displayName.ts';
import type { GetPromptResult, Prompt, Role } from '../../protocol/mcp/prompts.ts';
import type { SamplingContent, SamplingMessage, SamplingRequest, SamplingResult } from '../../protocol/mcp/sampling.ts';
import { singleLine } from '../platform/displayText.ts';
import { copyToClipboard, hasChat, openInChat, openInEditor } from '../platform/sendTo.ts';
import { blockToMarkdown, joinMarkdown } from '../results/contentMarkdown.ts';
import { textActions } from '../results/resultActions.ts';
import type { ResultDocument, RunnableAction } from '../results/resultDocument.ts';
import type { HostServer } from '../servers/serverRegistry.ts';

/** Where the messages of a prompt can go. */
export const promptDestinations = ['show', 'editor', 'clipboard', 'chat', 'model'] as const;

/** Where the messages of a prompt go. */
export type PromptDestination = (typeof promptDestinations)[number];

/** A prompt with its result. */
export interface FilledPrompt {
  readonly host: HostServer;
  readonly prompt: Prompt;
  readonly values: Readonly<Record<string, string>>;
  readonly result: GetPromptResult;
  /** Milliseconds from the request to the result. */
  readonly durationMs: number;
}

/** Sends the messages of a prompt to a destination. @throws cancellation, if the user declines the request to a model */
export type DeliverPrompt = (filled: FilledPrompt, destination: PromptDestination) => Promise<void>;

/**
 * Asks a model on the user's behalf, with the same consent as a server's own request.
 * @param context `cause` says in a few words why
 * @returns the reviewed answer; `undefined` when the user says no
 */
export type AskModel = (
  request: SamplingRequest,
  context: { readonly server: string; readonly cause: string },
) => Promise<SamplingResult | undefined>;

/** What the destinations need. */
export interface PromptDeliveryOptions {
  /** Shows a result in an editor tab. */
  readonly show: (document: ResultDocument) => void;
  readonly askModel: AskModel;
  /** Runs the prompt again, and asks for its arguments again. */
  readonly runAgain: (filled: FilledPrompt) => Promise<void>;
}

/** Creates the delivery, which is also the buttons of the results it shows. */
export function createPromptDelivery(options: PromptDeliveryOptions): DeliverPrompt {
  const deliver: DeliverPrompt = async (filled, destination) => {
    switch (destination) {
      case 'show':
        return options.show(promptDocument(filled, await actionsFor(filled, deliver, options)));
      case 'editor':
        return openInEditor(promptToMarkdown(filled.result));
      case 'clipboard':
        return copyToClipboard(promptToMarkdown(filled.result));
      case 'chat':
        return openInChat(promptToMarkdown(filled.result));
      case 'model':
        return askAndShow(filled, options);
    }
  };
  return deliver;
}

async function actionsFor(
  filled: FilledPrompt,
  deliver: DeliverPrompt,
  { runAgain }: PromptDeliveryOptions,
): Promise<RunnableAction[]> {
  const send = (id: PromptDestination, label: string, icon: string): RunnableAction => ({
    id,
    label,
    icon,
    run: () => deliver(filled, id),
  });
  return [
    ...textActions(() => promptToMarkdown(filled.result)),
    ...((await hasChat()) ? [send('chat', 'Send to Chat', 'comment-discussion')] : []),
    send('model', 'Ask a Model', 'sparkle'),
    { id: 'runAgain', label: 'Run Again', icon: 'refresh', run: () => runAgain(filled) },
  ];
}

function promptDocument(filled: FilledPrompt, actions: readonly RunnableAction[]): ResultDocument {
  const { host, prompt, values, result, durationMs } = filled;
  return {
    key: JSON.stringify(['prompt', host.label, prompt.name]),
    title: singleLine(displayName(prompt), 60),
    server: host.label,
    result: { kind: 'prompt', prompt: result },
    call: { args: values, durationMs },
    actions,
    opensResources: true,
  };
}

async function askAndShow(filled: FilledPrompt, { askModel, show }: PromptDeliveryOptions): Promise<void> {
  const { host, prompt, result } = filled;
  const title = singleLine(displayName(prompt), 60);
  const answer = await askModel(promptToSampling(result), {
    server: host.label,
    cause: `prompt ${prompt.name}, run by you`,
  });
  if (answer === undefined) return;
  const messages = answer.content.filter(isShowable).map((content) => ({ role: answer.role, content }));
  show({
    key: JSON.stringify(['answer', host.label, prompt.name]),
    title: `Answer: ${title}`,
    server: host.label,
    result: { kind: 'prompt', prompt: { messages, description: `Answer of ${singleLine(answer.model, 80)}` } },
    actions: textActions(() => joinMarkdown(messages.map(({ content }) => blockToMarkdown(content)))),
  });
}

/** The request offered no tools, so an answer that calls one cannot be shown. */
function isShowable(
  content: SamplingContent,
): content is Exclude<SamplingContent, { type: 'tool_use' | 'tool_result' }> {
  return content.type !== 'tool_use' && content.type !== 'tool_result';
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

/** Tokens a model may answer with, unless the user says otherwise in the consent panel. */
const defaultMaxTokens = 4_096;

/** A prompt as a request for a model, in the shape a server's own request would have. */
export function promptToSampling({ messages }: Pick<GetPromptResult, 'messages'>): SamplingRequest {
  const merged: SamplingMessage[] = [];
  for (const { role, content } of messages) {
    const block = toSamplingContent(content);
    const last = merged.at(-1);
    if (last?.role === role) merged[merged.length - 1] = { role, content: [...last.content, block] };
    else merged.push({ role, content: [block] });
  }
  return { messages: merged, maxTokens: defaultMaxTokens };
}

/** Models know text, images and sound; anything else goes as Markdown. */
function toSamplingContent(block: ContentBlock): SamplingContent {
  if (block.type === 'text' || block.type === 'image' || block.type === 'audio') return block;
  return { type: 'text', text: blockToMarkdown(block) };
}
