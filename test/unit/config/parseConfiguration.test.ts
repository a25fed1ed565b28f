import { describe, expect, it } from 'vitest';
import {
  parseConfiguration,
  parseServerOptionsSetting,
  parseServersSetting,
} from '../../../src/config/parseConfiguration.ts';
import { createLocator } from '../../../src/config/configurationProblem.ts';
import type { FileKind } from '../../../src/config/serverSection.ts';
import { labelsOf, problemsOf } from '../../fixtures/configurationTexts.ts';

function servers(...entries: string[]): string {
  return `{"servers": {"good": {"command": "run"}, ${entries.join(', ')}}}`;
}

describe('parseConfiguration', () => {
  it('reads all members of a stdio server', () => {
    const text = `{
      // comments and trailing commas are fine
      "servers": {
        "db": {
          "type": "stdio", "command": "node", "args": ["server.js", 3, true], "cwd": "sub", "envFile": ".env",
          "env": { "A": "1", "B": 2, "C": null, "D": true },
          "patchbay": { "autoRestart": false, "timeouts": { "connectMs": 5 } },
        },
      },
    }`;
    const { servers: found, problems } = parseConfiguration(text, 'vscode');
    expect(problems).toEqual([]);
    expect(found).toEqual([
      {
        label: 'db',
        range: { offset: text.indexOf('"db"'), length: 4 },
        options: { autoRestart: false, timeouts: { connectMs: 5 } },
        definition: {
          type: 'stdio',
          command: 'node',
          args: ['server.js', '3', 'true'],
          cwd: 'sub',
          envFile: '.env',
          env: { A: '1', B: 2, C: null, D: 'true' },
        },
      },
    ]);
  });

  it('reads "dev" as VS Code has it, and as an option of any file; the option wins member by member', () => {
    const entry = (members: string): unknown =>
      parseConfiguration(`{"servers": {"a": {"command": "x", ${members}}}}`, 'vscode').servers[0]?.options;
    const debug = { type: 'node' };
    expect(entry('"dev": {"watch": "src/**", "debug": {"type": "node"}}')).toEqual({ dev: { watch: 'src/**', debug } });
    expect(entry('"patchbay": {"dev": {"watch": ["src/**"]}}')).toEqual({ dev: { watch: ['src/**'] } });
    const both = '"dev": {"watch": "a", "debug": {"type": "node"}}, "patchbay": {"dev": {"watch": "b"}}';
    expect(entry(both)).toEqual({ dev: { watch: 'b', debug } });
    expect(entry('"dev": {"debug": {"type": "gdb"}}')).toEqual({});
    const own = { a: { dev: { debug: { type: 'debugpy', debugpyPath: '/x' } } } };
    expect(parseServerOptionsSetting(own, 'user').options.get('a')?.options).toEqual({
      dev: { debug: { type: 'debugpy', debugpyPath: '/x' } },
    });
  });

  it.each([
    ['{"command": "x"}', 'stdio'],
    ['{"url": "https://a.example/mcp"}', 'http'],
    ['{"type": "local", "command": "x"}', 'stdio'],
    ['{"type": "http", "url": "https://a.example/mcp"}', 'http'],
    ['{"type": "streamable-http", "url": "https://a.example/mcp"}', 'http'],
    ['{"type": "streamableHttp", "url": "https://a.example/mcp"}', 'http'],
    ['{"type": "remote", "url": "https://a.example/mcp"}', 'http'],
    ['{"transport": "sse", "url": "https://a.example/sse"}', 'sse'],
    ['{"type": "sse", "url": "https://a.example/sse", "headers": {"X": "y"}}', 'sse'],
    ['{"type": "sse", "url": "unix:///run/a.sock#/sse"}', 'sse'],
    ['{"url": "unix:///run/${env:NAME}.sock#/mcp"}', 'http'],
    ['{"url": "pipe:///pipe/a#/mcp"}', 'http'],
    ['{"url": "${input:url}"}', undefined],
    ['{"url": "$MCP_URL"}', undefined],
    ['{"url": "$MCP_URL/mcp"}', undefined],
  ])('takes the type of %s to be %s', (entry, type) => {
    const { servers: found } = parseConfiguration(`{"servers": {"a": ${entry}}, "inputs": []}`, 'vscode');
    expect(found[0]?.definition.type).toBe(type ?? 'http');
  });

  it.each<[string, string, string[]]>([
    ['no object', servers('"a": 3'), ['error badType @3']],
    ['no command', servers('"a": {}'), ['error missingCommand @"a"']],
    ['empty command', servers('"a": {"command": " "}'), ['error missingCommand @" "']],
    ['no url', servers('"a": {"type": "http"}'), ['error missingUrl @"a"']],
    ['url of another scheme', servers('"a": {"url": "ftp://x"}'), ['error badUrl @"ftp://x"']],
    ['relative socket', servers('"a": {"url": "unix://a.sock"}'), ['error badUrl @"unix://a.sock"']],
    ['relative url', servers('"a": {"url": "localhost/mcp"}'), ['error badUrl @"localhost/mcp"']],
    ['unknown type and nothing else', servers('"a": {"type": "pigeon"}'), ['error unknownType @"pigeon"']],
    ['arguments of another type', servers('"a": {"command": "x", "args": {}}'), ['error badType @{}']],
    ['an argument of another type', servers('"a": {"command": "x", "args": ["x", {}]}'), ['error badType @{}']],
    [
      'arguments in a text of too many words',
      servers(`"a": {"command": "x", "args": "${'a '.repeat(1_001)}"}`),
      [`error badType @"${'a '.repeat(1_001)}"`],
    ],
    ['address of another type', servers('"a": {"type": "ws", "url": "ws://x"}'), ['error unknownType @"ws"']],
    ['empty label', servers('"": {"command": "x"}'), ['error emptyLabel @""']],
  ])('leaves out an entry with %s and keeps the others', (_what, text, expected) => {
    expect(problemsOf(text)).toEqual(expected);
    expect(labelsOf(text)).toEqual(['good']);
  });

  it.each<[string, string[]]>([
    ['"args": "x"', ['warning badType @"x"']],
    ['"args": null, "env": null, "cwd": null, "envFile": null, "type": null, "url": null, "patchbay": null', []],
    ['"env": {"A": null}', []],
    ['"cwd": 1', ['error badType @1']],
    ['"env": []', ['error badType @[]']],
    ['"env": {"A": []}', ['error badType @[]']],
    ['"comand": "x"', ['warning unknownKey @"comand"']],
    ['"zzz": "x"', ['warning unknownKey @"zzz"']],
    ['"headers": {}', []],
    ['"headers": {"A": "1"}', ['warning conflictingKeys @"headers"']],
    ['"url": "https://x"', ['warning conflictingKeys @"url"']],
    ['"cwd": "a", "cwd": "b"', ['warning duplicateKey @"cwd"']],
    ['"env": {"A": "${input:nope}"}', ['error undefinedInput @${input:nope}']],
    ['"args": ["\\"${file}"]', ['error unknownVariable @${file}']],
    ['"args": ["${config:x.y}"]', ['error unknownVariable @${config:x.y}']],
    ['"args": ["-c", "echo ${HOME}"]', ['warning unknownVariable @${HOME}']],
    ['"disabled": true', ['information disabled @"disabled"']],
    ['"enabled": false', ['information disabled @"enabled"']],
    ['"disabled": false, "autoApprove": [], "dev": {}, "trust": false, "_note": "", "$x": 1, "// y": 1', []],
    ['"comment": "", "comments": [], "note": "", "notes": [], "tools": ["*"], "disabledTools": []', []],
    ['"tools": ["a"], "timeout": 3', ['information unusedKey @"tools"', 'information unusedKey @"timeout"']],
    ['"autoApprove": ["a"], "dev": {"watch": "x"}', ['information unusedKey @"autoApprove"']],
    ['"dev": {"watch": ["src/**", "!**/*.test.ts"], "debug": {"type": "debugpy"}}', []],
    ['"dev": "src/**"', ['error badOption @"src/**"']],
    ['"dev": {"watch": ["src/**", 1]}', ['error badOption @["src/**", 1]']],
    ['"dev": {"watch": ""}', ['error badOption @""']],
    ['"dev": {"wach": "src/**"}', ['warning unknownKey @"wach"']],
    ['"dev": {"debug": {"type": "gdb"}}', ['error badOption @"gdb"']],
    ['"dev": {"debug": {"type": "debugpy", "debugpyPath": "/x"}}', ['warning ignoredOption @"debugpyPath"']],
    ['"patchbay": {"dev": {"watch": "src/**", "debug": true}}', ['error badOption @true']],
    ['"sandboxEnabled": true, "sandbox": {}', ['warning unusedKey @"sandboxEnabled"']],
    ['"patchbay": {"timeouts": {"connectMs": -1}}', ['error badOption @-1']],
    ['"patchbay": {"timeouts": {"pingMs": 0}}', []],
    ['"patchbay": {"timeouts": {"requestMs": 0, "pingMs": -1}}', ['error badOption @0', 'error badOption @-1']],
    ['"patchbay": {"revision": "newest"}', ['error badOption @"newest"']],
    ['"patchbay": {"trace": true, "auth": {}, "autorestart": 1}', ['warning unknownKey @"autorestart"']],
    ['"patchbay": {"auth": {"clientId": "${input:nope}"}}', ['error undefinedInput @${input:nope}']],
    ['"patchbay": {"auth": {"redirectPort": 8080}, "autoRestart": false}', []],
    ['"patchbay": {"auth": {"flow": "implicit"}}', ['error badOption @"implicit"']],
    ['"patchbay": {"auth": {"redirectPort": 70000}}', ['error badOption @70000']],
    ['"patchbay": {"auth": {"scopes": ["a b"]}}', ['error badOption @["a b"]']],
    ['"patchbay": {"auth": {"scopes": ["a", "x:${input:nope}"]}}', ['error undefinedInput @${input:nope}']],
    ['"patchbay": {"auth": {"clientID": "x"}}', ['warning unknownKey @"clientID"']],
    ['"patchbay": {"autoStart": true}', ['warning ignoredOption @"autoStart"']],
    ['"patchbay": {"limits": {"items": 9}}', ['warning ignoredOption @"limits"']],
    ['"patchbay": {"roots": "all", "for": "x"}', ['warning ignoredOption @"roots"', 'warning ignoredOption @"for"']],
    ...['clientSecret', 'privateKey', 'assertion', 'idp', 'allowInsecure'].map((name): [string, string[]] => [
      `"patchbay": {"auth": {"${name}": "x"}}`,
      [`warning ignoredOption @"${name}"`],
    ]),
    ['"patchbay": {"auth": true}', ['error badOption @true']],
    ['"patchbay": 1', ['error badOption @1']],
  ])('keeps an entry with %s', (member: string, expected: readonly string[]) => {
    const text = servers(`"a": {"command": "x", ${member}}`);
    expect(problemsOf(text)).toEqual(expected);
    expect(labelsOf(text)).toEqual(['good', 'a']);
  });

  it('offers to rename what is nearly right', () => {
    const rename = (text: string): unknown => parseConfiguration(text, 'vscode').problems[0]?.fix;
    expect(rename(servers('"a": {"command": "x", "evn": {}}'))).toMatchObject({ kind: 'replaceText', text: '"env"' });
    expect(rename(servers('"a": {"type": "http", "serverUrl": "https://x"}'))).toMatchObject({ text: '"url"' });
    expect(rename('{"mcpServers": {"a": {"command": "x"}}}')).toMatchObject({ text: '"servers"' });
  });

  it('lets the last of two entries with one label count, and marks the first', () => {
    const text = '{"servers": {"a": {"command": "one"}, "b": {"command": "x"}, "a": {"command": "two"}}}';
    const { servers: found, problems } = parseConfiguration(text, 'vscode');
    expect(found.map(({ label, definition }) => [label, 'command' in definition && definition.command])).toEqual([
      ['b', 'x'],
      ['a', 'two'],
    ]);
    expect(problems).toMatchObject([{ code: 'duplicateLabel', range: { offset: text.indexOf('"a"') } }]);
  });

  it.each<[FileKind, string, string]>([
    ['vscode', 'mcpServers', 'servers'],
    ['cursor', 'servers', 'mcpServers'],
    ['github', 'servers', 'mcpServers'],
  ])('reads the wrong section of %s (%s), but says so', (kind, wrong, right) => {
    const text = `{"${wrong}": {"a": {"command": "x"}}}`;
    expect(parseConfiguration(text, kind).servers).toHaveLength(1);
    expect(parseConfiguration(text, kind).problems).toMatchObject([
      { code: 'wrongSection', fix: { text: `"${right}"` } },
    ]);
    const both = `{"${wrong}": {"a": {"command": "x"}}, "${right}": {"b": {"command": "y"}}}`;
    expect(labelsOf(both, kind)).toEqual(['b']);
    expect(problemsOf(both, kind)).toEqual([`warning wrongSection @"${wrong}"`]);
  });

  it.each([
    ['a missing brace', '{"servers": {"a": {"command": "x"}, "b": {"command": "y"}'],
    ['a missing comma', '{"servers": {"a": {"command": "x"} "b": {"command": "y"}}}'],
    ['a value not yet written', '{"servers": {"a": {"command": "x"}, "b": {"command": "y", "args": }}}'],
    ['text after the end', '{"servers": {"a": {"command": "x"}, "b": {"command": "y"}}} }'],
  ])('uses what can be read of a file with %s', (_what, text) => {
    const parsed = parseConfiguration(text, 'vscode');
    expect(parsed.servers.map(({ label }) => label)).toEqual(['a', 'b']);
    expect(parsed.problems.map(({ code }) => code)).toContain('brokenJson');
  });

  it.each(['', '  \n', '// nothing yet\n', '{}'])('has nothing against the empty file %j', (text) => {
    expect(parseConfiguration(text, 'vscode')).toEqual({ servers: [], labels: [], inputs: [], problems: [] });
  });

  it.each(['[]', '"x"', '{"servers": []}', '{"servers": 1}', 'null'])('reports the shape of %s', (text) => {
    expect(problemsOf(text).map((problem) => problem.split(' ')[1])).toEqual(['badType']);
  });

  it('bounds the syntax errors of a file that is no JSON at all', () => {
    expect(parseConfiguration('<html>'.repeat(10_000), 'vscode').problems.length).toBeLessThanOrEqual(11);
  });

  it('understands shell variables in .mcp.json and .github/mcp.json alone', () => {
    const text = '{"mcpServers": {"a": {"command": "x", "args": ["${HOME}", "${PORT:-80}", "${env:X}"]}}}';
    expect(problemsOf(text, 'mcpJson')).toEqual([]);
    expect(problemsOf(text, 'github')).toEqual([]);
    expect(problemsOf(text, 'cursor')).toEqual([
      'warning unknownVariable @${HOME}',
      'warning unknownVariable @${PORT:-80}',
    ]);
  });

  it('treats a label such as __proto__ as any other', () => {
    const text = '{"servers": {"__proto__": {"command": "x"}, "constructor": {"command": "y"}}}';
    expect(labelsOf(text)).toEqual(['__proto__', 'constructor']);
  });
});

