import type { StartRow } from '../../src/shared/startReviewMessages.ts';
import type { UnknownRecord } from '../../src/base/json.ts';
import { checkElicitationUrl } from '../../src/client/elicitation/checkedUrl.ts';
import type { FormReview, UrlReview } from '../../src/client/elicitation/ports.ts';
import type { SamplingReview } from '../../src/client/sampling/ports.ts';
import { createPng } from '../fixtures/png.ts';
import { type ResultDocument, toResultView } from '../../src/host/results/resultDocument.ts';
import { exchangeAction } from '../../src/shared/resultMessages.ts';
import { readFlatForm } from '../../src/schema/flatForm.ts';

const picture = createPng(96);
const image = { type: 'image', data: picture, mimeType: 'image/png' } as const;
const text = (words: string) => ({ type: 'text', text: words }) as const;
type Content = SamplingReview['request']['messages'][number]['content'];
const asks = (...content: Content) => ({ role: 'user', content }) as const;
const answers = (...content: Content) => ({ role: 'assistant', content }) as const;
const model = (id: string, name: string, vendor: string, family: string, maxInputTokens: number) => ({
  id,
  name,
  vendor,
  family,
  maxInputTokens,
});

/** A second of silence, as a WAV file. */
const sound = makeWav(8_000);

export const review: SamplingReview = {
  server: 'demo',
  cause: 'tool summarize',
  isOwn: false,
  request: {
    systemPrompt: 'You are a careful editor. Answer in one short paragraph, in the language of the text.',
    messages: [
      asks(text('Summarize the text I am going to give you. Keep names and numbers.')),
      answers(text('Of course. Please give me the text.')),
      asks(
        text(
          'The patch bay at Studio B has 48 points in two rows.\nSources are on top, destinations below; each pair is half-normalled.\n\nThe manual is dated 1987.',
        ),
        image,
      ),
    ],
    maxTokens: 500,
    temperature: 0.3,
    stopSequences: ['\n\nEND', '###'],
    modelPreferences: { hints: [{ name: 'gpt-4o' }, { name: 'claude' }], costPriority: 0.2, speedPriority: 0.8 },
  },
  models: [
    model('copilot/gpt-4o', 'GPT-4o', 'copilot', 'gpt-4o', 63_827),
    model('copilot/claude-sonnet', 'Claude Sonnet 4', 'copilot', 'claude-sonnet-4', 81_638),
  ],
  suggestedModel: 'copilot/gpt-4o',
  suggestedBecause: 'it matches the server\'s hint "gpt-4o"',
  round: undefined,
  marks: [],
  askedBecause: undefined,
  definition: 'd1',
  facts: { maxTokens: 500, characters: 395, estimatedTokens: 1_234, frame: '', special: 'it has images' },
  budget: undefined,
};

/** A request that a rule can be made of. */
export const textReview: SamplingReview = {
  ...review,
  facts: { ...review.facts, characters: 356, special: undefined },
  budget: { used: 12_345, limit: 1_000_000 },
  request: {
    ...review.request,
    messages: review.request.messages.map(({ role, content }) => ({
      role,
      content: content.filter(({ type }) => type === 'text'),
    })),
  },
};

const key = 'sk-proj-4f8Zq2LmX9vB7nR1';

