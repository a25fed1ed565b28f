import type { ContentBlock } from '../protocol/mcp/content.ts';
import type { GetPromptResult, Prompt, PromptMessage } from '../protocol/mcp/prompts.ts';
import { type Completions, readResource } from './resources.ts';
import { logoPng } from './sampleFiles.ts';
import { invalidParams, type Session } from './session.ts';
import { isPlace, placeCompletions } from './weather.ts';

interface DemoPrompt {
  readonly definition: Prompt;
  readonly completions?: Completions;
  readonly isHidden?: boolean;
  /** @param args strings by name; all required ones are present */
  readonly get: (args: Readonly<Record<string, string>>, session: Session) => GetPromptResult;
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

export const prompts: readonly DemoPrompt[] = [
  {
    definition: {
      name: 'greet',
      title: 'Greet Somebody',
      description: 'A greeting, in the language you choose.',
      arguments: [
        { name: 'name', title: 'Name', description: 'Who to greet.', required: true },
        { name: 'language', title: 'Language', description: 'English when left out.', required: false },
      ],
    },
    completions: { language: () => [...greetings.keys()] },
    get({ name, language = 'English' }) {
      const opening = greetings.get(language);
      const hint = opening === undefined ? '' : ` Begin with "${opening}".`;
      const text = `Write a short, warm greeting for ${name} in ${language}.${hint}`;
      return { description: `A greeting for ${name} in ${language}`, messages: [say('user', text)] };
    },
  },
  {
    definition: {
      name: 'review_code',
      title: 'Review Code',
      description: 'Asks for a review, with an example of the tone wanted.',
      arguments: [
        { name: 'code', title: 'Code', description: 'What to review.', required: true },
        { name: 'focus', title: 'Focus', description: 'What to look at first.', required: false },
      ],
    },
    completions: { focus: () => focuses },
    get({ code = '', focus }) {
      const aim = focus === undefined ? '' : ` Look at ${focus} first.`;
      return {
        description: focus === undefined ? 'A code review' : `A code review with an eye on ${focus}`,
        messages: [
          say('user', `You review code for a colleague. Be brief, concrete and kind.${aim}`),
          say('assistant', 'I will name the line, say what may go wrong, and suggest a change.'),
          say('user', `Please review this code:\n\n${fence(code)}`),
        ],
      };
    },
  },
  {
    definition: {
      name: 'plan_trip',
      title: 'Plan a Trip',
      description: 'A plan for a day in a city, with its weather. The cities offered depend on the country.',
      arguments: [
        { name: 'country', title: 'Country', description: 'Where to go.', required: true },
        { name: 'city', title: 'City', description: 'A city of that country.', required: true },
      ],
    },
    completions: placeCompletions,
    get({ country = '', city = '' }, session) {
      if (!isPlace(country, city))
        throw invalidParams(`"${city}" is not a city of "${country}" that this server knows.`);
      const uri = `demo://weather/${encodeURIComponent(country)}/${encodeURIComponent(city)}`;
      return {
        description: `A day in ${city}`,
        messages: [
          say('user', `Plan one day in ${city}, ${country}. The weather report and the badge of the trip follow.`),
          ...readResource(uri, session).map((resource) => attach({ type: 'resource', resource })),
          attach({ type: 'image', data: logoPng(96), mimeType: 'image/png' }),
        ],
      };
    },
  },
  {
    definition: { name: 'no_arguments', title: 'Explain MCP', description: 'A prompt that asks for nothing.' },
    get: () => ({ messages: [say('user', 'Explain the Model Context Protocol in three sentences.')] }),
  },
  {
    definition: { name: 'secret_prompt', title: 'Secret Prompt', description: 'Only listed once unlock has run.' },
    isHidden: true,
    get: () => ({ messages: [say('user', 'Tell me a secret about patch bays.')] }),
  },
];

function say(role: PromptMessage['role'], text: string): PromptMessage {
  return { role, content: { type: 'text', text } };
}

function attach(content: ContentBlock): PromptMessage {
  return { role: 'user', content };
}

/** A Markdown code block; its fence is longer than any run of backticks in `code`. */
function fence(code: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
  const marks = '`'.repeat(longest + 1);
  return `${marks}\n${code}\n${marks}`;
}
