import { setTimeout as delay } from 'node:timers/promises';
import type { CancellationToken, Disposable, Progress } from 'vscode';
import { LanguageModelTextPart, lm } from 'vscode';

// The API came with VS Code 1.104; the project compiles against 1.100. These are the parts of it that are used.

interface ModelInformation {
  readonly id: string;
  readonly name: string;
  readonly family: string;
  readonly version: string;
  readonly maxInputTokens: number;
  readonly maxOutputTokens: number;
  readonly capabilities: { readonly imageInput?: boolean; readonly toolCalling?: boolean };
}

interface RequestMessage {
  readonly role: number;
  readonly content: readonly unknown[];
}

interface ModelProvider {
  provideLanguageModelChatInformation(): ModelInformation[];
  provideLanguageModelChatResponse(
    model: ModelInformation,
    messages: readonly RequestMessage[],
    options: object,
    progress: Progress<LanguageModelTextPart>,
    token: CancellationToken,
  ): Promise<void>;
  provideTokenCount(model: ModelInformation, text: string | RequestMessage): Promise<number>;
}

interface ModelRegistry {
  registerLanguageModelChatProvider?(vendor: string, provider: ModelProvider): Disposable;
}

const userRole = 1;

// Slow enough that a test sees an answer grow.
const chunkIntervalMs = 30;

const provider: ModelProvider = {
  provideLanguageModelChatInformation: () => [
    information('fast', 'Companion Fast'),
    information('clever', 'Companion Clever'),
  ],
  provideLanguageModelChatResponse: async (model, messages, _options, progress, token) => {
    for (const word of answerTo(model, messages).split(/(?<=\s)/)) {
      if (token.isCancellationRequested) return;
      progress.report(new LanguageModelTextPart(word));
      await delay(chunkIntervalMs);
    }
  },
  provideTokenCount: async (_model, text) => Math.ceil((typeof text === 'string' ? text : textOf(text)).length / 4),
};

/** Registers models that echo the last user message. Nothing happens in a VS Code that takes no models. */
export function registerModel(): Disposable | undefined {
  const registry: object & ModelRegistry = lm;
  return registry.registerLanguageModelChatProvider?.('patchbay-companion', provider);
}

function information(family: string, name: string): ModelInformation {
  return {
    id: `companion-${family}`,
    name,
    family: `companion-${family}`,
    version: '1',
    maxInputTokens: 8000,
    maxOutputTokens: 2000,
    capabilities: {},
  };
}

function answerTo(model: ModelInformation, messages: readonly RequestMessage[]): string {
  const question = messages.findLast((message) => message.role === userRole);
  return `${model.name} says: ${question === undefined ? 'nothing was asked' : textOf(question)}`;
}

function textOf(message: RequestMessage): string {
  return message.content.map((part) => (part instanceof LanguageModelTextPart ? part.value : '')).join('');
}