/** A third round with tools and secrets, on a day whose tokens are used up, while a rule exists. */
export const fullReview: SamplingReview = {
  ...review,
  server: 'deploy',
  cause: 'tool release',
  askedBecause: 'Your rule did not answer: this request is longer than the one it was made for.',
  facts: { ...review.facts, special: 'it offers tools to the model' },
  round: { number: 3, newFrom: 3 },
  budget: { used: 999_000, limit: 1_000_000 },
  marks: [
    {
      kind: 'secretInput',
      what: 'the value of the input "apiKey"',
      value: key,
      places: ['message 1', 'message 5', 'metadata'],
      isMaskable: true,
    },
    {
      kind: 'outsidePath',
      what: 'a path outside the workspace',
      value: '/home/ada/.ssh/config',
      places: ['system prompt'],
      isMaskable: true,
    },
    {
      kind: 'envFile',
      what: 'GITHUB_TOKEN of .env',
      value: 'prod-eu-1',
      places: ['message 2', 'an id or a name in message 2'],
      isMaskable: false,
    },
  ],
  request: {
    systemPrompt: 'You release software. The hosts are listed in /home/ada/.ssh/config.',
    maxTokens: 1_000,
    metadata: { key },
    messages: [
      asks(text(`Release version 2.4 with the key ${key}.`)),
      answers({ type: 'tool_use', id: 'prod-eu-1', name: 'status', input: { host: 'prod-eu-1' } }),
      asks({ type: 'tool_result', toolUseId: 'prod-eu-1', content: [text('Version 2.3 is running.')] }),
      answers(text('Version 2.3 is running. Shall I go on?')),
      asks(text(`Yes.\nexport KEY=${key}`)),
    ],
    tools: [
      {
        name: 'status',
        description: 'Tells which version runs on a host.',
        inputSchema: { type: 'object', properties: { host: { type: 'string' } }, required: ['host'] },
      },
    ],
  },
  models: [
    {
      ...model('anthropic/claude-sonnet', 'Claude Sonnet 4', 'Anthropic', 'claude-sonnet-4', 200_000),
      destination: 'api.anthropic.com',
      price: { input: 3, output: 15 },
      abilities: { image: true, tools: true },
    },
    {
      ...model('local/gemma', 'gemma3:4b', 'Ollama', 'gemma3', 8_192),
      destination: '127.0.0.1:11434',
      price: { input: 0, output: 0 },
      abilities: { tools: false },
    },
    model('copilot/gpt-4o', 'GPT-4o', 'copilot', 'gpt-4o', 63_827),
  ],
  suggestedModel: 'anthropic/claude-sonnet',
  suggestedBecause: 'you chose it for this server',
};

export const reviewWithTools: SamplingReview = {
  ...review,
  server: 'everything',
  cause: undefined,
  request: {
    maxTokens: 1_000,
    includeContext: 'thisServer',
    toolChoice: { mode: 'auto' },
    metadata: { user: 'u-17', tags: ['lisbon'] },
    messages: [
      asks(text('What is the weather in Lisbon?')),
      answers({ type: 'tool_use', id: 'call-1', name: 'weather', input: { city: 'Lisbon', days: 2 } }),
      asks({
        type: 'tool_result',
        toolUseId: 'call-1',
        content: [text('Sunny, 24 °C, wind from the north.')],
        structuredContent: { high: 24, wind: 'N' },
      }),
    ],
    tools: [
      {
        name: 'weather',
        description: 'Tells the weather of a city for some days.',
        inputSchema: {
          type: 'object',
          properties: { city: { type: 'string' }, days: { type: 'integer' } },
          required: ['city'],
        },
        outputSchema: { type: 'object', properties: { high: { type: 'number' } } },
        annotations: { title: 'Weather', readOnlyHint: true },
      },
      { name: 'calendar', title: 'Calendar', inputSchema: { type: 'object' } },
    ],
  },
};

/** One field of every kind, most with a default. */
export const formReview: FormReview = {
  kind: 'form',
  server: 'demo',
  cause: 'tool order_lunch',
  message: 'What may we bring you on Friday?\nThe kitchen closes at eleven.',
  schema: schemaOf(
    {
      name: { type: 'string', title: 'Name', description: 'As it should stand on the box.', maxLength: 40 },
      email: { type: 'string', format: 'email', title: 'Email' },
      main: {
        type: 'string',
        title: 'Main dish',
        enum: ['soup', 'curry', 'salad'],
        enumNames: ['Soup', 'Curry', 'Salad'],
      },
      extras: {
        type: 'array',
        title: 'Extras',
        description: 'All of them are free.',
        items: {
          anyOf: [
            { const: 'bread', title: 'Bread' },
            { const: 'fruit', title: 'Fruit' },
            { const: 'tea', title: 'Tea' },
          ],
        },
        maxItems: 2,
        default: ['bread'],
      },
      portions: { type: 'integer', title: 'Portions', minimum: 1, maximum: 4, default: 1 },
      budget: { type: 'number', title: 'Budget' },
      day: { type: 'string', format: 'date', title: 'Day', default: '2026-03-13' },
      at: { type: 'string', format: 'date-time', title: 'Delivery', default: '2026-03-13T11:30:00Z' },
      vegetarian: { type: 'boolean', title: 'Vegetarian', default: true },
      newsletter: { type: 'boolean', title: 'Send me next week’s menu' },
      note: { type: 'string', title: 'Note', default: 'No onions, please.' },
      guests: {
        anyOf: [{ type: 'array', items: { type: 'string', format: 'email' }, maxItems: 3 }, { type: 'null' }],
        title: 'Guests',
        default: null,
      },
      access_token: { type: 'string', title: 'Door code', pattern: '^[0-9]*$' },
    },
    ['name', 'email', 'main', 'vegetarian'],
  ),
};

