import { isThisComputer } from '../base/hostKind.ts';
import { limits } from '../base/limits.ts';
import { truncate } from '../base/truncate.ts';
import { visibleText } from '../base/visibleText.ts';
import { type ModelConnection, ModelError } from './modelGateway.ts';

/** Where the requests of a {@link ModelConnection} go. */
export type Endpoint = ReturnType<typeof endpointOf>;

const vendors: Readonly<Record<string, string>> = {
  'api.openai.com': 'OpenAI',
  'api.anthropic.com': 'Anthropic',
  'generativelanguage.googleapis.com': 'Google',
  'openrouter.ai': 'OpenRouter',
};

/**
 * Reads the address of a connection.
 * @throws {ModelError} `failed`, when it is no HTTP address
 */
export function endpointOf({ api, baseUrl, name }: Pick<ModelConnection, 'api' | 'baseUrl' | 'name'>) {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  const shownName = visibleText(truncate(name, limits.server.name));
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new ModelError(
      'failed',
      `The address of "${shownName}" cannot be used: it must begin with http:// or https://, without user and password.`,
    );
  }
  const destination = url.host;
  return {
    api,
    /** Without a slash at its end. */
    baseUrl: `${url.origin}${url.pathname}`.replace(/\/+$/, ''),
    origin: url.origin,
    /** Host and port, to show it. */
    destination,
    /** Who runs it, as far as its address shows that; else the destination. */
    vendor: vendors[url.hostname] ?? destination,
    /** True for OpenAI's own hosts, and those of its models at Azure. */
    isOpenAI: url.hostname === 'api.openai.com' || url.hostname.endsWith('.openai.azure.com'),
    isLocal: isThisComputer(url.hostname),
    /** The beginning of a sentence, such as `Ollama at 127.0.0.1:11434`. */
    title: `${shownName} at ${visibleText(destination)}`,
  };
}

/**
 * The headers with which an endpoint learns the key.
 * @throws {ModelError} `unauthorized`, when the key cannot be sent in a header
 */
export function keyHeaders({ api, title }: Endpoint, key: string | undefined): Readonly<Record<string, string>> {
  const trimmed = key?.trim() ?? '';
  if (trimmed === '') return {};
  if (!/^[!-~]+$/.test(trimmed)) {
    throw new ModelError('unauthorized', `The key for ${title} has characters that no key has: enter it again.`);
  }
  if (api === 'anthropic') return { 'x-api-key': trimmed };
  return api === 'gemini' ? { 'x-goog-api-key': trimmed } : { authorization: `Bearer ${trimmed}` };
}
