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
  // In single quotes a shell leaves backslashes alone; elsewhere, and in older shells of Windows, they escape quotes.
  const quoted = [...line.matchAll(/'(\{[^']*\})'/g)].flatMap(([, text = '']) => (isJson(text) ? text : []));
  const written = new Map(quoted.map((text) => [text.replaceAll(/\\(["'])/g, '$1'), text]));
  const jsonOf = (word = ''): string => written.get(word) ?? word;
  const given = words.filter((word, index) => words[index - 1] === '--add-mcp' && word.startsWith('{')).map(jsonOf);
  if (given.length > 0) return given.length > 1 && given.every(isJson) ? `[${given.join()}]` : given[0];
  const adds = words.flatMap((word, index) =>
    words[index - 1] === 'mcp' && /^add(?:-json)?$/.test(word) ? [index] : [],
  );
  const [first = 0] = adds;
  // Several commands, each on a line of its own, or after one of a shell's signs.
  const own = adds.filter((index) => [words[first - 2], 'claude', 'codex', 'gemini'].includes(words[index - 2]));
  const members = own.flatMap((index, count) => {
    const rest = words.slice(index + 1, (own[count + 1] ?? Infinity) - 2);
    if (words[index] === 'add') return addedServer(rest) ?? [];
    const [name = '', json = ''] = readWords(rest).plain;
    return json.startsWith('{') ? [[name, jsonOf(json)] as const] : [];
  });
  if (members.length === 0) return undefined;
  const broken = members.find(([, json]) => !isJson(json));
  return broken?.[1] ?? `{"mcpServers": {${members.map(([name, json]) => member(name, json)).join(', ')}}}`;
}

const shortOptions: Readonly<Record<string, string>> = { H: 'header', e: 'env', s: 'scope', t: 'transport' };
const optionsWithValue =
  /^(?:bearer-token-env-var|callback-port|client-id|description|env|exclude-tools|header|include-tools|scope|timeout|transport|url)$/;
const readOptions = /^(?:bearer-token-env-var|callback-port|client-id|env|header|scope|transport|url)$/;
/** What follows is for the shell, or for the person who reads. */
const shellSigns = /^(?:&&?|\|\|?|#|[\w@./-]*;)$/;

/** @returns the words and the options of one command */
function readWords(line: readonly string[]) {
  const end = line.findIndex((word) => shellSigns.test(word));
  // A semicolon may be at the end of a word; in one that was in quotes, it belongs to it.
  const last = line[end]?.replace(/^[&|#]+$|;+$/, '') ?? '';
  const words = end === -1 ? line : [...line.slice(0, end), ...(last === '' ? [] : [last])];
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
  return { plain, given };
}

/** @returns the name of a server, and its definition as JSON */
function addedServer(line: readonly string[]): readonly (readonly [string, string])[] | undefined {
  const { plain, given } = readWords(line);
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
  return [[name, JSON.stringify(entry)]];
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
  return `{"mcpServers": {${member(name, json)}}${asked}}`;
}

function member(name: string, json: string): string {
  return `${JSON.stringify(name)}: ${json}`;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