export const visitReview: UrlReview = {
  kind: 'visit',
  server: 'demo',
  cause: 'tool read_guide',
  message: 'Please allow access to your calendar on our page.',
  address: checkElicitationUrl(
    'https://accounts.example.com:8443/connect/calendar?state=8f14e45fceea167a5a36dedd4bea2543',
  ),
  isRequired: false,
  wasVisited: false,
  isAnnounced: true,
  canCancel: true,
};

function schemaOf(properties: UnknownRecord, required: readonly string[]): FormReview['schema'] {
  return readFlatForm({ type: 'object', properties, required });
}

const run = async (): Promise<void> => {};

export const promptDocument: ResultDocument = {
  key: 'demo/review_code',
  title: 'Review Code',
  server: 'demo',
  actions: [
    { id: 'editor', label: 'Open in Editor', icon: 'go-to-file', run },
    { id: 'copy', label: 'Copy', icon: 'copy', run },
    { id: 'chat', label: 'Send to Chat', icon: 'comment-discussion', run },
    { id: 'model', label: 'Ask a Model…', icon: 'sparkle', run },
  ],
  resourcesOf: 'who',
  result: {
    kind: 'prompt',
    prompt: {
      description: 'Reviews a piece of code with a focus you choose.',
      messages: [
        {
          role: 'user',
          content: text(
            '## Task\n\nReview this function. Look at **readability** first; see [the guide](https://example.com/guide).\n\n```ts\nexport function add(a: number, b: number): number {\n  return a + b;\n}\n```\n\n| Point | Weight |\n|---|--:|\n| naming | 3 |\n| `null` cases | 5 |\n\n- short sentences\n- no praise\n\n> Be strict.',
          ),
        },
        { role: 'assistant', content: text('I will. Which file does it live in?') },
        {
          role: 'user',
          content: { type: 'resource_link', uri: 'demo://notes/style', name: 'style', title: 'Style notes' },
        },
        {
          role: 'user',
          content: {
            type: 'resource',
            resource: { uri: 'demo://readme', mimeType: 'text/markdown', text: '# Demo\n\nRead me *first*.' },
          },
        },
        { role: 'user', content: image },
      ],
    },
  },
};

export const toolDocument: ResultDocument = {
  key: 'demo/weather_report',
  title: 'Weather Report',
  server: 'demo',
  actions: promptDocument.actions.slice(0, 2),
  differences: [{ path: ['days', '1', 'high'], message: 'must be number' }],
  result: {
    kind: 'tool',
    result: {
      isError: false,
      content: [text('Lisbon: sunny, **24 °C**.'), { type: 'audio', data: sound, mimeType: 'audio/wav' }],
      structuredContent: {
        city: 'Lisbon',
        days: [
          { day: 'Mon', high: 24, rain: false },
          { day: 'Tue', high: null, rain: true },
        ],
        source: 'made up',
      },
    },
  },
};

export const toolOutcome = { kind: 'result', at: 0, durationMs: 1_200, result: toResultView(toolDocument) } as const;

export const failedDocument: ResultDocument = {
  ...toolDocument,
  key: 'demo/fail',
  title: 'Fail',
  differences: [],
  result: {
    kind: 'tool',
    result: { isError: true, content: [text('The file `notes.txt` does not exist.')] },
  },
};

