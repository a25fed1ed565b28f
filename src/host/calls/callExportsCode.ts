import { type ExactValue, isRecord } from '../../base/json.ts';
import {
  type ExportedAddress,
  type ExportedCall,
  exportedClient,
  type ExportedProgram,
  type ExportText,
  joinParts,
  quotePython,
  variablesOf,
  visibleJson,
} from './callExportsText.ts';
import { exactEntries, stringifyExactly } from '../../base/exactIntegers.ts';

interface Language {
  readonly unit: string;
  readonly words: Readonly<Record<'true' | 'false' | 'null', string>>;
  readonly quote: (text: string) => string;
  readonly key: (name: string) => string;
  /** An environment variable. @param isPart it is joined with texts */
  readonly variable: (name: string, isPart: boolean) => string;
}

export const typeScript: Language = {
  unit: '  ',
  words: { true: 'true', false: 'false', null: 'null' },
  quote: (text) => visibleJson(text),
  // `"__proto__": …` would set the prototype.
  key: (name) => (name === '__proto__' ? '["__proto__"]' : visibleJson(name)),
  variable: (name, isPart) => {
    const value = `process.env[${visibleJson(name)}] ?? ""`;
    return isPart ? `(${value})` : value;
  },
};

export const python: Language = {
  unit: '    ',
  words: { true: 'True', false: 'False', null: 'None' },
  quote: quotePython,
  key: quotePython,
  variable: (name) => `os.environ[${quotePython(name)}]`,
};

/** A JSON value as an expression. @param indent of the line that it starts on */
export function literal(value: ExactValue | undefined, language: Language, indent = ''): string {
  const { unit, words, quote, key } = language;
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'number' || typeof value === 'bigint') return stringifyExactly(value);
  if (typeof value === 'boolean') return words[`${value}`];
  if (value === undefined || value === null) return words.null;
  const inner = indent + unit;
  const write = (member: unknown): string => literal(member as ExactValue, language, inner);
  const members = exactEntries(value).filter(([, member]) => member !== undefined);
  const lines = members.map(([name, member]) => `${inner}${isRecord(value) ? `${key(name)}: ` : ''}${write(member)}`);
  const [open, close] = isRecord(value) ? '{}' : '[]';
  return lines.length === 0 ? `${open}${close}` : `${open}\n${lines.join(',\n')}\n${indent}${close}`;
}

function expression(text: ExportText, { quote, variable }: Language): string {
  const parts = joinParts(text);
  const written = parts.map((part) =>
    typeof part === 'string' ? quote(part) : variable(part.variable, parts.length > 1),
  );
  return written.length === 0 ? '""' : written.join(' + ');
}

function variableNote(mark: string, { server }: ExportedCall): readonly string[] {
  const names = variablesOf(server).map((name) => visibleJson(name).slice(1, -1));
  return names.length === 0 ? [] : [`${mark} Environment variables: ${names.join(', ')}`];
}

/** A call with the official SDK, `@modelcontextprotocol/sdk` 1. */
export function toTypeScript(call: ExportedCall): string {
  const { server, tool, args } = call;
  return [
    '// npm install @modelcontextprotocol/sdk@1',
    ...variableNote('//', call),
    'import { Client } from "@modelcontextprotocol/sdk/client/index.js";',
    ...(server.kind === 'stdio' ? typeScriptProgram(server) : typeScriptAddress(server)),
    `const client = new Client(${literal(exportedClient, typeScript)});`,
    'await client.connect(transport);',
    'try {',
    '  const result = await client.callTool({',
    `    name: ${visibleJson(tool)},`,
    `    arguments: ${literal(args, typeScript, '    ')},`,
    '  });',
    '  console.log(JSON.stringify(result, undefined, 2));',
    '} finally {',
    '  await client.close();',
    '}',
    '',
  ].join('\n');
}

function typeScriptProgram({ command, args, cwd, env, hasEnvFile }: ExportedProgram): readonly string[] {
  const write = (text: ExportText): string => expression(text, typeScript);
  const { key, variable } = typeScript;
  return [
    'import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";',
    '',
    ...(hasEnvFile ? ['// The variables of its env file are not set here.'] : []),
    'const transport = new StdioClientTransport({',
    `  command: ${write(command)},`,
    `  args: [${args.map(write).join(', ')}],`,
    ...(cwd === undefined ? [] : [`  cwd: ${write(cwd)},`]),
    ...(env.length === 0
      ? []
      : ['  env: {', ...env.map((name) => `    ${key(name)}: ${variable(name, false)},`), '  },']),
    '});',
  ];
}

