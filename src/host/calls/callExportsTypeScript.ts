import { isRecord, type JsonValue } from '../../base/json.ts';
import { joinParts, quoteJson, variablesOf } from './callExportsText.ts';
import {
  type ExportedAddress,
  type ExportedCall,
  exportedClient,
  type ExportedProgram,
  type ExportText,
} from './callExportsTypes.ts';

/** A call with the official SDK, `@modelcontextprotocol/sdk` 1. */
export function toTypeScript({ server, tool, args }: ExportedCall): string {
  const { lines, imports, variables } = server.kind === 'stdio' ? program(server) : address(server);
  return [
    '// npm install @modelcontextprotocol/sdk@1',
    ...(variables.length === 0 ? [] : [`// Environment variables: ${variables.join(', ')}`]),
    'import { Client } from "@modelcontextprotocol/sdk/client/index.js";',
    imports,
    '',
    ...lines,
    `const client = new Client(${typeScriptLiteral(exportedClient)});`,
    'await client.connect(transport);',
    'try {',
    '  const result = await client.callTool({',
    `    name: ${quoteJson(tool)},`,
    `    arguments: ${typeScriptLiteral(args, '    ')},`,
    '  });',
    '  console.log(JSON.stringify(result, undefined, 2));',
    '} finally {',
    '  await client.close();',
    '}',
    '',
  ].join('\n');
}

interface TransportCode {
  readonly imports: string;
  readonly lines: readonly string[];
  readonly variables: readonly string[];
}

function program({ command, args, cwd, env, hasEnvFile }: ExportedProgram): TransportCode {
  const variables = [...new Set([...variablesOf([command, ...args, cwd ?? []]), ...env])];
  return {
    variables: variables.map(readableName),
    imports: 'import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";',
    lines: [
      ...(hasEnvFile ? ['// The variables of its env file are not set here.'] : []),
      'const transport = new StdioClientTransport({',
      `  command: ${expression(command)},`,
      `  args: [${args.map(expression).join(', ')}],`,
      ...(cwd === undefined ? [] : [`  cwd: ${expression(cwd)},`]),
      ...(env.length === 0 ? [] : ['  env: {', ...env.map(environmentLine), '  },']),
      '});',
    ],
  };
}

function environmentLine(name: string): string {
  return `    ${key(name)}: ${variable(name)},`;
}

function address({ kind, url, headers }: ExportedAddress): TransportCode {
  const name = kind === 'sse' ? 'SSEClientTransport' : 'StreamableHTTPClientTransport';
  const file = kind === 'sse' ? 'sse' : 'streamableHttp';
  const fields = headers.map((header) => `      ${key(header.name)}: ${expression(header.value)},`);
  return {
    variables: variablesOf([url, ...headers.map(({ value }) => value)]).map(readableName),
    imports: `import { ${name} } from "@modelcontextprotocol/sdk/client/${file}.js";`,
    lines:
      headers.length === 0
        ? [`const transport = new ${name}(new URL(${expression(url)}));`]
        : [
            `const transport = new ${name}(new URL(${expression(url)}), {`,
            '  requestInit: {',
            '    headers: {',
            ...fields,
            '    },',
            '  },',
            '});',
          ],
  };
}

/** A name within a comment. */
function readableName(name: string): string {
  return quoteJson(name).slice(1, -1);
}

function expression(text: ExportText): string {
  const parts = joinParts(text);
  if (parts.length === 0) return '""';
  return parts
    .map((part) => (typeof part === 'string' ? quoteJson(part) : variable(part.variable, parts.length > 1)))
    .join(' + ');
}

function variable(name: string, isPart = false): string {
  const value = `process.env[${quoteJson(name)}] ?? ""`;
  return isPart ? `(${value})` : value;
}

/** A JSON value as an expression, indented by two spaces for each level. @param indent of the line that it starts on */
export function typeScriptLiteral(value: JsonValue | undefined, indent = ''): string {
  if (typeof value === 'string') return quoteJson(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    const items = (value as readonly JsonValue[]).map((item) => inner + typeScriptLiteral(item, inner));
    return items.length === 0 ? '[]' : `[\n${items.join(',\n')}\n${indent}]`;
  }
  const members = isRecord(value) ? Object.entries(value).filter(([, member]) => member !== undefined) : [];
  const lines = members.map(
    ([name, member]) => `${inner}${key(name)}: ${typeScriptLiteral(member as JsonValue, inner)}`,
  );
  return lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n${indent}}`;
}

/** `"__proto__": …` would set the prototype. */
function key(name: string): string {
  return name === '__proto__' ? '["__proto__"]' : quoteJson(name);
}
