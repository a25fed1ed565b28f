import { delay } from '../base/abort.ts';
import type { Clock } from '../base/clock.ts';
import { ErrorCodes, JsonRpcError } from '../protocol/jsonRpc.ts';
import type { ContentBlock } from '../protocol/mcp/content.ts';
import { readmeSize } from './resources.ts';
import { createChimeWav, createLeafletPdf, createLogoPng } from './sampleFiles.ts';
import type { Session } from './session.ts';
import { type DemoTool, errorResult, structuredResult, textBlock, textResult } from './tool.ts';
import { reportWeather, weatherSchema } from './weather.ts';

const first = { type: 'number', title: 'First number', description: 'The number to add to.' } as const;
const second = { type: 'number', title: 'Second number', description: 'The number to add.' } as const;

/** Shows structured content. */
export function createAddTool(): DemoTool {
  return {
    definition: {
      name: 'add',
      title: 'Add Two Numbers',
      description: 'Adds two numbers and answers with structured content.',
      inputSchema: { type: 'object', properties: { a: first, b: second }, required: ['a', 'b'] },
      outputSchema: { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] },
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    },
    run(input) {
      const a = input.number('a', first);
      const b = input.number('b', second);
      const sum = a + b;
      return structuredResult(`${a} + ${b} = ${sum}`, { sum });
    },
  };
}

const how = {
  type: 'string',
  title: 'How to fail',
  description: 'A tool error is an answer a model can read; a protocol error is no answer at all.',
  enum: ['tool error', 'protocol error'],
  default: 'tool error',
} as const;

/** Shows the two kinds of errors. */
export function createFailTool(): DemoTool {
  return {
    definition: {
      name: 'fail',
      title: 'Fail',
      description: 'Always fails, in one of the two ways a tool can.',
      inputSchema: { type: 'object', properties: { how } },
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    },
    run(input) {
      if (input.choice('how', how) === 'tool error') return errorResult('This tool failed, as it was asked to.');
      const text = 'This call failed at the level of the protocol, as it was asked to.';
      throw new JsonRpcError(ErrorCodes.internalError, text, { tool: 'fail' });
    },
  };
}

const steps = {
  type: 'integer',
  title: 'Steps',
  description: 'How far to count.',
  minimum: 1,
  maximum: 100,
  default: 5,
} as const;
const intervalMs = {
  type: 'integer',
  title: 'Interval',
  description: 'Milliseconds between two steps.',
  minimum: 0,
  maximum: 10_000,
  default: 500,
} as const;

/** Shows progress and cancellation. */
export function createSlowCountTool(clock: Clock): DemoTool {
  return {
    definition: {
      name: 'slow_count',
      title: 'Count Slowly',
      description: 'Counts step by step, reports its progress and can be cancelled.',
      inputSchema: { type: 'object', properties: { steps, intervalMs } },
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    },
    async run(input, context) {
      const total = input.number('steps', steps);
      const interval = input.number('intervalMs', intervalMs);
      for (let step = 1; step <= total; step += 1) {
        await delay(clock, interval, context.signal);
        context.reportProgress({ progress: step, total, message: `Step ${step} of ${total}` });
      }
      return textResult(`Counted to ${total}.`);
    },
  };
}

const city = { type: 'string', title: 'City', description: 'Any name will do.', minLength: 1, maxLength: 100 } as const;

/** Shows an output schema with nested objects. */
export function createWeatherReportTool(): DemoTool {
  return {
    definition: {
      name: 'weather_report',
      title: 'Weather Report',
      description: 'Invents the weather of a city for three days. The same city always has the same weather.',
      inputSchema: { type: 'object', properties: { city }, required: ['city'] },
      outputSchema: weatherSchema,
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    },
    run(input) {
      const report = reportWeather(input.text('city', city));
      const sentence = `${report.city}: ${report.conditions}, ${report.temperatureCelsius} °C.`;
      return structuredResult(sentence, { ...report, forecast: report.forecast.map((day) => ({ ...day })) });
    },
  };
}

/** Shows each kind of content that exists in the negotiated revision. */
export function createShowEverythingTool(session: Session): DemoTool {
  return {
    definition: {
      name: 'show_everything',
      title: 'Show Everything',
      description: 'Answers with every kind of content, and with all that a server can say of it.',
      inputSchema: { type: 'object', properties: {}, additionalProperties: false },
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    },
    run() {
      const content: ContentBlock[] = [
        textBlock('**Every kind of content** follows: an image, a sound, a link and three embedded resources.'),
        {
          ...textBlock('Tell the person that the picture is a patch bay.'),
          annotations: { audience: ['assistant'], priority: 0.2, lastModified: '2026-07-28T09:00:00Z' },
        },
        {
          type: 'image',
          data: createLogoPng(96),
          mimeType: 'image/png',
          annotations: { audience: ['user'], priority: 0.9 },
        },
      ];
      if (session.isAtLeast('2025-03-26'))
        content.push({ type: 'audio', data: createChimeWav(), mimeType: 'audio/wav' });
      if (session.isAtLeast('2025-06-18')) content.push(linkToReadme());
      content.push(embeddedText(), embeddedBlob(), embeddedLeaflet());
      return { content, _meta: { 'patchbay.demo/drawnBy': 'the demo server itself' } };
    },
  };
}

function linkToReadme(): ContentBlock {
  return {
    type: 'resource_link',
    uri: 'demo://readme',
    name: 'readme',
    title: 'Read Me',
    description: 'What this server offers.',
    mimeType: 'text/markdown',
    size: readmeSize(),
    icons: [{ src: `data:image/png;base64,${createLogoPng(32)}`, mimeType: 'image/png', sizes: ['32x32'] }],
    annotations: { audience: ['user'], priority: 1 },
  };
}

function embeddedLeaflet(): ContentBlock {
  const uri = 'demo://embedded/leaflet.pdf';
  return { type: 'resource', resource: { uri, mimeType: 'application/pdf', blob: createLeafletPdf() } };
}

function embeddedText(): ContentBlock {
  const text = '{\n  "greeting": "Hello from an embedded resource"\n}\n';
  return { type: 'resource', resource: { uri: 'demo://embedded/data.json', mimeType: 'application/json', text } };
}

function embeddedBlob(): ContentBlock {
  return {
    type: 'resource',
    resource: { uri: 'demo://embedded/logo.png', mimeType: 'image/png', blob: createLogoPng(48) },
  };
}
