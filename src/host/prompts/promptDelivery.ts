import { displayName } from '../../protocol/mcp/displayName.ts';
import type { GetPromptResult, Prompt, Role } from '../../protocol/mcp/prompts.ts';
import { type AskModel, askModelAction, type ModelSubject, promptContent } from '../invocation/modelQuestion.ts';
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

/** Sends the messages of a prompt to a destination. @throws what the destination throws, such as {@link AskModel} */
export type DeliverPrompt = (filled: FilledPrompt, destination: PromptDestination) => Promise<void>;

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
        return options.askModel(subjectOf(filled));
    }
  };
  return deliver;
}

async function actionsFor(
  filled: FilledPrompt,
  deliver: DeliverPrompt,
  { runAgain, askModel }: PromptDeliveryOptions,
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
    askModelAction(askModel, () => subjectOf(filled)),
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
    texts: { identity: host.server.identity, kind: 'prompt', name: prompt.name },
    call: { args: values, durationMs },
    actions,
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
