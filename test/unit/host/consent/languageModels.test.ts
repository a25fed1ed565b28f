import { describe, expect, it, vi } from 'vitest';
import { createLanguageModels, toChatMessages } from '../../../../src/host/consent/languageModels.ts';
import type { SamplingRequest, ToolResultContent } from '../../../../src/protocol/mcp/sampling.ts';

const sent = vi.hoisted((): { modelOptions?: object }[] => []);
vi.mock('vscode', () => {
  class Part {
    readonly given: readonly unknown[];
    constructor(...given: readonly unknown[]) {
      this.given = given;
    }
  }
  const message = (content: unknown) => ({ content });
  return {
    LanguageModelTextPart: class extends Part {},
    LanguageModelDataPart: class extends Part {},
    LanguageModelToolCallPart: class extends Part {},
    LanguageModelToolResultPart: class extends Part {},
    LanguageModelChatMessage: { User: message, Assistant: message },
    CancellationTokenSource: class {
      readonly token = {};
      cancel() {}
      dispose() {}
    },
    lm: {
      selectChatModels: async () => [
        {
          id: 'm',
          sendRequest: async (_messages: unknown, options: object) => {
            sent.push(options);
            return { stream: [] };
          },
        },
      ],
    },
  };
});

function request(result: Partial<ToolResultContent>): SamplingRequest {
  const content = [{ type: 'tool_result', toolUseId: 'a', content: [], ...result } as const];
  return { maxTokens: 1, messages: [{ role: 'user', content }] };
}

/** The content that a model receives of a result: texts, and the types of all other parts. */
function partsOf(result: Partial<ToolResultContent>): unknown[] {
  const [message] = toChatMessages(request(result)) as unknown as { content: { given: [string, Parts] }[] }[];
  return (message?.content[0]?.given[1] ?? []).map(({ given: [first, type] }) => type ?? first);
}
type Parts = readonly { readonly given: readonly unknown[] }[];

describe('the result of a tool, as VS Code takes it', () => {
  it('has its structured content, and says that the tool failed [sampling-parts]', () => {
    expect(partsOf({ structuredContent: { high: 24 }, isError: true })).toEqual(['The tool failed:', '{"high":24}']);
    expect(partsOf({ structuredContent: [1], content: [{ type: 'text', text: 'No JSON {' }] })).toEqual([
      'No JSON {',
      '[1]',
    ]);
  });

  it('has no structured content twice', () => {
    const content = [{ type: 'text', text: '{ "b": 2, "a": 1 }' }] as const;
    expect(partsOf({ structuredContent: { a: 1, b: 2 }, content })).toEqual(['{ "b": 2, "a": 1 }']);
  });

  it('has pictures as pictures, not as text', () => {
    expect(partsOf({ content: [{ type: 'image', data: 'AA==', mimeType: 'image/png' }] })).toEqual(['image/png']);
  });
});

it('hands the metadata to the provider of the model [sampling-parts]', async () => {
  const { signal } = new AbortController();
  const gateway = createLanguageModels();
  await gateway.generate('m', { ...request({}), metadata: { user: 'a' } }, () => {}, signal);
  await gateway.generate('m', request({}), () => {}, signal);
  expect(sent.map(({ modelOptions }) => modelOptions)).toEqual([
    { max_tokens: 1, metadata: { user: 'a' } },
    { max_tokens: 1 },
  ]);
});
