import { isRecord, isString, type UnknownRecord } from '../base/json.ts';
import { keyShapes, placeholder } from './secretNames.ts';

/** A part of a text that should not leave unseen. */
export interface FoundRange {
  readonly start: number;
  readonly end: number;
  readonly what: string;
}

/** A port, as `@secretlint/secretlint-rule-preset-recommend` imports Node's `path` for a rule that is not used here. */
export type LoadKeyRules = () => Promise<{ readonly rules: readonly unknown[] }>;

export type FindKeys = (text: string) => readonly FoundRange[];

/** The rules that are not used: about files, about comments that switch rules off, and about private keys, see {@link findPrivateKeys}. */
const unusedRules = /-(?:gcp|filter-comments|privatekey)$/;

/** The number of an account is not secret; of a token in `.npmrc`, the library takes the rest of the line. */
const unusedMessages = new Set(['AWSAccountID', 'Npmrc_authToken']);

interface KeyRule {
  readonly meta: { readonly id: string };
  readonly create: (context: object, options: object) => { readonly file: (source: object) => unknown };
}

/** Maximum characters of a key in one line: the library does not limit those of Slack. Less than two windows have in common. */
const maximumTokenLength = 4_000;

/** Maximum characters of a private key; more are another text. */
const maximumBlockLength = 10_000;

/** Prepares the library and adds the formats that it lacks. @throws what loading throws, or an error if it has no rules */
export async function createKeyFinder(load: LoadKeyRules): Promise<FindKeys> {
  const { rules } = await load();
  let text = '';
  let found: FoundRange[] = [];
  // What a rule needs of secretlint: words for its messages, and a place for what it found.
  const context = {
    createTranslator:
      (messages: UnknownRecord) =>
      (id: string, values: UnknownRecord): RuleMessage => ({
        id,
        what: describe(messages[id]),
        values: Object.values(values).filter(isString),
      }),
    report({ message, range: [start, end] }: { message: RuleMessage; range: readonly [number, number] }) {
      if (!unusedMessages.has(message.id)) found.push(rangeOf(text, message, start, end));
    },
  };
  const checks = rules.filter(isKeyRule).map((rule) => rule.create(context, { enableIDScanRule: true }));
  if (checks.length === 0) throw new Error('The patterns of keys have no rules.');
  return (searched) => {
    text = searched;
    found = [];
    // All rules but that for files, which is not used, answer at once.
    for (const { file } of checks) file({ content: text, contentType: 'text', filePath: undefined, ext: '' });
    for (const { what, pattern } of keyShapes) {
      for (const match of text.matchAll(pattern)) {
        if (!placeholder.test(match[0])) found.push({ start: match.index, end: match.index + match[0].length, what });
      }
    }
    return found;
  };
}

function isKeyRule(rule: unknown): rule is KeyRule {
  if (!isRecord(rule) || !isRecord(rule['meta'])) return false;
  const { id } = rule['meta'];
  return isString(id) && !unusedRules.test(id) && typeof rule['create'] === 'function';
}

interface RuleMessage {
  readonly id: string;
  readonly what: string;
  /** The values in the message: one of them is the key. */
  readonly values: readonly string[];
}

/** Some rules report the place of the name before the key, with the length of the key: the key itself is searched from there. */
function rangeOf(text: string, { what, values }: RuleMessage, start: number, end: number): FoundRange {
  const key = values.toSorted((a, b) => b.length - a.length)[0] ?? '';
  const at = key === '' ? -1 : text.indexOf(key, start);
  const [first, length] = at === -1 ? [start, end - start] : [at, key.length];
  return { start: first, end: first + Math.min(length, maximumTokenLength), what };
}

/** "found OpenAI API token: …" becomes "an OpenAI API token". */
function describe(message: unknown): string {
  if (!isRecord(message) || typeof message['en'] !== 'function') return 'a key';
  const sentence: unknown = (message['en'] as (values: object) => unknown)({});
  const [, name] = /^found (.*?)(?:\(undefined\))?:/i.exec(isString(sentence) ? sentence : '') ?? [];
  if (name === undefined) return 'a key';
  return `${/^(?:[aeio]|npm)/i.test(name) ? 'an' : 'a'} ${name.trim()}`;
}

/** Private keys that begin between two positions, whole or cut: the library knows only whole ones, of two formats. */
export function findPrivateKeys(text: string, from: number, to: number): readonly FoundRange[] {
  const found: FoundRange[] = [];
  const part = text.slice(from, to);
  const begin = /-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----/g;
  for (let match = begin.exec(part); match !== null; match = begin.exec(part)) {
    const start = from + match.index;
    const rest = text.slice(start, start + maximumBlockLength);
    const end = /-----END [A-Z0-9 ]{0,30}-----/.exec(rest);
    const length = end === null ? rest.length : end.index + end[0].length;
    found.push({ start, end: start + length, what: 'a private key' });
    begin.lastIndex = match.index + length;
  }
  return found;
}
