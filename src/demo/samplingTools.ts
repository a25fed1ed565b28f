import { isRecord, isString, type UnknownRecord } from '../base/json.ts';
import { readContentList } from '../protocol/mcp/content.ts';
import type { Tool } from '../protocol/mcp/tools.ts';
import { logoPng } from './sampleFiles.ts';
import type { Session } from './session.ts';
import { askClient, type DemoTool, defineTool, errorResult, textBlock, type ToolResult } from './tool.ts';

const annotations = { readOnlyHint: true, idempotentHint: false, openWorldHint: true };

/** Rounds of one conversation. In the last one the model gets no more results, so that it has to answer. */
const maximumRounds = 5;
/** Calls of the calculator in one answer. */
const maximumCalls = 20;
const maximumNumbers = 100;

/** Tools that ask for a language model: with a text, with an image, and with a tool for the model. */
export const samplingTools: readonly DemoTool[] = [
  defineTool({
    name: 'summarize',
    title: 'Summarize With a Model',
    description: 'Asks the client for a language model (sampling) and answers with what it gave.',
    input: {
      text: { type: 'string', title: 'Text', description: 'What to summarize.', minLength: 1, maxLength: 100_000 },
      style: {
        type: 'string',
        title: 'Style',
        description: 'The form of the summary.',
        enum: ['one sentence', 'bullet points', 'haiku'],
        default: 'one sentence',
      },
    },
    annotations,
    run({ text, style }, session, { signal }) {
      const content = textBlock(`Summarize the following text as ${style}.\n\n${text}`);
      return askModel(session, signal, content, {
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
  }),
  defineTool({
    name: 'describe_image',
    title: 'Describe the Logo With a Model',
    description: "Sends this server's logo to the client's language model and answers with its description.",
    annotations,
    run(_args, session, { signal }) {
      const content = { type: 'image', data: logoPng(96), mimeType: 'image/png' };
      return askModel(session, signal, content, {
        systemPrompt: 'Describe the image in two sentences.',
        maxTokens: 200,
        modelPreferences: { hints: [{ name: 'vision' }], intelligencePriority: 0.7 },
      });
    },
  }),
  defineTool({
    name: 'add_up_prices',
    title: 'Add Up Prices With a Model',
    description: 'Asks a language model to add up prices, with a calculator as its tool (sampling with tools).',
    input: {
      list: {
        type: 'string',
        title: 'Shopping list',
        description: 'What to add up: goods with their prices, in your own words.',
        minLength: 1,
        maxLength: 10_000,
        default: 'Bread for 3.20, cheese for 5.80, and four bottles of water at 1.10 each.',
      },
    },
    annotations,
    run({ list }, session, { signal }) {
      const question = `What does all of this cost together?\n\n${list}`;
      return converse(session, signal, [{ role: 'user', content: [textBlock(question)] }]);
    },
  }),
];

function askModel(session: Session, signal: AbortSignal, content: object, more: UnknownRecord): Promise<ToolResult> {
  const params = { messages: [{ role: 'user', content }], ...more, includeContext: 'none' };
  return askClient(session, signal, 'sampling', params, describeAnswer);
}

/** The content of the answer unchanged, and a line with the name of the model. */
function describeAnswer(result: unknown): ToolResult {
  const answer = isRecord(result) ? result : {};
  const model = isString(answer['model']) ? answer['model'] : 'an unnamed model';
  const reason = isString(answer['stopReason']) ? `, which stopped for ${answer['stopReason']}` : '';
  const content = readContentList(answer['content']).filter((block) => block.type !== 'unknown');
  if (content.length === 0) return errorResult('The client sent an answer without usable content.');
  return { content: [...content, textBlock(`Answered by ${model}${reason}.`)] };
}

/** The tool that this server runs for the model. */
const calculator: Tool = {
  name: 'calculator',
  description: 'Adds or multiplies numbers.',
  inputSchema: {
    type: 'object',
    properties: {
      operation: { type: 'string', enum: ['add', 'multiply'] },
      numbers: { type: 'array', items: { type: 'number' }, minItems: 1, maxItems: maximumNumbers },
    },
    required: ['operation', 'numbers'],
  },
};

/** Runs what the model calls, and asks again until the model has an answer. */
function converse(
  session: Session,
  signal: AbortSignal,
  messages: readonly UnknownRecord[],
  round = 1,
): Promise<ToolResult> {
  const params = {
    messages,
    systemPrompt:
      'You add up what the goods on a shopping list cost. Calculate with the tool "calculator", never by yourself. Then answer ' +
      'with the total in one sentence.',
    maxTokens: 400,
    modelPreferences: { intelligencePriority: 0.6, speedPriority: 0.6 },
    tools: [calculator],
    toolChoice: { mode: round < maximumRounds ? 'auto' : 'none' },
  };
  return askClient(session, signal, 'sampling.tools', params, (answer) => {
    const content = [isRecord(answer) ? answer['content'] : undefined].flat() as readonly unknown[];
    const calls = content.filter(isCall);
    if (calls.length === 0) return describeAnswer(answer);
    if (round === maximumRounds) return errorResult(`The model has no answer after ${maximumRounds} rounds.`);
    if (calls.length > maximumCalls)
      return errorResult(`The model called the calculator ${calls.length} times at once.`);
    // The answers of the model are sent back as they came.
    const exchange = [
      { role: 'assistant', content },
      { role: 'user', content: calls.map(runCall) },
    ];
    return converse(session, signal, [...messages, ...exchange], round + 1);
  });
}

interface Call {
  readonly id: string;
  readonly name: string;
  readonly input?: unknown;
}

function isCall(block: unknown): block is Call {
  return isRecord(block) && block['type'] === 'tool_use' && isString(block['id']) && isString(block['name']);
}

/** The result of a call, or what is wrong with it, so that the model can correct it. */
function runCall({ id, name, input }: Call): UnknownRecord {
  const { operation, numbers } = isRecord(input) ? input : {};
  const answer = (text: string): UnknownRecord => ({ type: 'tool_result', toolUseId: id, content: [textBlock(text)] });
  const refuse = (text: string): UnknownRecord => ({ ...answer(text), isError: true });
  if (name !== calculator.name) return refuse('There is no such tool.');
  if (!isNumbers(numbers)) return refuse(`"numbers" must be 1 to ${maximumNumbers} numbers.`);
  if (operation !== 'add' && operation !== 'multiply') return refuse('"operation" must be "add" or "multiply".');
  const total =
    operation === 'add' ? numbers.reduce((sum, each) => sum + each, 0) : numbers.reduce((all, each) => all * each, 1);
  // Prices: without the noise of binary fractions.
  return answer(String(Number(total.toPrecision(12))));
}

function isNumbers(value: unknown): value is readonly number[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > maximumNumbers) return false;
  return value.every((each) => Number.isFinite(each));
}
