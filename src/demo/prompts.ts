import { isStringRecord, type UnknownRecord } from '../base/json.ts';
import type { ContentBlock } from '../protocol/mcp/content.ts';
import type { GetPromptResult, Prompt, PromptMessage } from '../protocol/mcp/prompts.ts';
import { type Completable, createCompletions } from './completion.ts';
import { paginate } from './pagination.ts';
import type { ResourceCatalog } from './resources.ts';
import { invalidParams, type RpcServer } from './rpcServer.ts';
import { createLogoPng } from './sampleFiles.ts';
import { citiesOf, countries, isPlace } from './weather.ts';

/** The arguments of `prompts/get`; all required ones are present. */
export type PromptArguments = Readonly<Record<string, string>>;

/** A prompt: its definition, the completions for its arguments, and its result. */
export interface DemoPrompt extends Completable<Prompt> {
  readonly get: (args: PromptArguments) => GetPromptResult;
}

/**
 * Answers `prompts/list` and `prompts/get`.
 * @param listed called for each request, because the list can change
 */
export function registerPrompts(rpc: RpcServer, listed: () => readonly DemoPrompt[]): void {
  rpc.handle('prompts/list', (params) =>
    paginate(
      'prompts',
      listed().map((prompt) => prompt.definition),
      params,
    ),
  );
  rpc.handle('prompts/get', (params) => {
    const prompt = listed().find((candidate) => candidate.definition.name === params['name']);
    if (prompt === undefined) throw invalidParams(`there is no prompt ${JSON.stringify(params['name'])}.`);
    return prompt.get(readArguments(prompt, params));
  });
}

function readArguments({ definition }: DemoPrompt, params: UnknownRecord): PromptArguments {
  const args = params['arguments'] ?? {};
  if (!isStringRecord(args)) throw invalidParams('arguments must be an object of strings.');
  const missing = definition.arguments?.find(({ name, required }) => required === true && (args[name] ?? '') === '');
  if (missing !== undefined) throw invalidParams(`the prompt ${definition.name} needs the argument "${missing.name}".`);
  return args;
}

const greetings: ReadonlyMap<string, string> = new Map([
  ['Czech', 'Dobrý den'],
  ['Dutch', 'Hallo'],
  ['English', 'Hello'],
  ['Estonian', 'Tere'],
  ['Finnish', 'Hei'],
  ['French', 'Bonjour'],
  ['German', 'Guten Tag'],
  ['Greek', 'Kaliméra'],
  ['Italian', 'Buongiorno'],
  ['Japanese', 'Konnichiwa'],
  ['Polish', 'Dzień dobry'],
  ['Portuguese', 'Bom dia'],
  ['Spanish', 'Buenos días'],
  ['Swahili', 'Habari'],
  ['Swedish', 'God dag'],
  ['Turkish', 'Merhaba'],
]);

const focuses = ['correctness', 'error handling', 'naming', 'performance', 'readability', 'security', 'tests'];

/** The prompts that are always listed. */
export function createPrompts(resources: ResourceCatalog): readonly DemoPrompt[] {
  return [createGreet(), createReviewCode(), createPlanTrip(resources), createNoArguments()];
}

/** The prompt that is listed only after the tool `unlock` has run. */
export function createSecretPrompt(): DemoPrompt {
  return {
    definition: { name: 'secret_prompt', title: 'Secret Prompt', description: 'Only listed once unlock has run.' },
    completions: createCompletions(),
    get: () => ({ messages: [say('user', 'Tell me a secret about patch bays.')] }),
  };
}

function createGreet(): DemoPrompt {
  return {
    definition: {
      name: 'greet',
      title: 'Greet Somebody',
      description: 'A greeting, in the language you choose.',
      arguments: [
        { name: 'name', title: 'Name', description: 'Who to greet.', required: true },
        { name: 'language', title: 'Language', description: 'English when left out.', required: false },
      ],
    },
    completions: createCompletions({ language: () => [...greetings.keys()] }),
    get({ name, language = 'English' }) {
      const opening = greetings.get(language);
      const hint = opening === undefined ? '' : ` Begin with "${opening}".`;
      const text = `Write a short, warm greeting for ${name} in ${language}.${hint}`;
      return { description: `A greeting for ${name} in ${language}`, messages: [say('user', text)] };
    },
  };
}

function createReviewCode(): DemoPrompt {
  return {
    definition: {
      name: 'review_code',
      title: 'Review Code',
      description: 'Asks for a review, with an example of the tone wanted.',
      arguments: [
        { name: 'code', title: 'Code', description: 'What to review.', required: true },
        { name: 'focus', title: 'Focus', description: 'What to look at first.', required: false },
      ],
    },
    completions: createCompletions({ focus: () => focuses }),
    get({ code, focus }) {
      const aim = focus === undefined ? '' : ` Look at ${focus} first.`;
      return {
        description: focus === undefined ? 'A code review' : `A code review with an eye on ${focus}`,
        messages: [
          say('user', `You review code for a colleague. Be brief, concrete and kind.${aim}`),
          say('assistant', 'I will name the line, say what may go wrong, and suggest a change.'),
          say('user', `Please review this code:\n\n${fence(code ?? '')}`),
        ],
      };
    },
  };
}

function createPlanTrip(resources: ResourceCatalog): DemoPrompt {
  return {
    definition: {
      name: 'plan_trip',
      title: 'Plan a Trip',
      description: 'A plan for a day in a city, with its weather. The cities offered depend on the country.',
      arguments: [
        { name: 'country', title: 'Country', description: 'Where to go.', required: true },
        { name: 'city', title: 'City', description: 'A city of that country.', required: true },
      ],
    },
    completions: createCompletions({ country: () => countries, city: ({ country }) => citiesOf(country) }),
    get({ country = '', city = '' }) {
      if (!isPlace(country, city)) {
        throw invalidParams(`"${city}" is not a city of "${country}" that this server knows.`);
      }
      const uri = `demo://weather/${encodeURIComponent(country)}/${encodeURIComponent(city)}`;
      const weather = (resources.read(uri) ?? []).map((resource): PromptMessage =>
        message({ type: 'resource', resource }),
      );
      return {
        description: `A day in ${city}`,
        messages: [
          say('user', `Plan one day in ${city}, ${country}. The weather report and the badge of the trip follow.`),
          ...weather,
          message({ type: 'image', data: createLogoPng(96), mimeType: 'image/png' }),
        ],
      };
    },
  };
}

function createNoArguments(): DemoPrompt {
  return {
    definition: { name: 'no_arguments', title: 'Explain MCP', description: 'A prompt that asks for nothing.' },
    completions: createCompletions(),
    get: () => ({ messages: [say('user', 'Explain the Model Context Protocol in three sentences.')] }),
  };
}

function say(role: PromptMessage['role'], text: string): PromptMessage {
  return { role, content: { type: 'text', text } };
}

function message(content: ContentBlock): PromptMessage {
  return { role: 'user', content };
}

/** A Markdown code block; its fence is longer than any run of backticks in `code`. */
function fence(code: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
  const marks = '`'.repeat(longest + 1);
  return `${marks}\n${code}\n${marks}`;
}
