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
  // As VS Code reads it: such a query is one text of JSON, whatever looks like a parameter in it.
  const whole = decoded(query);
  if (isObject(whole)) return whole;
  const parameters = new URLSearchParams(query);
  const inner = parameters.get('url');
  if (inner !== null && !isInner) return definitionOfLink(inner, true);
  const config = parameters.get('config') ?? whole;
  const json = isObject(config) ? config : fromBase64(config);
  return json && named(parameters.get('name'), json, parameters.get('inputs'));
}

function decoded(query: string): string {
  try {
    return decodeURIComponent(query);
  } catch {
    return query;
  }
}

/** In a query, the plus sign of Base64 stands for a space; some write the two signs otherwise that have a meaning there. */
function fromBase64(text: string): string | undefined {
  const standard = text.replaceAll(/[ -]/g, '+').replaceAll('_', '/');
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(standard), (byte) => byte.charCodeAt(0)));
  } catch {
    return undefined;
  }
}

function isObject(text: string): boolean {
  return /^\s*\{/.test(text);
}

function definitionOfCommand(line: string): string | undefined {
  const words = splitCommandLine(line.replaceAll(/\\\s/g, ' '));
  const at = words.findIndex((word) => word.startsWith('{'));
  if (at > 0 && (words.includes('add-json') || words.includes('--add-mcp'))) {
    // In single quotes a shell leaves backslashes alone; elsewhere, and in older shells of Windows, they escape quotes.
    const quoted = /'(\{[^']*\})'/.exec(line)?.[1];
    const json = quoted !== undefined && isJson(quoted) ? quoted : (words[at] ?? '');
    return words.includes('add-json') ? named(words[at - 1] ?? null, json) : json;
  }
  const adds = words.flatMap((word, index) => (word === 'add' && words[index - 1] === 'mcp' ? [index] : []));
  const [first = 0] = adds;
  // Several commands, each on a line of its own, or after one of a shell's signs.
  const own = adds.filter((index) => words[index - 2] === words[first - 2]);
  const servers = own.map((index, count) => addedServer(words.slice(index + 1, (own[count + 1] ?? Infinity) - 2)));
  const members = servers.flatMap((server) => server ?? []);
  return members.length === 0 ? undefined : `{"mcpServers": {${members.join(', ')}}}`;
}

const shortOptions: Readonly<Record<string, string>> = { H: 'header', e: 'env', s: 'scope', t: 'transport' };
const optionsWithValue =
  /^(?:bearer-token-env-var|callback-port|client-id|description|env|exclude-tools|header|include-tools|scope|timeout|transport|url)$/;
const readOptions = /^(?:bearer-token-env-var|callback-port|client-id|env|header|scope|transport|url)$/;
/** What follows is for the shell, or for the person who reads. */
const shellSigns = /^(?:&&?|\|\|?|;|#)$/;

/** @returns the member of a section */
function addedServer(line: readonly string[]): string | undefined {
  const end = line.findIndex((word) => shellSigns.test(word));
  const words = end === -1 ? line : line.slice(0, end);
  const plain: string[] = [];
  const given: [string, string | true][] = [];
  let isRest = false;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    const [, written = '', joined] = /^--?([\w-]+)(?:=(.*))?$/s.exec(word) ?? [];
    const option = Object.hasOwn(shortOptions, written) ? (shortOptions[written] ?? '') : written;
    // What follows a program is for it.
    if (word === '--' && !isRest) isRest = true;
    else if (isRest || option === '' || (plain[1] !== undefined && !isAddress(plain[1]))) plain.push(word);
    else if (optionsWithValue.test(option)) {
      if (joined === undefined) at += 1;
      given.push([option, joined ?? words[at] ?? '']);
      // Several may follow one option.
      if (option !== 'env') continue;
      while (/^[A-Za-z_]\w*=/.test(words[at + 1] ?? '')) {
        at += 1;
        given.push([option, words[at] ?? '']);
      }
    } else given.push([option, joined ?? true]);
  }
  const pairs = (name: string, sign: string): object =>
    Object.fromEntries(given.flatMap(([option, text]) => (option === name ? [splitAt(String(text), sign)] : [])));
  const options = Object.fromEntries(given);
  const { transport, url: address, 'client-id': clientId, 'callback-port': port } = options;
  const [name = '', target = '', ...args] = plain;
  const url = address ?? (isAddress(target) ? target : undefined);
  if (name === '' || (url === undefined && target === '')) return undefined;
  const entry = {
    // Reported as what is not used.
    ...Object.fromEntries(given.filter(([option]) => !readOptions.test(option))),
    type: transport ?? (url === undefined ? undefined : 'http'),
    ...(url === undefined ? { command: target, args } : { url, bearer_token_env_var: options['bearer-token-env-var'] }),
    env: pairs('env', '='),
    headers: pairs('header', ':'),
    oauth: { clientId, callbackPort: port === undefined ? undefined : Number(port) },
  };
  return `${JSON.stringify(name)}: ${JSON.stringify(entry)}`;
}

function isAddress(word: string): boolean {
  return /^https?:\/\//i.test(word);
}

function splitAt(text: string, sign: string): readonly [string, string] {
  const at = text.indexOf(sign);
  const [name, value] = at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
  return [name.trim(), sign === ':' ? value.trim() : value];
}

/** What is not JSON gets no name: it could end early, and go on as another server. */
function named(name: string | null, json: string, inputs: string | null = null): string {
  if (name === null || !isJson(json)) return json;
  const asked = inputs !== null && isJson(inputs) ? `, "inputs": ${inputs}` : '';
  return `{"mcpServers": {${JSON.stringify(name)}: ${json}}${asked}}`;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