describe('inputs', () => {
  it('reads all three kinds', () => {
    const text = `{"inputs": [
      {"type": "promptString", "id": "key", "description": "The key", "password": true},
      {"type": "pickString", "id": "place", "options": ["eu", {"label": "America", "value": "us"}], "default": "eu"},
      {"type": "command", "id": "made", "command": "make.it", "args": {"a": 1}}
    ], "servers": {"a": {"command": "x", "args": ["\${input:key}", "\${input:place}", "\${input:made}"]}}}`;
    const { inputs, problems } = parseConfiguration(text, 'vscode');
    expect(problems).toEqual([]);
    expect(inputs).toEqual([
      { type: 'promptString', id: 'key', description: 'The key', default: undefined, password: true },
      {
        type: 'pickString',
        id: 'place',
        description: 'Value for place',
        default: 'eu',
        options: [
          { label: 'eu', value: 'eu' },
          { label: 'America', value: 'us' },
        ],
      },
      { type: 'command', id: 'made', command: 'make.it', args: { a: 1 } },
    ]);
  });

  it.each<[string, string[]]>([
    ['{}', ['error badType @{}']],
    ['[{"type": "promptString"}]', ['error badType @{"type": "promptString"}']],
    ['[{"id": "a", "type": "x"}]', ['warning unknownType @"x"']],
    ['null', []],
    ['[{"id": "a", "type": "pickString", "options": []}]', ['error badType @[]']],
    ['[{"id": "a", "type": "command"}]', ['error missingCommand @{"id": "a", "type": "command"}']],
    [
      '[{"id": "a", "type": "promptString"}, {"id": "a", "type": "promptString", "password": true}]',
      ['warning duplicateInput @{"id": "a", "type": "promptString"}'],
    ],
  ])('reports %s', (inputs, expected) => {
    expect(problemsOf(`{"inputs": ${inputs}}`)).toEqual(expected);
  });
});

