import { execFileSync, spawnSync } from 'node:child_process';
import { runInNewContext, Script } from 'node:vm';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../../src/base/json.ts';
import type { ServerDefinition } from '../../../../src/config/serverDefinition.ts';
import { exportCall, exportChoices } from '../../../../src/host/calls/callExports.ts';
import { literal, python, typeScript } from '../../../../src/host/calls/callExportsCode.ts';
import { toExportedServer } from '../../../../src/host/calls/callExportsServer.ts';
import {
  type ExportedCall,
  type ExportedServer,
  quoteShell,
  toVariableName,
  visibleJson,
} from '../../../../src/host/calls/callExportsText.ts';
import { cases } from '../../../fixtures/cases.ts';

const facts = { syntax: 'editor' as const, folder: '/home/me/my project' };
const remote = toExportedServer(
  { url: 'https://example.com/mcp', headers: { Authorization: 'Bearer hunter2secret', 'X-Region': 'eu' } },
  facts,
);
const program = toExportedServer(
  {
    command: 'npx',
    args: ['-y', 'server', '--api-key=hunter2secret', '--token', 'hunter2secret', '${input:apiKey}'],
    env: { GITHUB_TOKEN: 'hunter2secret', MODE: 'x', GONE: null },
  },
  facts,
);
const args: JsonObject = {
  text: `it's "quoted" \\ and\nlong $HOME \`id\` $(id) !x \u202e 😀`,
  list: [1, -0.5, null, true, {}, []],
};

const call = (server: ExportedServer, more: Partial<ExportedCall> = {}): ExportedCall => ({
  server,
  tool: "it's",
  args,
  ...more,
});

const isThere = (command: string): boolean => spawnSync(command, ['--version']).status === 0;

