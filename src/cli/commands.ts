import type { Format } from './reports/report.ts';

/** What a command takes. The help and the reading of arguments follow it. */
export interface CommandShape {
  readonly summary: string;
  /** Names of the arguments in their order; `server` or `new` is left out where a program follows `--`. */
  readonly positionals: readonly ('server' | 'tool' | 'file' | 'old' | 'new')[];
  /** How many of them are needed. */
  readonly needed: number;
  readonly options: readonly OptionName[];
  readonly formats: readonly Format[];
  readonly details: readonly string[];
}

const serverOptions = ['config', 'input', 'header', 'env', 'timeout', 'verbose'] as const;
const reportOptions = ['format', 'output'] as const;

export const commandShapes = {
  list: {
    summary: 'Lists the configured servers without starting them, or what one server offers.',
    positionals: ['server'],
    needed: 0,
    options: [...serverOptions, ...reportOptions],
    formats: ['text', 'json'],
    details: [],
  },
  call: {
    summary: 'Calls a tool and prints its result.',
    positionals: ['server', 'tool'],
    needed: 2,
    options: ['arg', 'json', ...serverOptions, ...reportOptions],
    formats: ['text', 'json'],
    details: [
      '“patchbay list SERVER” names the arguments of each tool, with a star at those that must be given; its --format json has the schemas.',
      'The value of --arg is text where the schema of the tool asks for text, otherwise JSON where it is valid JSON.',
      'The result is printed as the server sent it, secrets included.',
    ],
  },
  check: {
    summary: 'Checks one server, or all that are configured: lint, own checks, the official suite.',
    positionals: ['server'],
    needed: 0,
    options: ['only', 'suite', 'install-suite', 'strict', ...serverOptions, ...reportOptions],
    formats: ['text', 'json', 'junit', 'sarif'],
    details: [
      'It starts the programs of the configuration without a question. It calls no tool but those of the suite’s own server.',
    ],
  },
  test: {
    summary: 'Runs saved calls with their expectations: .vscode/mcp-calls.json, or another file.',
    positionals: ['file'],
    needed: 0,
    options: ['update-snapshots', 'config', 'input', 'timeout', 'strict', 'verbose', ...reportOptions],
    formats: ['text', 'json', 'junit', 'sarif'],
    details: ['It starts the servers that the calls name, without a question, and calls their tools.'],
  },
  record: {
    summary: 'Is a server over stdio that passes everything on to the real one, and records it.',
    positionals: ['server', 'file'],
    needed: 2,
    options: serverOptions,
    formats: ['text'],
    details: [
      'Use it as the command of a server in a client. FILE ends with .mcp-session.jsonl and is replaced.',
      'Known secrets are hidden in it; what the server and the client say besides is not.',
    ],
  },
  replay: {
    summary: 'Is the server of a recorded session, over stdio.',
    positionals: ['file'],
    needed: 1,
    options: ['mode', 'verbose'],
    formats: ['text'],
    details: ['A request that was not recorded with the same parameters gets an error that names the nearest one.'],
  },
  diff: {
    summary: 'Compares two recorded sessions, or one with a server: what broke, what was added, what is only wording.',
    positionals: ['old', 'new'],
    needed: 2,
    options: ['fail-on', ...serverOptions, ...reportOptions],
    formats: ['text', 'json'],
    details: [
      'NEW is a recording (.mcp-session.jsonl), or a server as in the other commands, or a program after “--”.',
      'Of a server what it lists is compared; it is started without a question, and no tool is called.',
    ],
  },
} as const satisfies Record<string, CommandShape>;

export type CommandName = keyof typeof commandShapes;

/** Where a command names a server, which a program after `--` may stand for; -1 for one that takes none. */
export function serverPlace({ positionals }: CommandShape): number {
  return positionals.findIndex((name) => name === 'server' || name === 'new');
}

/** Of `parseArgs`; with the words of the help. */
export const optionShapes = {
  config: { type: 'string', value: 'FILE', help: 'Read the servers from this file instead of those of the folder.' },
  input: {
    type: 'string',
    multiple: true,
    value: 'ID=VALUE',
    help: 'Value of ${input:ID}. Better for secrets: the environment variable PATCHBAY_INPUT_ID.',
  },
  header: {
    type: 'string',
    multiple: true,
    value: 'NAME: VALUE',
    help: 'Header for a server given by its address; ${env:NAME} is replaced.',
  },
  env: {
    type: 'string',
    multiple: true,
    value: 'NAME[=VALUE]',
    help: 'Environment variable for a program after “--”. Without a value, that of this environment.',
  },
  timeout: { type: 'string', value: 'SECONDS', help: 'For starting the server, and for each request.' },
  arg: { type: 'string', multiple: true, value: 'NAME=VALUE', help: 'One argument of the tool.' },
  json: { type: 'string', value: 'OBJECT', help: 'All arguments of the tool, as a JSON object.' },
  only: { type: 'string', multiple: true, value: 'FAMILY', help: 'Only these checks: lint, own, suite.' },
  suite: { type: 'string', value: 'FOLDER', help: 'Folder of the package @modelcontextprotocol/conformance.' },
  'install-suite': { type: 'boolean', help: 'Install the official suite into the cache folder first, with npm.' },
  'update-snapshots': { type: 'boolean', help: 'Write the snapshots that are missing or different, and name them.' },
  strict: { type: 'boolean', help: 'Warnings count as failures.' },
  mode: {
    type: 'string',
    value: 'MODE',
    help: 'lenient (default): in any order and again; strict: in the order of the recording.',
  },
  'fail-on': { type: 'string', value: 'KIND', help: 'breaking (default), added, wording or never.' },
  format: { type: 'string', value: 'FORMAT', help: 'Format of the report; text by default.' },
  output: { type: 'string', value: 'FILE', help: 'Write the report to this file, and print text.' },
  verbose: { type: 'boolean', help: 'Print what servers log, and passed checks.' },
} as const;

export type OptionName = keyof typeof optionShapes;