describe('settings', () => {
  it('reads patchbay.servers by the same rules, without places', () => {
    const { servers: found, problems } = parseServersSetting({ a: { command: 'x', args: ['${input:k}'] }, b: {} }, [
      { id: 'k', type: 'promptString' },
    ]);
    expect(found).toEqual([
      { label: 'a', range: undefined, options: {}, definition: { type: 'stdio', command: 'x', args: ['${input:k}'] } },
    ]);
    expect(problems).toMatchObject([{ code: 'missingCommand', range: undefined }]);
    expect(problems[0]?.fix).toBeUndefined();
  });

  it('misses the input of each text about signing in', () => {
    const use = (name: string): string => `\${input:${name}}`;
    const a = {
      url: 'https://a.example',
      oauth: { scopes: [use('a')] },
      auth: { scopes: [use('b')], CLIENT_ID: use('c') },
    };
    const auth = { parameters: { audience: use('d') }, scopes: [use('e')], issuer: use('f') };
    const { problems } = parseServersSetting({ a: { ...a, patchbay: { auth } } }, []);
    expect(problems.map(({ message }) => /the input "(.)" is not defined/.exec(message)?.[1])).toEqual(
      'a b c d e f'.split(' '),
    );
  });

  it.each([undefined, null, 3, [], 'x'])('survives %j', (value) => {
    expect(parseServersSetting(value, value).servers).toEqual([]);
    expect(parseServerOptionsSetting(value, 'user').options.size).toBe(0);
  });

  it('reads patchbay.serverOptions by label', () => {
    const setting = { a: { roots: 'none', for: ' npx a ' }, b: { roots: 'some', for: 1 } };
    const { options, problems } = parseServerOptionsSetting(setting, 'user');
    expect(options.get('a')).toEqual({ options: { roots: 'none' }, target: 'npx a' });
    expect(options.get('b')).toEqual({ options: { roots: 'none' }, target: undefined });
    expect(problems).toMatchObject([{ code: 'badOption' }, { code: 'badOption' }]);
  });

  it.each(['some', null, 1, true, {}, [1], 'All'])('tells a server of no folder where its roots are %j', (roots) => {
    const { options, problems } = parseServerOptionsSetting({ a: { roots } }, 'user');
    expect(options.get('a')?.options).toEqual({ roots: 'none' });
    expect(problems).toMatchObject([{ code: 'badOption', message: expect.stringContaining('none is shared') }]);
  });

  it('reads limits from them', () => {
    const read = (limits: unknown) => parseServerOptionsSetting({ a: { limits } }, 'user');
    expect(read({ members: 7 }).options.get('a')?.options).toEqual({ limits: { members: 7 } });
    for (const wrong of [{ messageBytes: 2 ** 40 }, { members: 1.5 }, []])
      expect(read(wrong).problems).toMatchObject([{ code: 'badOption' }]);
    // Earlier versions took more.
    const { options, problems } = read({ depth: 600, members: 7 });
    expect(options.get('a')?.options).toEqual({ limits: { members: 7 } });
    expect(problems).toMatchObject([{ code: 'unknownKey', severity: 'warning' }]);
  });

  it('reads an identity provider from them', () => {
    const read = (idp: unknown) => parseServerOptionsSetting({ a: { auth: { idp } } }, 'user');
    expect(read({ issuer: 'https://idp.example' }).options.get('a')?.options.auth?.idp).toEqual({
      issuer: 'https://idp.example',
    });
    for (const idp of ['x', { issuer: 1 }]) expect(read(idp).problems).toMatchObject([{ code: 'badOption' }]);
  });

  it('takes from those of a workspace only what cannot widen anything', () => {
    const auth = { clientId: 'x', clientSecret: 'y', allowInsecure: true };
    const setting = { a: { autoStart: true, roots: 'all', for: 'x', trace: true, auth } };
    const { options, problems } = parseServerOptionsSetting(setting, 'workspace');
    expect(options.get('a')?.options).toEqual({ trace: true, auth: { clientId: 'x' } });
    expect(problems.map(({ code }) => code)).toEqual(Array.from({ length: 5 }, () => 'ignoredOption'));
    expect(problems[0]?.message).toBe(
      'Server "a": the option "autoStart" is not used here: only your user settings ("patchbay.serverOptions") can set it.',
    );
  });

  it.each([
    [{ clientId: 'a', clientSecret: 's' }, 'clientSecret'],
    [{ privateKey: 'k' }, 'privateKey'],
    [{ assertion: 'j' }, 'assertion'],
    [{ idp: { issuer: 'https://idp.example', idToken: 't' } }, 'idp.idToken'],
  ])('misses the issuer of a secret: %j', (auth, member) => {
    const { options, problems } = parseServerOptionsSetting({ a: { auth } }, 'user');
    expect(problems).toMatchObject([{ code: 'missingIssuer', severity: 'error' }]);
    expect(problems[0]?.message).toContain(`"auth" holds "${member}" and needs "issuer"`);
    expect(options.get('a')?.options).toEqual({ auth });
    const bound = parseServerOptionsSetting({ a: { auth: { ...auth, issuer: 'https://auth.example' } } }, 'user');
    expect(bound.problems).toEqual([]);
  });

  it('misses no issuer where there is no secret', () => {
    const auth = { clientId: 'a', idp: { issuer: 'https://idp.example', clientId: 'b' } };
    expect(parseServerOptionsSetting({ a: { auth } }, 'user').problems).toEqual([]);
  });
});

describe('the line and character of a problem', () => {
  it.each([
    ['ab\ncd', 0, 2, [0, 0, 0, 2]],
    ['ab\ncd', 3, 2, [1, 0, 1, 2]],
    ['ab\r\ncd\r\n', 4, 4, [1, 0, 2, 0]],
    ['ab\rcd', 3, 1, [1, 0, 1, 1]],
    ['ab', 1, 100, [0, 1, 0, 2]],
    ['', 0, 0, [0, 0, 0, 0]],
  ] as const)('are right in %j', (text, offset, length, [startLine, startCharacter, endLine, endCharacter]) => {
    const placeOf = createLocator(text);
    expect(placeOf(offset)).toEqual({ line: startLine, character: startCharacter });
    expect(placeOf(offset + length)).toEqual({ line: endLine, character: endCharacter });
  });
});
