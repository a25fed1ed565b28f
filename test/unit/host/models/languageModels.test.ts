import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createLanguageModels, createTokenLimit, toChatMessages } from '../../../../src/host/models/languageModels.ts';
import type { SamplingRequest, ToolResultContent } from '../../../../src/protocol/mcp/sampling.ts';
import { LanguageModelTextPart, lm } from '../../../fixtures/vscode.ts';

/** The pieces of the next answer, or its failure; what was asked for, sent and counted. */
const model = {
  answer: [] as readonly string[],
  failure: undefined as Error | undefined,
  selected: [] as unknown[],
  sent: [] as { readonly modelOptions?: object }[],
  canCount: true,
};
const editorModel = {
  id: 'm',
  name: 'Model',
  vendor: 'maker',
  family: 'f',
  maxInputTokens: 10,
  async sendRequest(_messages: unknown, options: object) {
    if (model.failure !== undefined) throw model.failure;
    model.sent.push(options);
    return { stream: model.answer.map((text) => new LanguageModelTextPart(text)) };
  },
  async countTokens(counted: unknown) {
    if (!model.canCount) throw new Error('cannot count');
    return typeof counted === 'string' ? counted.length : 7;
  },
};

function request(result: Partial<ToolResultContent>): SamplingRequest {
  const content = [{ type: 'tool_result', toolUseId: 'a', content: [], ...result } as const];
  return { maxTokens: 1, messages: [{ role: 'user', content }] };
}

/** The content that a model receives of a result: texts, and the types of all other parts. */
function partsOf(result: Partial<ToolResultContent>): unknown[] {
  const [message] = toChatMessages(request(result)) as unknown as {
    content: { content: Record<string, unknown>[] }[];
  }[];
  return (message?.content[0]?.content ?? []).map(({ value, mimeType }) => mimeType ?? value);
}

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

describe('a model of the editor', () => {
  const { signal } = new AbortController();
  const gateway = createLanguageModels();
  const ask = (asked: SamplingRequest) => gateway.generate('lm:maker/m', asked, () => {}, signal);
  const text: SamplingRequest = {
    maxTokens: 100,
    messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
  };

  beforeEach(() => {
    Object.assign(model, { answer: [], failure: undefined, selected: [], sent: [], canCount: true });
    const selectChatModels = async (selector?: object) => (model.selected.push(selector), [editorModel]);
    Object.assign(lm, { selectChatModels });
  });

  it('has an id of its own among all gateways, which VS Code does not get', async () => {
    expect(await gateway.list()).toMatchObject([{ id: 'lm:maker/m', name: 'Model', maxInputTokens: 10 }]);
    await ask(text);
    // Its id alone could be that of another extension's model.
    expect(model.selected).toEqual([undefined, undefined]);
    for (const other of ['m', 'lm:m', 'lm:other/m'])
      await expect(gateway.generate(other, text, () => {}, signal)).rejects.toMatchObject({ kind: 'notFound' });
  });

  it('hands the metadata to the provider of the model [sampling-parts]', async () => {
    await ask({ ...request({}), metadata: { user: 'a' } });
    await ask(request({}));
    expect(model.sent.map(({ modelOptions }) => modelOptions)).toEqual([
      { max_tokens: 1, metadata: { user: 'a' } },
      { max_tokens: 1 },
    ]);
  });

  it('counts the tokens of the request and of the answer', async () => {
    model.answer = ['two ', 'pieces'];
    const { result, usage } = await ask({ ...text, messages: [...text.messages, ...text.messages] });
    expect(result).toMatchObject({
      content: [{ type: 'text', text: 'two pieces' }],
      model: 'm',
      stopReason: 'endTurn',
    });
    expect(usage).toEqual({ inputTokens: 14, outputTokens: 'two pieces'.length });
  });

  it('counts the tools that it is offered too', async () => {
    const tools = [{ name: 'a', inputSchema: { type: 'object' as const } }];
    const offered = JSON.stringify([{ name: 'a', description: '', inputSchema: { type: 'object' } }]);
    expect((await ask({ ...text, tools })).usage.inputTokens).toBe(7 + offered.length);
    expect((await ask({ ...text, tools, toolChoice: { mode: 'none' } })).usage.inputTokens).toBe(7);
  });

  it('answers although it cannot count', async () => {
    model.answer = ['yes'];
    model.canCount = false;
    const { result, usage } = await ask(text);
    expect(result.content).toEqual([{ type: 'text', text: 'yes' }]);
    expect(usage).toEqual({ inputTokens: undefined, outputTokens: undefined });
  });

  it.each([
    [{ code: 'NoPermissions' }, 'unauthorized'],
    [{ code: 'Blocked' }, 'unauthorized'],
    [{ code: 'NotFound' }, 'notFound'],
    [{ name: 'ChatQuotaExceeded' }, 'rateLimited'],
    [{ name: 'ChatRateLimited' }, 'rateLimited'],
    [{ code: 'Unknown', cause: Object.assign(new Error('x'), { name: 'ResponsibleAI' }) }, 'refused'],
    [{ code: 'Unknown' }, 'failed'],
  ])('that fails with %j says so', async (members, kind) => {
    model.failure = Object.assign(new Error('no luck'), members);
    await expect(ask(text)).rejects.toMatchObject({ kind, message: 'Model (maker) did not answer: no luck' });
  });
});

describe('the token limit', () => {
  // Four characters a token.
  const count = vi.fn(async (text: string) => Math.ceil(text.length / 4));

  it('is exceeded exactly when the model counts more', async () => {
    const limit = createTokenLimit(10, count);
    expect(await limit.isExceededBy('x'.repeat(40))).toBe(false);
    expect(await limit.isExceededBy('x'.repeat(41))).toBe(true);
  });

  it('does not count a text again while it cannot be over', async () => {
    count.mockClear();
    const limit = createTokenLimit(1_000, count);
    for (let length = 1; length <= 4_000; length += 1) expect(await limit.isExceededBy('x'.repeat(length))).toBe(false);
    expect(count.mock.calls.length).toBeLessThan(60);
  });
});
