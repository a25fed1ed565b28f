import { delay } from '../base/abort.ts';
import { isOptional, isRecord, isString } from '../base/json.ts';
import { ErrorCodes, JsonRpcError } from '../protocol/jsonRpc.ts';
import type { ContentBlock } from '../protocol/mcp/content.ts';
import type { Root } from '../protocol/mcp/roots.ts';
import { readmeSize } from './resources.ts';
import { createChimeWav, createLeafletPdf, createLogoIcons, logoPng } from './sampleFiles.ts';
import type { Session } from './session.ts';
import {
  askClient,
  type DemoTool,
  defineTool,
  errorResult,
  onlyAnswers,
  structuredResult,
  textBlock,
  textResult,
  type ToolResult,
} from './tool.ts';
import { weatherResult, weatherSchema } from './weather.ts';

/** Tools that need nothing of the client: structured content, progress and cancellation, errors, an output schema. */
export const basicTools: readonly DemoTool[] = [
  defineTool({
    name: 'add',
    title: 'Add Two Numbers',
    description: 'Adds two numbers and answers with structured content.',
    input: {
      a: { type: 'number', title: 'First number', description: 'The number to add to.' },
      b: { type: 'number', title: 'Second number', description: 'The number to add.' },
    },
    outputSchema: { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] },
    annotations: onlyAnswers,
    run: ({ a, b }) => structuredResult(`${a} + ${b} = ${a + b}`, { sum: a + b }),
  }),
  defineTool({
    name: 'slow_count',
    title: 'Count Slowly',
    description: 'Counts step by step, reports its progress and can be cancelled.',
    input: {
      steps: {
        type: 'integer',
        title: 'Steps',
        description: 'How far to count.',
        minimum: 1,
        maximum: 100,
        default: 5,
      },
      intervalMs: {
        type: 'integer',
        title: 'Interval',
        description: 'Milliseconds between two steps.',
        minimum: 0,
        maximum: 10_000,
        default: 500,
      },
    },
    annotations: onlyAnswers,
    async run({ steps, intervalMs }, { clock }, { signal, reportProgress }) {
      for (let step = 1; step <= steps; step += 1) {
        await delay(clock, intervalMs, signal);
        reportProgress({ progress: step, total: steps, message: `Step ${step} of ${steps}` });
      }
      return textResult(`Counted to ${steps}.`);
    },
  }),
  defineTool({
    name: 'fail',
    title: 'Fail',
    description: 'Always fails, in one of the two ways a tool can.',
    input: {
      how: {
        type: 'string',
        title: 'How to fail',
        description: 'A tool error is an answer a model can read; a protocol error is no answer at all.',
        enum: ['tool error', 'protocol error'],
        default: 'tool error',
      },
    },
    annotations: onlyAnswers,
    run({ how }) {
      if (how === 'tool error') return errorResult('This tool failed, as it was asked to.');
      const text = 'This call failed at the level of the protocol, as it was asked to.';
      throw new JsonRpcError(ErrorCodes.internalError, text, { tool: 'fail' });
    },
  }),
  defineTool({
    name: 'weather_report',
    title: 'Weather Report',
    description: 'Invents the weather of a city for three days. The same city always has the same weather.',
    input: {
      city: { type: 'string', title: 'City', description: 'Any name will do.', minLength: 1, maxLength: 100 },
    },
    outputSchema: weatherSchema,
    annotations: onlyAnswers,
    run: ({ city }) => weatherResult(city),
  }),
];

const rootsSchema = {
  type: 'object',
  properties: {
    roots: {
      type: 'array',
      items: {
        type: 'object',
        properties: { uri: { type: 'string' }, name: { type: 'string' } },
        required: ['uri'],
      },
    },
  },
  required: ['roots'],
};

