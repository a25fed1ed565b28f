import { splitCommandLine } from './splitCommandLine.ts';

/**
 * Finds the definition in what documentation prints for other clients: a link that installs a server, as `vscode:mcp/install?…`,
 * or a command that adds one, as `claude mcp add …`. Never throws.
 * @returns JSON; for any other text that itself, without the marks of a code block
 */
export function pastedDefinition(text: string): string {
  const whole = text.trim();
  const trimmed = (/^```\w*\s([^]*)```$/.exec(whole)?.[1] ?? whole).trim();
  if (/^["[{/]/.test(trimmed)) return trimmed;
  return (/^[a-z][a-z.+-]*:\S+$/i.test(trimmed) ? definitionOfLink(trimmed) : definitionOfCommand(trimmed)) ?? trimmed;
}

function definitionOfLink(link: string, isInner = false): string | undefined {
  const query = link.slice(link.indexOf('?') + 1);
  const parameters = new URLSearchParams(query);
  const inner = parameters.get('url');
  if (inner !== null && !isInner) return definitionOfLink(inner, true);
  try {
    const config = parameters.get('config') ?? decodeURIComponent(query);
    // In a query, the plus sign of Base64 stands for a space.
    const bytes = (): Uint8Array => Uint8Array.from(atob(config.replaceAll(' ', '+')), (byte) => byte.charCodeAt(0));
    return named(parameters.get('name'), /^\s*\{/.test(config) ? config : new TextDecoder().decode(bytes()));
  } catch {
    return undefined;
  }
}

function definitionOfCommand(line: string): string | undefined {
  const words = splitCommandLine(line.replaceAll(/\\\s/g, ' '));
  const json = words.findIndex((word) => word.startsWith('{'));
  if (json > 0 && words.includes('add-json')) return named(words[json - 1] ?? null, words[json] ?? '');
  if (json > 0 && words.includes('--add-mcp')) return words[json];
  const add = words.findIndex((word, index) => word === 'add' && words[index - 1] === 'mcp');
  return add === -1 ? undefined : addedServer(words.slice(add + 1));
}

const shortOptions: Readonly<Record<string, string>> = { H: 'header', e: 'env', s: 'scope', t: 'transport' };
const optionsWithValue =
  /^(?:bearer-token-env-var|callback-port|client-id|description|env|exclude-tools|header|include-tools|scope|timeout|transport|url)$/;

function addedServer(words: readonly string[]): string | undefined {
  const plain: string[] = [];
  const given: [string, string][] = [];
  const rest = [...words];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const [, written = '', joined] = /^--?([\w-]+)(?:=(.*))?$/s.exec(word) ?? [];
    const option = shortOptions[written] ?? written;
    // What follows a program is for it.
    if (word === '--') plain.push(...rest.splice(0));
    else if (option === '' || (plain[1] !== undefined && !isAddress(plain[1]))) plain.push(word);
    else if (optionsWithValue.test(option)) {
      const value = joined ?? rest.shift() ?? '';
      // Several may follow one option.
      const more = option === 'env' ? rest.findIndex((other) => !/^[A-Za-z_]\w*=/.test(other)) : 0;
      for (const text of [value, ...rest.splice(0, more === -1 ? rest.length : more)]) given.push([option, text]);
    }
  }
  const options = Object.fromEntries(given);
  const pairs = (name: string, sign: string): object =>
    Object.fromEntries(given.flatMap(([option, text]) => (option === name ? [splitAt(text, sign)] : [])));
  const [name = '', target = '', ...args] = plain;
  const url = options['url'] ?? (isAddress(target) ? target : undefined);
  if (name === '' || (url === undefined && target === '')) return undefined;
  const { 'client-id': clientId, 'callback-port': port } = options;
  const remote = {
    type: options['transport'] ?? 'http',
    url,
    headers: pairs('header', ':'),
    bearer_token_env_var: options['bearer-token-env-var'],
    oauth: { clientId, callbackPort: port === undefined ? undefined : Number(port) },
  };
  return named(name, JSON.stringify(url === undefined ? { command: target, args, env: pairs('env', '=') } : remote));
}

function isAddress(word: string): boolean {
  return /^https?:\/\//i.test(word);
}

function splitAt(text: string, sign: string): readonly [string, string] {
  const at = text.indexOf(sign);
  const [name, value] = at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
  return [name.trim(), sign === ':' ? value.trim() : value];
}

function named(name: string | null, json: string): string {
  return name === null ? json : `{"mcpServers": {${JSON.stringify(name)}: ${json}}}`;
}
