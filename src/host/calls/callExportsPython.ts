import { isRecord, type JsonValue } from '../../base/json.ts';
import { joinParts, quoteJson, quotePython, variablesOf } from './callExportsText.ts';
import type { ExportedAddress, ExportedCall, ExportedProgram, ExportText } from './callExportsTypes.ts';

/** A call with the official SDK, `mcp`: 1.24 and later, and 2. */
export function toPython({ server, tool, args }: ExportedCall): string {
  const { imports, lines, open, variables } = server.kind === 'stdio' ? program(server) : address(server);
  const indent = '    '.repeat(open.length + 1);
  // Python reads no literal that is nested more than about 100 levels deep.
  const isDeep = depthOf(args) > maximumDepth;
  const literal = isDeep
    ? `json.loads(${quotePython(JSON.stringify(args))})`
    : pythonLiteral(args, `${indent}        `);
  return [
    '# pip install mcp',
    ...(variables.length === 0 ? [] : [`# Environment variables: ${variables.join(', ')}`]),
    'import asyncio',
    ...(isDeep ? ['import json'] : []),
    ...(variables.length === 0 ? [] : ['import os']),
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
    `${indent}        ${literal},`,
    `${indent}    )`,
    `${indent}    print(result.model_dump_json(indent=2))`,
    '',
    '',
    'asyncio.run(main())',
    '',
  ].join('\n');
}

const maximumDepth = 50;

interface ConnectionCode {
  readonly imports: readonly string[];
  readonly lines: readonly string[];
  /** Each opens a block; the last one gives `read` and `write`. */
  readonly open: readonly string[];
  readonly variables: readonly string[];
}

function program({ command, args, cwd, env, hasEnvFile }: ExportedProgram): ConnectionCode {
  const variables = [...new Set([...variablesOf([command, ...args, cwd ?? []]), ...env])];
  return {
    variables: variables.map(readableName),
    imports: ['from mcp import ClientSession, StdioServerParameters', 'from mcp.client.stdio import stdio_client'],
    lines: [
      ...(hasEnvFile ? ['# The variables of its env file are not set here.'] : []),
      'server = StdioServerParameters(',
      `    command=${expression(command)},`,
      `    args=[${args.map(expression).join(', ')}],`,
      ...(cwd === undefined ? [] : [`    cwd=${expression(cwd)},`]),
      ...(env.length === 0 ? [] : [`    env={${env.map(environmentItem).join(', ')}},`]),
      ')',
    ],
    open: ['async with stdio_client(server) as (read, write):'],
  };
}

function environmentItem(name: string): string {
  return `${quotePython(name)}: ${variable(name)}`;
}

function address({ kind, url, headers }: ExportedAddress): ConnectionCode {
  const items = headers.map(({ name, value }) => `    ${quotePython(name)}: ${expression(value)},`);
  const lines = [
    `url = ${expression(url)}`,
    ...(items.length === 0 ? ['headers = {}'] : ['headers = {', ...items, '}']),
  ];
  const variables = variablesOf([url, ...headers.map(({ value }) => value)]).map(readableName);
  if (kind === 'sse') {
    return {
      variables,
      lines,
      imports: ['from mcp import ClientSession', 'from mcp.client.sse import sse_client'],
      open: ['async with sse_client(url, headers=headers) as (read, write):'],
    };
  }
  return {
    variables,
    lines,
    imports: [
      'from mcp import ClientSession',
      'from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client',
    ],
    open: [
      'async with create_mcp_http_client(headers=headers) as http_client:',
      // Version 1 gives a third value.
      'async with streamable_http_client(url, http_client=http_client) as (read, write, *_):',
    ],
  };
}

/** A name within a comment. */
function readableName(name: string): string {
  return quoteJson(name).slice(1, -1);
}

function expression(text: ExportText): string {
  const parts = joinParts(text).map((part) => (typeof part === 'string' ? quotePython(part) : variable(part.variable)));
  return parts.length === 0 ? '""' : parts.join(' + ');
}

function variable(name: string): string {
  return `os.environ[${quotePython(name)}]`;
}

/** A JSON value as an expression, indented by four spaces for each level. @param indent of the line that it starts on */
export function pythonLiteral(value: JsonValue | undefined, indent = ''): string {
  if (typeof value === 'string') return quotePython(value);
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (typeof value !== 'object' || value === null) return typeof value === 'number' ? JSON.stringify(value) : 'None';
  const inner = `${indent}    `;
  if (Array.isArray(value)) {
    const items = (value as readonly JsonValue[]).map((item) => inner + pythonLiteral(item, inner));
    return items.length === 0 ? '[]' : `[\n${items.join(',\n')}\n${indent}]`;
  }
  const members = isRecord(value) ? Object.entries(value).filter(([, member]) => member !== undefined) : [];
  const lines = members.map(
    ([name, member]) => `${inner}${quotePython(name)}: ${pythonLiteral(member as JsonValue, inner)}`,
  );
  return lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n${indent}}`;
}

function depthOf(value: JsonValue | undefined): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map((member) => depthOf(member as JsonValue)));
}
