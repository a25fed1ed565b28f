import { localPorts } from '../../models/localServers.ts';
import type { ModelApi } from '../../models/modelConnection.ts';

/** Where models come from, as *Add Model…* offers it. */
export interface ModelProvider {
  readonly label: string;
  readonly description: string;
  readonly api: ModelApi;
  /** `local`: looked for on this machine. `other`: the person enters the address. */
  readonly kind: 'known' | 'local' | 'other';
  /** Empty where it is not known yet. */
  readonly baseUrl: string;
}

const portList = localPorts.map(({ port, program }) => `${program} (${port})`).join(', ');

/** The choices of *Add Model…*, in their order. */
export const modelProviders: readonly ModelProvider[] = [
  {
    label: 'Look for Models on This Computer',
    description: `Asks 127.0.0.1 for ${portList}`,
    api: 'openai-chat',
    kind: 'local',
    baseUrl: '',
  },
  known('OpenAI', 'Chat completions', 'openai-chat', 'https://api.openai.com/v1'),
  known('OpenAI', 'Responses', 'openai-responses', 'https://api.openai.com/v1'),
  known('Anthropic', 'Messages', 'anthropic', 'https://api.anthropic.com/v1'),
  known('Google Gemini', 'generateContent', 'gemini', 'https://generativelanguage.googleapis.com/v1beta'),
  known('OpenRouter', 'Chat completions', 'openai-chat', 'https://openrouter.ai/api/v1'),
  {
    label: 'Another OpenAI-Compatible Address…',
    description: 'Chat completions of any other server, on this computer or elsewhere',
    api: 'openai-chat',
    kind: 'other',
    baseUrl: '',
  },
];

function known(name: string, protocol: string, api: ModelApi, baseUrl: string): ModelProvider {
  const { host } = new URL(baseUrl);
  return { label: `${name} (${protocol})`, description: `${host}, with your key`, api, kind: 'known', baseUrl };
}