export const clientTools: readonly DemoTool[] = [
  defineTool({
    name: 'list_roots',
    title: 'List Roots',
    description: 'Asks the client which folders this server may know of.',
    outputSchema: rootsSchema,
    annotations: { readOnlyHint: true, openWorldHint: false },
    run: (_args, session, { signal }) => askClient(session, signal, 'roots', {}, describeRoots),
  }),
  defineTool({
    name: 'ping_client',
    title: 'Ping the Client',
    description: 'Pings the client and tells how long its answer took.',
    outputSchema: { type: 'object', properties: { milliseconds: { type: 'number' } }, required: ['milliseconds'] },
    annotations: { readOnlyHint: true, openWorldHint: false },
    async run(_args, session, { signal }) {
      const start = session.clock.now();
      await session.request('ping', {}, signal);
      const milliseconds = session.clock.now() - start;
      return structuredResult(`The client answered after ${milliseconds} ms.`, { milliseconds });
    },
  }),
];

function describeRoots(result: unknown): ToolResult {
  const list = isRecord(result) ? result['roots'] : undefined;
  if (!Array.isArray(list)) return errorResult('The client sent no list of roots.');
  const roots = list.filter(isRoot).map(({ uri, name }) => ({ uri, ...(name !== undefined && { name }) }));
  const lines = roots.map(({ uri, name }) => (name === undefined ? uri : `${name}: ${uri}`));
  return structuredResult(lines.length === 0 ? 'The client lends no folder.' : lines.join('\n'), { roots });
}

function isRoot(value: unknown): value is Root {
  return isRecord(value) && isString(value['uri']) && isOptional(value['name'], isString);
}

/** All kinds of content, and lists that change. */
export const lastTools: readonly DemoTool[] = [
  defineTool({
    name: 'show_everything',
    title: 'Show Everything',
    description: 'Answers with every kind of content, and with all that a server can say of it.',
    input: {},
    annotations: onlyAnswers,
    run: (_args, session) => ({
      content: createEveryContent(session),
      _meta: { 'patchbay.demo/drawnBy': 'the demo server itself' },
    }),
  }),
  defineTool({
    name: 'unlock',
    title: 'Unlock the Hidden Tool',
    description: 'Makes secret_tool and secret_prompt appear, or disappear again.',
    input: {
      lock: {
        type: 'boolean',
        title: 'Lock again',
        description: 'Takes the hidden tool and prompt away instead.',
        default: false,
      },
    },
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    run({ lock }, session) {
      session.showHidden(!lock);
      return textResult(lock ? 'Locked.' : 'Unlocked: secret_tool and secret_prompt are listed now.');
    },
  }),
  defineTool({
    name: 'secret_tool',
    title: 'Secret Tool',
    description: 'Only listed once unlock has run.',
    annotations: onlyAnswers,
    isHidden: true,
    run: () => textResult('You found the hidden tool.'),
  }),
];

function createEveryContent(session: Session): readonly ContentBlock[] {
  const embed = (name: string, mimeType: string, content: { text: string } | { blob: string }): ContentBlock => ({
    type: 'resource',
    resource: { uri: `demo://embedded/${name}`, mimeType, ...content },
  });
  return [
    textBlock('**Every kind of content** follows: an image, a sound, a link and three embedded resources.'),
    {
      ...textBlock('Tell the person that the picture is a patch bay.'),
      annotations: { audience: ['assistant'], priority: 0.2, lastModified: '2026-07-28T09:00:00Z' },
    },
    {
      type: 'image',
      data: logoPng(96),
      mimeType: 'image/png',
      annotations: { audience: ['user'], priority: 0.9 },
    },
    ...(session.isAtLeast('2025-03-26')
      ? [{ type: 'audio', data: createChimeWav(), mimeType: 'audio/wav' } as const]
      : []),
    ...(session.isAtLeast('2025-06-18') ? [linkToReadme()] : []),
    embed('data.json', 'application/json', { text: '{\n  "greeting": "Hello from an embedded resource"\n}\n' }),
    embed('logo.png', 'image/png', { blob: logoPng(48) }),
    embed('leaflet.pdf', 'application/pdf', { blob: createLeafletPdf() }),
  ];
}

function linkToReadme(): ContentBlock {
  return {
    type: 'resource_link',
    uri: 'demo://readme',
    name: 'readme',
    title: 'Read Me',
    description: 'What this server offers.',
    mimeType: 'text/markdown',
    size: readmeSize,
    icons: createLogoIcons(),
    annotations: { audience: ['user'], priority: 1 },
  };
}
