import * as fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { createRedactor } from '../../../src/secrets/redactor.ts';
import { traceJson } from '../../../src/client/trace/traceJson.ts';
import { toResultView } from '../../../src/host/results/resultDocument.ts';
import { fence, toolResultToMarkdown } from '../../../src/host/results/contentMarkdown.ts';
import { readCallToolResult } from '../../../src/protocol/mcp/tools.ts';
import { parseUriTemplate } from '../../../src/protocol/uriTemplate.ts';
import { hostileValue, tellingTexts } from '../arbitraries.ts';
import { attempt, type Target } from '../target.ts';

interface ViewCase {
  readonly result: unknown;
  readonly text: string;
}

const markup = ['`', '```', '~~~', '\n', '#', '- ', '<b>', '[a](b)', '|', '\\', '{a}', '{+a,b*}', '{?x:3}'];
const text = fc.oneof(
  fc.constantFrom(...tellingTexts),
  fc.array(fc.constantFrom(...markup), { maxLength: 20 }).map((pieces) => pieces.join('')),
  fc.string({ unit: 'binary', maxLength: 30 }),
);
const some = (usual: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 5, arbitrary: usual }, { weight: 1, arbitrary: hostileValue });
const block = fc.record(
  {
    type: some(fc.constantFrom('text', 'image', 'audio', 'resource', 'resource_link')),
    text: some(text),
    data: some(fc.constantFrom('iVBORw0KGgo=', 'no base64', '')),
    mimeType: some(fc.constantFrom('image/png', 'image/svg+xml', 'text/html', 'text/x-python; charset=utf-8')),
    uri: some(text),
    name: some(text),
    resource: some(
      fc.record({ uri: some(text), text: some(text), blob: some(text), mimeType: some(text) }, { requiredKeys: [] }),
    ),
    annotations: hostileValue,
  },
  { requiredKeys: [], noNullPrototype: true },
);
const result = fc.record(
  {
    content: some(fc.array(some(block), { maxLength: 4 })),
    structuredContent: hostileValue,
    isError: some(fc.boolean()),
  },
  { requiredKeys: [], noNullPrototype: true },
);
const cases: fc.Arbitrary<ViewCase> = fc.record({ result, text });

export const viewsTarget: Target<ViewCase> = {
  name: 'views',
  title: 'results and texts of servers: what is read of them, and what is made of it to be shown',
  async open() {
    const markdown = new MarkdownIt();
    return { cases, run: async (input) => run(input, markdown), close: () => Promise.resolve([]) };
  },
};

function run(input: ViewCase, markdown: InstanceType<typeof MarkdownIt>): void {
  traceJson(input.result, createRedactor([]));
  attempt(() => parseUriTemplate(input.text).expand({ a: input.text, b: 'x,y' }));
  attempt(() => show(readCallToolResult(input.result)));
  const [opening, ...others] = markdown.parse(fence(input.text), {});
  if (opening?.type !== 'fence' || others.length > 0) throw new Error('The text ended the block of code around it.');
}

function show(read: ReturnType<typeof readCallToolResult>): void {
  toolResultToMarkdown(read);
  toResultView({ key: 'k', title: 't', server: 's', result: { kind: 'tool', result: read }, actions: [] });
}
