import { isStdio, type ServerDefinition } from './serverDefinition.ts';

/** Words that say how something runs, not what it is. */
const fillers = new Set([
  'mcp',
  'server',
  'dist',
  'build',
  'src',
  'index',
  'main',
  'run',
  'exec',
  'stdio',
  'www',
  'api',
  'latest',
  'x',
]);

/** A short name for a definition: of its package, script or host. */
export function suggestLabel(definition: ServerDefinition): string {
  const words = isStdio(definition)
    ? programWords(definition.command, definition.args ?? [])
    : hostWords(definition.url);
  return words.join('-') || 'server';
}

/** `label`, or `label-2` and so on where it is taken. */
export function freeLabel(label: string, taken: ReadonlySet<string>): string {
  if (!taken.has(label)) return label;
  let count = 2;
  while (taken.has(`${label}-${count}`)) count += 1;
  return `${label}-${count}`;
}

function programWords(command: string, args: readonly string[]): string[] {
  const candidates = [...args.filter((arg) => !arg.startsWith('-')), command];
  return candidates.map((text) => wordsOf(lastSegment(text))).find((words) => words.length > 0) ?? [];
}

function hostWords(url: string): string[] {
  if (!URL.canParse(url)) return [];
  const { hostname } = new URL(url);
  const names = hostname.split('.');
  return wordsOf(names.length > 1 && !/^[\d.]+$/.test(hostname) ? names.slice(0, -1).join('.') : hostname);
}

/** The last part that says anything: `server-files` of `@scope/server-files@1.2`, `weather` of `/a/weather/dist/index.js`. */
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
    .filter((word) => word !== '' && !fillers.has(word));
}