/** A result with all metadata that its parts can have. */
export const richDocument: ResultDocument = {
  key: 'demo/show_everything',
  title: 'Show Everything',
  server: 'demo',
  actions: [...promptDocument.actions.slice(0, 2), { id: 'callAgain', label: 'Call Again', icon: 'refresh', run }],
  resourcesOf: 'who',
  call: { args: { city: 'Lisbon', days: 2 }, durationMs: 1_234 },
  result: {
    kind: 'tool',
    result: {
      isError: false,
      content: [
        { type: 'text', text: 'Two files about **Lisbon** follow.', annotations: { audience: ['user'], priority: 1 } },
        {
          type: 'text',
          text: '{"city":"Lisbon","files":2}',
          annotations: { audience: ['assistant'], priority: 0.2, lastModified: '2025-05-03T12:00:00Z' },
        },
        {
          type: 'resource_link',
          uri: 'demo://report',
          name: 'report',
          title: 'Yearly Report',
          description: 'Rain and sun of every month, with the stations they were measured at.',
          mimeType: 'application/pdf',
          size: 48_213,
          icons: [{ src: `data:image/png;base64,${picture}`, mimeType: 'image/png' }],
          annotations: { priority: 0.5 },
        },
        {
          type: 'resource',
          resource: { uri: 'demo://files/map.pdf', mimeType: 'application/pdf', blob: 'JVBERi0xLjQKJSVFT0YK' },
        },
        { type: 'image', data: picture, mimeType: 'image/tiff' },
        { type: 'audio', data: sound, mimeType: 'audio/wav', annotations: { audience: ['user', 'assistant'] } },
      ],
      _meta: { 'example.com/trace': 'trace-4711' },
    },
  },
};

/** JSON in all its forms: a text that disagrees, differences from the output schema, a table, an image to enlarge. */
export const dataDocument: ResultDocument = {
  key: 'demo/weather_data',
  title: 'Weather Data',
  server: 'demo',
  actions: [...promptDocument.actions.slice(0, 2), { ...exchangeAction, run: async () => {} }],
  differences: [
    { path: ['days', '1', 'high'], message: 'must be number' },
    { path: ['station'], message: "must have required property 'id'" },
  ],
  result: {
    kind: 'tool',
    result: {
      isError: false,
      content: [
        {
          type: 'text',
          text: JSON.stringify([
            { city: 'Lisbon', high: 24, sun: true, wind: null },
            { city: 'Porto', high: 19.5, sun: false, note: 'Rain in the evening, which ends before midnight.' },
          ]),
        },
        image,
      ],
      structuredContent: {
        city: 'Lisbon',
        days: [
          { day: 'Mon', high: 24, rain: false },
          { day: 'Tue', high: null, rain: true },
        ],
        station: { name: 'Airport', height: 105 },
        source: 'made up',
      },
    },
  },
};

function makeWav(samples: number): string {
  const file = Buffer.alloc(44 + samples);
  file.write('RIFF', 0, 'latin1');
  file.writeUInt32LE(36 + samples, 4);
  file.write('WAVEfmt ', 8, 'latin1');
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(8_000, 24);
  file.writeUInt32LE(8_000, 28);
  file.writeUInt16LE(1, 32);
  file.writeUInt16LE(8, 34);
  file.write('data', 36, 'latin1');
  file.writeUInt32LE(samples, 40);
  return file.fill(128, 44).toString('base64');
}

/** Two servers that need a yes: one as usual, one that is risky and has changed. */
export const startRows: readonly StartRow[] = [
  {
    label: 'deploy',
    line: 'sh -c "curl -s https://example.com/install.sh | sh"',
    origin: 'Defined in .mcp.json',
    warnings: ['It runs a shell, which can run anything.', 'It runs code from the network.'],
    details: [{ title: 'In folder', lines: ['/work/app'] }],
    note: 'This server has changed since you reviewed it. Review it again.',
    canStart: true,
    isChosen: false,
  },
  {
    label: 'memory',
    line: 'npx -y @modelcontextprotocol/server-memory',
    origin: 'Defined in .mcp.json',
    warnings: [],
    details: [
      { title: 'Command', lines: ['npx', '-y', '@modelcontextprotocol/server-memory'] },
      { title: '', lines: ['It can see these folders: /work/app'] },
    ],
    note: undefined,
    canStart: true,
    isChosen: true,
  },
];
