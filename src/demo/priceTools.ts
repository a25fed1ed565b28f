import { isRecord, isString, type UnknownRecord } from '../base/json.ts';
import type { Tool } from '../protocol/mcp/tools.ts';
import { describeAnswer } from './samplingTools.ts';
import type { DemoClient } from './session.ts';
import { type DemoTool, errorResult, requestFromClient, textBlock, type ToolResult } from './tool.ts';

const list = {
  type: 'string',
  title: 'Shopping list',
  description: 'What to add up: goods with their prices, in your own words.',
  minLength: 1,
  maxLength: 10_000,
  default: 'Bread for 3.20, cheese for 5.80, and four bottles of water at 1.10 each.',
} as const;

/** Rounds of one conversation. In the last one the model gets no more results, so that it has to answer. */
const maximumRounds = 5;
/** Calls of the calculator in one answer. */
const maximumCalls = 20;
const maximumNumbers = 100;

const systemPrompt =
  'You add up what the goods on a shopping list cost. Calculate with the tool "calculator", never by yourself. Then answer ' +
  'with the total in one sentence.';

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

/** Shows sampling with tools: this server runs what the model calls, and asks again until the model has an answer. */
export function createAddUpPricesTool(client: DemoClient): DemoTool {
  return {
    definition: {
      name: 'add_up_prices',
      title: 'Add Up Prices With a Model',
      description: 'Asks a language model to add up prices, with a calculator as its tool (sampling with tools).',
      inputSchema: { type: 'object', properties: { list } },
      annotations: { readOnlyHint: true, idempotentHint: false, openWorldHint: true },
    },
    run(input, { signal }) {
      if (!client.has('sampling tools')) {
        return errorResult(
          'This client gives a language model no tools: it did not declare the capability "sampling.tools".',
        );
      }
      const question = `What does all of this cost together?\n\n${input.text('list', list)}`;
      return converse(client, signal, [{ role: 'user', content: [textBlock(question)] }]);
    },
  };
}

/** A message of `sampling/createMessage`; the answers of the model are sent back as they came. */
interface Message {
  readonly role: 'user' | 'assistant';
  readonly content: readonly unknown[];
}

function converse(
  client: DemoClient,
  signal: AbortSignal,
  messages: readonly Message[],
  round = 1,
): Promise<ToolResult> {
  const params = {
    messages,
    systemPrompt,
    maxTokens: 400,
    modelPreferences: { intelligencePriority: 0.6, speedPriority: 0.6 },
    tools: [calculator],
    toolChoice: { mode: round < maximumRounds ? 'auto' : 'none' },
  };
  const failure = `The client gave no answer of a language model in round ${round}`;
  return requestFromClient(client, { method: 'sampling/createMessage', params, signal, failure }, (answer) => {
    const content = contentOf(answer);
    const calls = content.flatMap((block) => readCall(block) ?? []);
    if (calls.length === 0) return describeAnswer(answer);
    if (round === maximumRounds) return errorResult(`The model has no answer after ${maximumRounds} rounds.`);
    if (calls.length > maximumCalls)
      return errorResult(`The model called the calculator ${calls.length} times at once.`);
    const results: Message = { role: 'user', content: calls.map(calculate) };
    return converse(client, signal, [...messages, { role: 'assistant', content }, results], round + 1);
  });
}

function contentOf(answer: unknown): readonly unknown[] {
  const content = isRecord(answer) ? answer['content'] : undefined;
  return Array.isArray(content) ? content : [content];
}

interface Call {
  readonly id: string;
  readonly name: string;
  readonly input: UnknownRecord;
}

function readCall(block: unknown): Call | undefined {
  if (!isRecord(block) || block['type'] !== 'tool_use') return undefined;
  const { id, name, input } = block;
  return isString(id) && isString(name) ? { id, name, input: isRecord(input) ? input : {} } : undefined;
}

/** The result of a call, or what is wrong with it, so that the model can correct it. */
function calculate({ id, name, input }: Call): UnknownRecord {
  const result = (text: string, others: object = {}): UnknownRecord => ({
    type: 'tool_result',
    toolUseId: id,
    content: [textBlock(text)],
    ...others,
  });
  const { operation, numbers } = input;
  if (name !== calculator.name) return result('There is no such tool.', { isError: true });
  if (!isNumbers(numbers)) return result(`"numbers" must be 1 to ${maximumNumbers} numbers.`, { isError: true });
  if (operation !== 'add' && operation !== 'multiply')
    return result('"operation" must be "add" or "multiply".', { isError: true });
  const total =
    operation === 'add' ? numbers.reduce((sum, each) => sum + each, 0) : numbers.reduce((all, each) => all * each, 1);
  // Prices: without the noise of binary fractions.
  return result(String(Number(total.toPrecision(12))));
}

function isNumbers(value: unknown): value is readonly number[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > maximumNumbers) return false;
  return value.every((each) => Number.isFinite(each));
}