/** Any text, often with what means something in a language. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom(...Array.from('\'"\\\n\r$`!{}\u2028\ud800\u{1f600}\0én')),
  }),
);
const json = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    text,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value')),
    fc.dictionary(fc.oneof(text, fc.constantFrom('__proto__', 'constructor', '')), tie('value')),
  ),
})).value;

describe('copying a call', () => {
  it('as JSON-RPC is the request that is sent', () => {
    expect(JSON.parse(exportCall('jsonRpc', call(program)))).toEqual({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: "it's", arguments: args },
    });
    const stateless = exportCall('jsonRpc', call(remote, { revision: '2026-07-28' }));
    expect(JSON.parse(stateless)).toMatchObject({
      params: { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } },
    });
  });

  it('offers what reaches the server', () => {
    const formats = (definition: ServerDefinition, transport?: 'http' | 'sse'): string[] =>
      exportChoices(toExportedServer(definition, { ...facts, transport })).map(({ format }) => format);
    expect(formats({ command: 'x' })).toEqual(['jsonRpc', 'typeScript', 'python']);
    expect(formats({ url: 'http://x/' })).toEqual(['jsonRpc', 'curl', 'typeScript', 'python']);
    expect(formats({ type: 'sse', url: 'http://x/' })).toEqual(['jsonRpc', 'typeScript', 'python']);
    expect(formats({ url: 'http://x/' }, 'sse')).toEqual(['jsonRpc', 'typeScript', 'python']);
    expect(formats({ url: 'unix:///run/my.sock#/mcp' })).toEqual(['jsonRpc', 'curl']);
  });

  it.each(['jsonRpc', 'curl', 'typeScript', 'python'] as const)('never writes a secret: %s', (format) => {
    const secrets: ServerDefinition = {
      url: 'https://me:hunter2secret@example.com/mcp?api_key=hunter2secret&mode=a&t=ghp_hunter2secretghp_hunter2&k=${input:key}',
      headers: { Authorization: 'Basic hunter2secret', 'X-Api-Key': 'hunter2secret', 'bad name\n': 'hunter2secret' },
    };
    for (const server of [remote, program, toExportedServer(secrets, facts)]) {
      const written = exportCall(format, call(server));
      expect(written).not.toContain('hunter2');
      expect(written).not.toMatch(/[\u202e]/);
    }
  });

  it('names what stands for a secret', () => {
    expect(exportCall('typeScript', call(program))).toContain(
      'args: ["-y", "server", "--api-key=" + (process.env["API_KEY"] ?? ""), "--token", process.env["TOKEN"] ?? "", process.env["API_KEY"] ?? ""]',
    );
    expect(exportCall('python', call(program))).toContain(
      'env={"GITHUB_TOKEN": os.environ["GITHUB_TOKEN"], "MODE": os.environ["MODE"]},',
    );
    expect(exportCall('python', call(remote))).toContain('"Authorization": "Bearer " + os.environ["TOKEN"],');
    expect(exportCall('curl', call(remote))).toContain(`-H 'Authorization: Bearer '"$TOKEN"`);
    const signedIn = toExportedServer({ url: 'https://example.com/mcp' }, { ...facts, isSignedIn: true });
    expect(exportCall('curl', call(signedIn))).toContain('# Set first: TOKEN\n');
  });

  it('runs programs in their folder', () => {
    const cwd = (definition: ServerDefinition, folder: string | undefined): unknown => {
      const server = toExportedServer(definition, { syntax: 'shell', folder });
      return server.kind === 'stdio' ? server.cwd : server;
    };
    expect(cwd({ command: 'x' }, '/w')).toEqual(['/w']);
    expect(cwd({ command: 'x', cwd: 'sub' }, '/w')).toEqual(['/w/sub']);
    expect(cwd({ command: 'x', cwd: '${workspaceFolder}/sub' }, '/w')).toEqual(['/w/sub']);
    expect(cwd({ command: 'x', cwd: '${DIR:-a}' }, '/w')).toEqual([{ variable: 'DIR' }]);
    expect(cwd({ command: 'x' }, undefined)).toBeUndefined();
  });

  it.each([
    ['apiKey', 'API_KEY'],
    ['my-token 2', 'MY_TOKEN_2'],
    ['2fa', '_2FA'],
    ['$(id)', 'ID'],
    ['…', 'SECRET'],
  ])('makes a name of a variable of %s', (name, expected) => {
    expect(toVariableName(name)).toBe(expected);
  });

  it('writes a program that compiles, for a server of each kind', () => {
    for (const server of [remote, program, toExportedServer({ type: 'sse', url: 'https://x/${input:a b}' }, facts)]) {
      const body = exportCall('typeScript', call(server)).replaceAll(/^import .*$/gm, '');
      expect(() => new Script(`async () => {${body}}`)).not.toThrow();
    }
  });
});

describe('literals', () => {
  it('of JSON and TypeScript hold any value', () => {
    fc.assert(
      fc.property(json, (value) => {
        const plain: unknown = JSON.parse(JSON.stringify(value));
        expect(JSON.parse(visibleJson(value, 2))).toEqual(plain);
        const written = literal(value, typeScript);
        expect(JSON.parse(JSON.stringify(runInNewContext(`(${written})`)))).toEqual(plain);
        expect(`${written}${visibleJson(value, 2)}`.replaceAll('\n', '')).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
      }),
      { numRuns: cases(25, 100) },
    );
  });

  it.runIf(isThere('python3'))('of Python hold any value', () => {
    const values = fc.sample(json, 300);
    const script = `import json\nprint(json.dumps(${literal(values, python)}))`;
    const read: unknown = JSON.parse(execFileSync('python3', ['-'], { input: script, encoding: 'utf8' }));
    expect(read).toEqual(JSON.parse(JSON.stringify(values)));
  });

  it.runIf(isThere('python3'))('make a program that Python compiles, however deep its arguments are', () => {
    let deep: JsonValue = {};
    for (let depth = 0; depth < 300; depth += 1) deep = [deep];
    for (const server of [remote, program, toExportedServer({ type: 'sse', url: 'https://x/' }, facts)]) {
      const input = exportCall('python', call(server, { args: { deep } }));
      const check = 'import ast, sys; ast.parse(sys.stdin.read())';
      expect(spawnSync('python3', ['-c', check], { input, encoding: 'utf8' }).stderr).toBe('');
    }
  });

  it.runIf(isThere('bash'))('of a shell hold any text but NUL', () => {
    const texts = fc.sample(text, 300).map((each) => Buffer.from(each).toString().replaceAll('\0', ''));
    const words = texts.map((each) => quoteShell(each)).join(' ');
    const input = `printf '%s\\0' ${words}`;
    const printed = execFileSync('bash', ['-s'], { input, encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' } });
    expect(printed.split('\0').slice(0, -1)).toEqual(texts.map((each) => each || ''));
  });
});

describe.runIf(isThere('bash'))('copying a call as curl', () => {
  /** Runs the text with a function in the place of curl. @returns the arguments of each use */
  function run(script: string, env: Record<string, string> = {}): string[][] {
    const curl = `curl() { printf '%s\\0' "$@" '|' >&2; printf 'HTTP/1.1 200\\r\\nMCP-SESSION-ID: s 1\\r\\n\\r\\n'; }\n`;
    const input = curl + script;
    const { stderr } = spawnSync('bash', ['-s'], { input, encoding: 'utf8', env: { ...process.env, ...env } });
    return stderr
      .split('|\0')
      .slice(0, -1)
      .map((one) => one.split('\0').slice(0, -1));
  }

  const headersOf = (words: readonly string[]): string[] => words.filter((_, index) => words[index - 1] === '-H');
  const bodyOf = (words: readonly string[] = []): unknown => JSON.parse(words.at(-1) ?? '');

  it('shakes hands before the call, and goes on with the session', () => {
    const [initialize = [], initialized, called = [], ...others] = run(exportCall('curl', call(remote)), {
      TOKEN: `to'k "en`,
      X_REGION: 'eu',
    });
    expect(others).toEqual([]);
    expect(bodyOf(initialize)).toMatchObject({ method: 'initialize', params: { protocolVersion: '2025-11-25' } });
    expect(bodyOf(initialized)).toEqual({ jsonrpc: '2.0', method: 'notifications/initialized' });
    expect(bodyOf(called)).toEqual(JSON.parse(exportCall('jsonRpc', call(remote))));
    expect(called).toContain('https://example.com/mcp');
    const own = [
      'Content-Type: application/json',
      'Accept: application/json, text/event-stream',
      `Authorization: Bearer to'k "en`,
      'X-Region: eu',
    ];
    expect(headersOf(initialize)).toEqual(own);
    expect(headersOf(called)).toEqual([...own, 'Mcp-Protocol-Version: 2025-11-25', 'Mcp-Session-Id: s 1']);
  });

  it('sends the header of the revision only where there is one', () => {
    const [, , called = []] = run(exportCall('curl', call(remote, { revision: '2025-03-26' })));
    expect(headersOf(called).filter((header) => header.startsWith('Mcp-'))).toEqual(['Mcp-Session-Id: s 1']);
  });

  it('is one request where there are no sessions', () => {
    const toolHeaders = { 'Mcp-Param-Region': 'eu' };
    const [called = [], ...others] = run(exportCall('curl', call(remote, { revision: '2026-07-28', toolHeaders })));
    expect(others).toEqual([]);
    expect(headersOf(called).filter((header) => header.startsWith('M'))).toEqual([
      'MCP-Protocol-Version: 2026-07-28',
      'Mcp-Method: tools/call',
      `Mcp-Name: it's`,
      'Mcp-Param-Region: eu',
    ]);
  });

  it('reaches a socket, and takes variables into the address', () => {
    const socket = toExportedServer({ url: `unix:///run/my%20'sock#/mcp` }, facts);
    expect(run(exportCall('curl', call(socket)))[2]).toEqual(
      expect.arrayContaining(['--unix-socket', `/run/my 'sock`, 'http://localhost/mcp']),
    );
    const parts = toExportedServer({ url: 'https://${input:host}/a?token=${env:MY_TOKEN}' }, facts);
    expect(run(exportCall('curl', call(parts)), { HOST: 'h', MY_TOKEN: 't' })[2]).toContain('https://h/a?token=t');
  });

  it('hands over any arguments and any name of a tool', () => {
    fc.assert(
      fc.property(text, fc.dictionary(text, text), (tool, given) => {
        const [, , called] = run(exportCall('curl', call(remote, { tool, args: given })));
        expect(bodyOf(called)).toEqual(JSON.parse(exportCall('jsonRpc', call(remote, { tool, args: given }))));
      }),
      { numRuns: 20 },
    );
  });
});