function typeScriptAddress({ kind, url, headers }: ExportedAddress): readonly string[] {
  const name = kind === 'sse' ? 'SSEClientTransport' : 'StreamableHTTPClientTransport';
  const file = kind === 'sse' ? 'sse' : 'streamableHttp';
  const open = `const transport = new ${name}(new URL(${expression(url, typeScript)})`;
  const fields = headers.map(([header, value]) => `      ${typeScript.key(header)}: ${expression(value, typeScript)},`);
  return [
    `import { ${name} } from "@modelcontextprotocol/sdk/client/${file}.js";`,
    '',
    ...(headers.length === 0
      ? [`${open});`]
      : [`${open}, {`, '  requestInit: {', '    headers: {', ...fields, '    },', '  },', '});']),
  ];
}

/** Python reads no literal that is nested more than about 100 levels deep. */
const maximumDepth = 50;

/** A call with the official SDK, `mcp`: 1.24 and later, and 2. */
export function toPython(call: ExportedCall): string {
  const { server, tool, args } = call;
  const { imports, lines, open } = server.kind === 'stdio' ? pythonProgram(server) : pythonAddress(server);
  const note = variableNote('#', call);
  const indent = '    '.repeat(open.length + 1);
  const isDeep = depthOf(args) > maximumDepth;
  const given = isDeep
    ? `json.loads(${quotePython(stringifyExactly(args))})`
    : literal(args, python, `${indent}        `);
  return [
    '# pip install mcp',
    ...note,
    'import asyncio',
    ...(isDeep ? ['import json'] : []),
    ...(note.length === 0 ? [] : ['import os']),
    '',
    ...imports,
    '',
    ...lines,
    '',
    '',
    'async def main() -> None:',
    ...open.map((line, depth) => `${'    '.repeat(depth + 1)}${line}`),
    `${indent}async with ClientSession(read, write) as session:`,
    `${indent}    await session.initialize()`,
    `${indent}    result = await session.call_tool(`,
    `${indent}        ${quotePython(tool)},`,
    `${indent}        ${given},`,
    `${indent}    )`,
    `${indent}    print(result.model_dump_json(indent=2))`,
    '',
    '',
    'asyncio.run(main())',
    '',
  ].join('\n');
}

/** @returns `open`: lines that each open a block; the last one gives `read` and `write` */
function pythonProgram({ command, args, cwd, env, hasEnvFile }: ExportedProgram) {
  const write = (text: ExportText): string => expression(text, python);
  const items = env.map((name) => `${quotePython(name)}: ${python.variable(name, false)}`);
  return {
    imports: ['from mcp import ClientSession, StdioServerParameters', 'from mcp.client.stdio import stdio_client'],
    lines: [
      ...(hasEnvFile ? ['# The variables of its env file are not set here.'] : []),
      'server = StdioServerParameters(',
      `    command=${write(command)},`,
      `    args=[${args.map(write).join(', ')}],`,
      ...(cwd === undefined ? [] : [`    cwd=${write(cwd)},`]),
      ...(env.length === 0 ? [] : [`    env={${items.join(', ')}},`]),
      ')',
    ],
    open: ['async with stdio_client(server) as (read, write):'],
  };
}

function pythonAddress({ kind, url, headers }: ExportedAddress) {
  const items = headers.map(([name, value]) => `    ${quotePython(name)}: ${expression(value, python)},`);
  const lines = [
    `url = ${expression(url, python)}`,
    ...(items.length === 0 ? ['headers = {}'] : ['headers = {', ...items, '}']),
  ];
  const session = 'from mcp import ClientSession';
  if (kind === 'sse') {
    const open = ['async with sse_client(url, headers=headers) as (read, write):'];
    return { imports: [session, 'from mcp.client.sse import sse_client'], lines, open };
  }
  return {
    imports: [session, 'from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client'],
    lines,
    open: [
      'async with create_mcp_http_client(headers=headers) as http_client:',
      // Version 1 gives a third value.
      'async with streamable_http_client(url, http_client=http_client) as (read, write, *_):',
    ],
  };
}

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map((member: unknown) => depthOf(member)));
}
