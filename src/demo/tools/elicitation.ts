import { isRecord, isString, type UnknownRecord } from '../../base/json.ts';
import { JsonRpcError } from '../../protocol/jsonRpc.ts';
import type { ClientFeature, DemoClient } from '../client.ts';
import type { Session } from '../session.ts';
import { type DemoTool, errorOutcome, textOutcome, type ToolOutcome } from './tool.ts';

const annotations = { readOnlyHint: true, idempotentHint: false, openWorldHint: false };

/** Fields of several kinds. */
const lunch = {
  name: { type: 'string', title: 'Name', description: 'As it should stand on the box.', minLength: 1, maxLength: 40 },
  dish: {
    type: 'string',
    title: 'Main dish',
    enum: ['soup', 'curry', 'salad'],
    enumNames: ['Soup of the day', 'Vegetable curry', 'Greek salad'],
    default: 'curry',
  },
  portions: { type: 'integer', title: 'Portions', minimum: 1, maximum: 4, default: 1 },
  day: { type: 'string', format: 'date', title: 'Day' },
  email: { type: 'string', format: 'email', title: 'Email', description: 'For the receipt, if you want one.' },
  cutlery: { type: 'boolean', title: 'With cutlery', default: false },
};

/** Lists with several choices exist since 2025-11-25 (Client / Elicitation). */
const extras = {
  type: 'array',
  title: 'Extras',
  description: 'All of them are free.',
  items: { type: 'string', enum: ['bread', 'fruit', 'tea'] },
  maxItems: 2,
  default: ['bread'],
};

const guide = 'https://modelcontextprotocol.io/docs/getting-started/intro';

/** Shows form mode elicitation. */
export function createOrderLunchTool(client: DemoClient, session: Session): DemoTool {
  return {
    definition: {
      name: 'order_lunch',
      title: 'Order Lunch With a Form',
      description: 'Asks the person for a lunch order in a form (elicitation). Nothing is ordered.',
      inputSchema: { type: 'object' },
      annotations,
    },
    run: (_input, call) =>
      askPerson(client, call.signal, 'elicitation form', {
        params: {
          message: 'What would you like for lunch? This is a demonstration: nobody cooks it.',
          requestedSchema: {
            type: 'object',
            properties: session.isAtLeast('2025-11-25') ? { ...lunch, extras } : lunch,
            required: ['name', 'dish'],
          },
        },
        toOutcome,
      }),
  };
}

/** Shows URL mode elicitation. */
export function createOpenGuideTool(client: DemoClient): DemoTool {
  let visits = 0;
  return {
    definition: {
      name: 'open_guide',
      title: 'Open the Guide in the Browser',
      description: 'Asks the person to visit a page about the Model Context Protocol (elicitation by URL).',
      inputSchema: { type: 'object' },
      annotations,
    },
    run(_input, call) {
      visits += 1;
      return askPerson(client, call.signal, 'elicitation url', {
        params: {
          mode: 'url',
          message: 'The introduction to the Model Context Protocol, for reading.',
          url: guide,
          elicitationId: `guide-${visits}`,
        },
        toOutcome,
      });
    },
  };
}

interface Question {
  /** The parameters of `elicitation/create`. */
  readonly params: UnknownRecord;
  /** Makes the result of the tool from the client's answer. */
  readonly toOutcome: (result: unknown) => ToolOutcome | Promise<ToolOutcome>;
}

/** Sends `elicitation/create`. An error of the client, or a missing capability, becomes a tool error. */
export async function askPerson(
  client: DemoClient,
  signal: AbortSignal,
  feature: Extract<ClientFeature, `elicitation ${string}`>,
  { params, toOutcome: finish }: Question,
): Promise<ToolOutcome> {
  if (!client.has(feature)) {
    return errorOutcome(`This client asks nobody: it did not declare the capability "${feature.replace(' ', '.')}".`);
  }
  try {
    return await finish(await client.request('elicitation/create', params, signal));
  } catch (error) {
    if (!(error instanceof JsonRpcError)) throw error;
    return errorOutcome(`The client gave no answer (code ${error.code}): ${error.message}`);
  }
}

function toOutcome(result: unknown): ToolOutcome {
  const { action, content } = isRecord(result) ? result : {};
  if (!isString(action)) return errorOutcome('The client sent an answer without an action.');
  if (action !== 'accept') return textOutcome(`The answer was "${action}".`);
  const filled = isRecord(content) ? Object.entries(content) : [];
  const lines = filled.map(([name, value]) => `${name}: ${[value].flat().join(', ')}`);
  return textOutcome(['The answer was "accept".', ...lines].join('\n'));
}
