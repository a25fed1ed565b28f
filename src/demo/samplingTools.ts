import { isRecord, isString } from '../base/json.ts';
import { type ContentBlock, readContentList } from '../protocol/mcp/content.ts';
import type { ModelPreferences } from '../protocol/mcp/sampling.ts';
import { createLogoPng } from './sampleFiles.ts';
import type { DemoClient } from './session.ts';
import { type DemoTool, errorResult, requestFromClient, textBlock, type ToolResult } from './tool.ts';

const text = {
  type: 'string',
  title: 'Text',
  description: 'What to summarize.',
  minLength: 1,
  maxLength: 100_000,
} as const;
const style = {
  type: 'string',
  title: 'Style',
  description: 'The form of the summary.',
  enum: ['one sentence', 'bullet points', 'haiku'],
  default: 'one sentence',
} as const;

const annotations = { readOnlyHint: true, idempotentHint: false, openWorldHint: true };

/** The message and the settings of `sampling/createMessage`. */
interface SamplingCall {
  readonly content: ContentBlock;
  readonly systemPrompt: string;
  readonly maxTokens: number;
  readonly modelPreferences: ModelPreferences;
}

/** Shows sampling with a text. */
export function createSummarizeTool(client: DemoClient): DemoTool {
  return {
    definition: {
      name: 'summarize',
      title: 'Summarize With a Model',
      description: 'Asks the client for a language model (sampling) and answers with what it gave.',
      inputSchema: { type: 'object', properties: { text, style }, required: ['text'] },
      annotations,
    },
    run(input, { signal }) {
      const form = input.choice('style', style);
      return askModel(client, signal, {
        content: textBlock(`Summarize the following text as ${form}.\n\n${input.text('text', text)}`),
        systemPrompt: 'You summarize texts. Answer with the summary alone.',
        maxTokens: 300,
        modelPreferences: {
          hints: [{ name: 'claude-sonnet' }, { name: 'gpt' }],
          costPriority: 0.3,
          speedPriority: 0.8,
          intelligencePriority: 0.5,
        },
      });
    },
  };
}

/** Shows sampling with an image. */
export function createDescribeImageTool(client: DemoClient): DemoTool {
  return {
    definition: {
      name: 'describe_image',
      title: 'Describe the Logo With a Model',
      description: "Sends this server's logo to the client's language model and answers with its description.",
      inputSchema: { type: 'object' },
      annotations,
    },
    run: (_input, { signal }) =>
      askModel(client, signal, {
        content: { type: 'image', data: createLogoPng(96), mimeType: 'image/png' },
        systemPrompt: 'Describe the image in two sentences.',
        maxTokens: 200,
        modelPreferences: { hints: [{ name: 'vision' }], intelligencePriority: 0.7 },
      }),
  };
}

function askModel(client: DemoClient, signal: AbortSignal, call: SamplingCall): ToolResult | Promise<ToolResult> {
  if (!client.has('sampling')) {
    return errorResult('This client provides no language model: it did not declare the capability "sampling".');
  }
  const { content, ...settings } = call;
  const params = { messages: [{ role: 'user', content }], ...settings, includeContext: 'none' };
  const failure = 'The client gave no answer of a language model';
  return requestFromClient(client, { method: 'sampling/createMessage', params, signal, failure }, describeAnswer);
}

/** The content of the answer unchanged, and a line with the name of the model. */
export function describeAnswer(result: unknown): ToolResult {
  const answer = isRecord(result) ? result : {};
  const model = isString(answer['model']) ? answer['model'] : 'an unnamed model';
  const reason = isString(answer['stopReason']) ? `, which stopped for ${answer['stopReason']}` : '';
  const content = readContentList(answer['content']).filter((block) => block.type !== 'unknown');
  if (content.length === 0) return errorResult('The client sent an answer without usable content.');
  return { content: [...content, textBlock(`Answered by ${model}${reason}.`)] };
}
