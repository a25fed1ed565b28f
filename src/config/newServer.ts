import { hasHiddenCharacters } from '../base/visibleText.ts';
import { parseServerAddress } from '../base/serverAddress.ts';
import { interpreters } from './inlineCode.ts';
import type { PromptInput } from './inputs.ts';
import { inputTarget } from './launchTarget.ts';
import { schemeOf } from '../secrets/argumentSecret.ts';
import { looksLikeSecretName } from '../secrets/secretNames.ts';
import { programName } from './programName.ts';
import { replaceArgumentSecrets } from './commandSecrets.ts';
import { isStdio, type ServerDefinition, type StdioServerDefinition } from './serverDefinition.ts';
import { dollarReference } from './variables.ts';

/** Characters of a name that a person chooses. */
const maximumLabel = 100;

const fillers = /^(?:mcp|server|dist|build|src|index|main|run|start|exec|stdio|www|api|latest|x)?$/;

/** What runs a server says nothing about it: `uv` of `uv run server.py`. */
const runners = /^(?:uvx?|pipx|poetry|pdm|hatch|npm|npx|pnpm|yarn|bunx)$/;

/**
 * @param folder the name of the folder that it is for
 * @returns a short name for a definition, from its package, script, host or socket, or else the folder
 */
export function suggestLabel(definition: ServerDefinition, folder = ''): string {
  const words = isStdio(definition) ? programWords(definition) : addressWords(definition.url);
  return (words.length > 0 ? words : wordsOf(folder)).join('-') || 'server';
}

/** @returns a definition as it is written into a file or setting */
export function writtenEntry(definition: ServerDefinition): object {
  if (!isStdio(definition) || definition.replay === undefined) return definition;
  const { command, replay, patchbay } = definition;
  const mode = replay === 'lenient' ? {} : { mode: replay };
  return { type: 'replay', session: command, ...mode, ...(patchbay && { patchbay }) };
}

/** @returns `label`, or `label-2` and so on if it is taken */
export function uniqueLabel(label: string, taken: ReadonlySet<string>): string {
  if (!taken.has(label)) return label;
  let count = 2;
  while (taken.has(`${label}-${count}`)) count += 1;
  return `${label}-${count}`;
}

/** Why a text cannot be the name of a server, as a sentence; `undefined` if it can. */
export function labelProblem(text: string, taken: ReadonlySet<string>): string | undefined {
  if (text.trim() === '') return 'A name is needed.';
  if (text.length > maximumLabel) return `A name has at most ${maximumLabel} characters.`;
  if (hasHiddenCharacters(text)) return 'A name has no hidden characters.';
  return taken.has(text.trim()) ? 'There is a server of this name already.' : undefined;
}

function programWords({ command, args = [] }: StdioServerDefinition): string[] {
  const program = programName(command);
  const runsAnother = interpreters.test(program) || runners.test(program);
  const candidates = [...args.filter((arg) => !arg.startsWith('-')), ...(runsAnother ? [] : [command])];
  return candidates.map((text) => wordsOf(lastSegment(text))).find((words) => words.length > 0) ?? [];
}

function addressWords(text: string): string[] {
  const address = parseServerAddress(text);
  if (address === undefined) return [];
  if (address.socketPath !== undefined) return wordsOf(lastSegment(address.socketPath));
  const { hostname } = address.url;
  const names = hostname.split('.');
  return wordsOf(names.length > 1 && !/^[\d.]+$/.test(hostname) ? names.slice(0, -1).join('.') : hostname);
}

/**
 * The last part with an identifying word: `server-files` of `@scope/server-files@1.2`, `weather` of
 * `/a/weather/dist/index.js`.
 */
function lastSegment(text: string): string {
  const segments = text.replace(/(?<=.)@[^/@]*$/, '').split(/[\\/]+/);
  return (
    segments.map((segment) => segment.replace(/\.\w+$/, '')).findLast((segment) => wordsOf(segment).length > 0) ?? ''
  );
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => !fillers.test(word));
}

/**
 * Moves literal secrets of a definition to inputs, so that it can be written to a file that others may read.
 * Checks arguments, and environment variables and headers with the name of a secret; values with variables stay.
 * @param taken ids of existing inputs; the new ids are added
 * @returns the definition with `${input:…}` instead of each secret, and the secrets, to be stored as the values of these
 *   inputs, bound to the target
 */
export function extractSecrets(label: string, definition: ServerDefinition, taken: Set<string> = new Set()) {
  const found: { input: PromptInput; value: string }[] = [];
  const moved = (name: string, value: string): string => {
    const id = uniqueLabel(`${label}-${name}`.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '-'), taken);
    taken.add(id);
    const input = { id, description: `${name} for ${label}`, default: undefined, password: true };
    found.push({ input: { type: 'promptString', ...input }, value });
    return `\${input:${id}}`;
  };
  const replace = <T>(record: Readonly<Record<string, T>>): Record<string, T | string> => {
    const entries = Object.entries(record).map(([name, value]): [string, T | string] => {
      if (typeof value !== 'string' || value === '' || !looksLikeSecretName(name)) return [name, value];
      // Other texts with a dollar sign may be secrets.
      if (value.includes('${') || dollarReference.test(value)) return [name, value];
      const [scheme, secret] = schemeOf(value);
      return [name, scheme + moved(name, secret)];
    });
    return Object.fromEntries(entries);
  };
  const changed: ServerDefinition = isStdio(definition)
    ? {
        ...definition,
        ...(definition.args && {
          args: replaceArgumentSecrets(definition.command, definition.args, ({ name, secret }) =>
            moved(name === '' ? 'key' : name, secret),
          ),
        }),
        ...(definition.env && { env: replace(definition.env) }),
      }
    : { ...definition, ...(definition.headers && { headers: replace(definition.headers) }) };
  const target = inputTarget(changed);
  return { definition: changed, secrets: found.map((secret) => ({ label, target, ...secret })) };
}
