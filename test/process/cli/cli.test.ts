import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../fixtures/temporaryFolder.ts';
import { processesWith } from '../processMarks.ts';
import { fixture, patchbay, type RunOptions } from './runPatchbay.ts';

const node = process.execPath;
const article = [node, fixture('articleServer.mjs')];
const scripted = [node, fixture('scriptedServer.mjs')];

/** Text of a server that a terminal would act on: colours, a title, a line that overwrites the one before. */
const escapes = '\u001b[2J\u001b]0;owned\u0007\rok\u009b31m\u202e';

describe('patchbay', () => {
  let folder: string;
  const mark = randomUUID();
  const run = (args: readonly string[], options: RunOptions = {}) =>
    patchbay(args, { cwd: folder, ...options, env: { PATCHBAY_TEST_MARK: mark, ...options.env } });

  beforeEach(async () => {
    folder = await temporaryFolder();
    // The shell that was asked for the environment was killed, which takes a moment on a busy machine.
    onTestFinished(async () => {
      await expect.poll(() => processesWith(mark)).toEqual([]);
    });
  });

  /** Writes `.mcp.json` with servers that carry the mark of this test. */
  async function configure(servers: Readonly<Record<string, object>>, more: object = {}): Promise<void> {
    const marked = Object.entries(servers).map(([label, server]) => {
      const env = 'env' in server ? (server.env as object) : {};
      return [label, 'command' in server ? { ...server, env: { ...env, PATCHBAY_TEST_MARK: mark } } : server];
    });
    await writeFile(join(folder, '.mcp.json'), JSON.stringify({ mcpServers: Object.fromEntries(marked), ...more }));
  }

  const byCommand = ([command = '', ...args]: readonly string[]) => ({ command, args });

  it('says what it can do, and its version', async () => {
    const [help, version, wrong] = await Promise.all([run(['help']), run(['--version']), run(['lst'])]);
    expect(help).toMatchObject({ code: 0, err: '' });
    expect(help.out).toContain('It starts programs of the configuration without a question');
    expect(version.out).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(wrong).toMatchObject({ code: 2, out: '' });
  });

  describe('list', () => {
    it('has the servers of all files by precedence, and starts none', async () => {
      await configure({
        one: { command: 'no-such-program' },
        two: { url: 'https://a.example/mcp?key=s3cret' },
        three: { command: '/opt/bin/node', args: ['--no-warnings', 'server.mjs', '--key', 's3cret'] },
        four: { command: 'node', args: ['-e', 'start("s3cret")'] },
        five: { command: 'uvx', args: ['--from', 'git+https://me:s3cret@a.example/x', 'x'] },
      });
      await mkdir(join(folder, '.vscode'));
      await writeFile(join(folder, '.vscode/mcp.json'), JSON.stringify({ servers: { one: { command: 'first' } } }));
      const { code, out } = await run(['list']);
      expect(code).toBe(0);
      expect(out).toBe(
        [
          'one  first  (.vscode/mcp.json; not used: .mcp.json)',
          'two  https://a.example/mcp  (.mcp.json)',
          'three  /opt/bin/node server.mjs  (.mcp.json)',
          'four  node  (.mcp.json)',
          'five  uvx  (.mcp.json)',
          '',
        ].join('\n'),
      );
    });

    it('has no command for the runner of a job, whatever a name says', async () => {
      await configure({ '##[command]x': { command: '##vso[task.setvariable variable=NODE_OPTIONS]x' } });
      const [text, json] = await Promise.all([run(['list']), run(['list', '--format', 'json'])]);
      expect(text.out).toContain('⟨U+0023⟩#[command]x');
      for (const { out } of [text, json]) expect(out).not.toMatch(/##(?:vso)?\[/);
      expect(JSON.parse(json.out)).toMatchObject({ server: '##[command]x' });
    });

    it('has what a server offers, as text and as JSON', async () => {
      await configure({ article: byCommand(article) });
      const [text, json] = await Promise.all([run(['list', 'article']), run(['list', 'article', '--format=json'])]);
      expect(text.out).toMatch(/^article: .*2025-03-26 over stdio\nTools \(2\)\n {2}calculate .*\n {6}expression\*\n/);
      expect(JSON.parse(json.out)).toMatchObject({
        type: 'contents',
        server: 'article',
        protocolVersion: '2025-03-26',
      });
    });

    it('names the servers that there are for one that there is not', async () => {
      await configure({ article: byCommand(article) });
      const { code, err } = await run(['list', 'artcle']);
      expect([code, err]).toEqual([2, expect.stringContaining('There is no server "artcle" in ')]);
      expect(err).toContain('There is "article".');
    });

    it('reads a file of any place and kind, whose folder is that of the workspace', async () => {
      await mkdir(join(folder, 'inner/.vscode'), { recursive: true });
      const file = join(folder, 'inner/.vscode/mcp.json');
      const script = join(folder, 'inner/server.mjs');
      await writeFile(script, `import ${JSON.stringify(new URL(`file://${fixture('articleServer.mjs')}`))};`);
      const server = { command: node, args: ['${workspaceFolder}/server.mjs'] };
      await writeFile(file, JSON.stringify({ servers: { inner: server } }));
      expect(await run(['list', 'inner', '--config', 'inner/.vscode/mcp.json'])).toMatchObject({ code: 0 });
    });

    it.each([
      ['that is missing', undefined, 'does not exist'],
      ['that is a folder', '.', 'is not an ordinary file'],
      ['without servers', '{}', 'There is no server in'],
      ['that is no JSON', '{"mcpServers": {', 'There is no server in'],
    ])('refuses a configuration file %s', async (_, text, message) => {
      const file = text === '.' ? '.' : 'some.json';
      if (text !== undefined && text !== '.') await writeFile(join(folder, file), text);
      const { code, err } = await run(['list', 'x', '--config', file]);
      expect([code, err]).toEqual([2, expect.stringContaining(message)]);
    });
  });

  describe('call', () => {
    it('prints a result, with arguments by the schema of the tool', async () => {
      const args = ['call', 'calculate', '--arg', 'expression=6*7', '--', ...article];
      expect(await run(args)).toMatchObject({ code: 0, out: '42\n' });
      const json = await run(['call', 'echo', '--arg', 'n=[1]', '--format', 'json', '--', ...scripted]);
      expect(JSON.parse(json.out)).toMatchObject({ type: 'callResult', result: { content: [{ text: '{"n":[1]}' }] } });
    });

    it.each<[string, readonly string[], number, string]>([
      ['an error of the tool', ['calculate', '--arg', 'expression=x'], 1, '--verbose prints it.'],
      ['an unknown tool', ['missing'], 1, 'The server lists no tool "missing". It lists "calculate", '],
      ['arguments that are no JSON', ['calculate', '--json', '{'], 2, 'needs a JSON object'],
    ])('ends with a code for %s, and says what may help', async (_, args, code, help) => {
      expect(await run(['call', ...args, '--', ...article])).toMatchObject({
        code,
        err: expect.stringContaining(help),
      });
    });

    it('ends with a code of its own where the server cannot be started or reached', async () => {
      const [missing, refused] = await Promise.all([
        run(['call', 'x', '--', 'no-such-program-of-patchbay']),
        run(['call', 'http://127.0.0.1:9/mcp', 'x']),
      ]);
      expect([missing.code, refused.code]).toEqual([3, 3]);
      expect(missing.err).toContain('no-such-program-of-patchbay');
    });
  });

  it('takes inputs from the command line and the environment, and never asks', async () => {
    const server = { ...byCommand(scripted), env: { KEY: '${input:api-key}' } };
    await mkdir(join(folder, '.vscode'));
    const inputs = [{ type: 'promptString', id: 'api-key', password: true }];
    await writeFile(join(folder, '.vscode/mcp.json'), JSON.stringify({ servers: { it: server }, inputs }));
    const args = ['call', 'it', 'echo'];
    const [none, given, variable] = await Promise.all([
      run(args),
      run([...args, '--input', 'api-key=k1']),
      run(args, { env: { PATCHBAY_INPUT_API_KEY: 'k2' } }),
    ]);
    expect([none.code, given.code, variable.code]).toEqual([2, 0, 0]);
    expect(none.err).toContain('Set PATCHBAY_INPUT_API_KEY, or use --input ID=VALUE.');
  });

  it('writes out what a terminal would act on, and hides secrets in logs', async () => {
    const stderr = `${escapes} key s3cret-4711-value`;
    const server = { ...byCommand([...scripted, `--stderr=${stderr}`]), env: { API_KEY: 's3cret-4711-value' } };
    await configure({ it: server });
    const args = ['call', 'it', 'echo', '--json', JSON.stringify({ text: escapes })];
    const [quiet, verbose, json] = await Promise.all([
      run(args),
      run([...args, '--verbose']),
      run([...args, '--format=json']),
    ]);
    expect(quiet.err).toBe('');
    expect(verbose.err).toContain('ok');
    expect(verbose.err).not.toContain('s3cret');
    for (const { out, err } of [quiet, verbose, json]) {
      expect(out + err).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
    }
  });

  it('hides secrets in names and titles of what a server lists', async () => {
    const secret = 's3cret-4711-value';
    const code = [
      'const key = process.env.API_KEY;',
      "const tool = { name: 'a b ' + key, title: key, inputSchema: { type: 'object', properties: { [key]: {} } } };",
      "const opening = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: key, version: '1' } };",
      "const results = { initialize: opening, 'tools/list': { tools: [tool, tool] } };",
      "require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {",
      '  const { id, method } = JSON.parse(line);',
      '  const result = results[method];',
      "  const answer = result ? { result } : { error: { code: -32601, message: 'Unknown: ' + key } };",
      "  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));",
      '});',
    ].join('\n');
    await configure({ it: { ...byCommand([node, '-e', code]), env: { API_KEY: secret } } });
    const check = ['check', 'it', '--only', 'own,lint', '--format'];
    const ended = await Promise.all([
      run(['list', 'it']),
      run(['list', 'it', '--format=json']),
      ...['text', 'json', 'junit', 'sarif'].map((format) => run([...check, format])),
    ]);
    for (const { out, err } of ended) {
      expect(out).toContain('a b ');
      expect(out + err).not.toContain(secret);
    }
  });

  describe('check', () => {
    it('has the same verdicts in every format, and a code for the worst of them', async () => {
      await configure({ article: byCommand(article) });
      const formats = ['text', 'json', 'junit', 'sarif'] as const;
      const [text, json, junit, sarif] = await Promise.all(
        formats.map((format) => run(['check', 'article', '--only', 'own', '--format', format])),
      );
      expect([text, json, junit, sarif].map((ended) => ended?.code)).toEqual([0, 0, 0, 0]);
      const lines = (json?.out ?? '').trim().split('\n');
      const results = lines.map((line) => JSON.parse(line) as { type: string; id: string; verdict: string });
      const warnings = results.filter(({ verdict }) => verdict === 'warning').map(({ id }) => id);
      expect(warnings).toContain('own/unknown-tool');
      for (const id of warnings) {
        expect(text?.out).toContain(`[${id}]`);
        expect(sarif?.out).toContain(`"ruleId":"${id}"`);
        expect(junit?.out).toContain(`article.${id}"`);
      }
      const uri = '"artifactLocation":{"uri":".mcp.json","uriBaseId":"SRCROOT"}';
      expect(sarif?.out).toContain(uri);
    });

    it('fails for warnings where it is strict, and writes the report to a file', async () => {
      const args = ['check', '--only=own', '--strict', '--format=junit', '--output=report.xml', '--', ...article];
      const { code, out } = await run(args);
      expect(code).toBe(1);
      expect(out).toMatch(/^articleserver: \d+ warnings/);
      expect(await readFile(join(folder, 'report.xml'), 'utf8')).toMatch(/^<\?xml .*<\/testsuites>\n$/s);
    });

    it('checks all servers of the folder: one that does not start hides no other', async () => {
      await configure({ broken: { command: 'no-such-program-of-patchbay' }, article: byCommand(article) });
      const { code, out } = await run(['check', '--only', 'own']);
      expect(code).toBe(3);
      expect(out).toMatch(/^broken: 1 failed[^]*\narticle: /);
    });

    it('ends with the code for wrong use where a definition lacks something, in each of its checks', async () => {
      await configure({ article: { command: 'node', args: ['${input:none}'] } });
      const { code, out } = await run(['check', '--only', 'lint']);
      expect([code, out]).toEqual([2, expect.stringContaining('the input "none" is not defined')]);
    });

    it('says in one line how to get the suite where it is missing', async () => {
      const args = ['check', '--only', 'suite', '--', ...article];
      const { code, out } = await run(args, { env: { XDG_CACHE_HOME: folder, LOCALAPPDATA: folder, HOME: folder } });
      expect([code, out]).toEqual([0, expect.stringMatching(/^articleserver: 1 not run\n {2}not run: The official/)]);
      expect(out).toContain('Run "patchbay check --install-suite"');
    });

    it('makes no report without a suite that it was given', async () => {
      const { code, out, err } = await run(['check', '--suite', 'nowhere', '--', ...article]);
      expect([code, out, err]).toEqual([2, '', expect.stringContaining('there is no dist/index.js.')]);
    });
  });

  describe('test', () => {
    const call = (expected: object, expression = '6*7') => ({
      server: 'article',
      tool: 'calculate',
      name: expression,
      arguments: { expression },
      expect: expected,
    });

    async function save(...calls: readonly object[]): Promise<void> {
      await mkdir(join(folder, '.vscode'), { recursive: true });
      await writeFile(join(folder, '.vscode/mcp-calls.json'), JSON.stringify({ calls }, undefined, 2));
    }

    it('runs saved calls, and fails for one whose expectation is not met', async () => {
      await configure({ article: byCommand(article) });
      await save(call({ text: ['42'] }), call({ text: ['9'] }, '1+1'));
      const { code, out } = await run(['test', '--format', 'json']);
      const lines = out.trim().split('\n');
      expect(lines.map((line) => (JSON.parse(line) as { verdict?: string }).verdict)).toEqual([
        'passed',
        'failed',
        undefined,
      ]);
      expect(code).toBe(1);
    });

    it('writes snapshots that are missing or different where that is wanted, each file once and none behind a link', async () => {
      await configure({ article: byCommand(article) });
      const kept = (expression: string) => call({ snapshot: 'sum.json' }, expression);
      const path = join(folder, '.vscode/mcp-snapshots/sum.json');
      await save(kept('6*7'));
      const missing = await run(['test']);
      expect([missing.code, missing.out]).toEqual([1, expect.stringContaining('“patchbay test --update-snapshots”')]);
      const update = ['test', '--update-snapshots'];
      const written = await run(update);
      expect([written.code, written.err]).toEqual([
        0,
        expect.stringContaining('written: .vscode/mcp-snapshots/sum.json'),
      ]);
      expect(await readFile(path, 'utf8')).toContain('42');
      const again = await run(update);
      expect([again.code, again.err]).toEqual([0, expect.not.stringContaining('written')]);
      await save(kept('1+1'), kept('6*7'));
      const twice = await run(update);
      expect([twice.code, twice.out]).toEqual([1, expect.stringContaining('Another call of this run')]);
      expect(await readFile(path, 'utf8')).toContain('"2"');
      await rm(path);
      await symlink(join(folder, 'elsewhere.json'), path);
      const linked = await run(update);
      expect([linked.code, linked.out]).toEqual([1, expect.stringContaining('is a link to another place')]);
      await expect(readFile(join(folder, 'elsewhere.json'))).rejects.toThrow('ENOENT');
    });

    it('answers questions and requests for a model by the file', async () => {
      await configure({ demo: byCommand([node, fixture('../../../dist/demoServer.js')]) });
      const demo = { server: 'demo', name: 'one' };
      await save(
        {
          ...demo,
          tool: 'order_lunch',
          expect: { text: ['declin'] },
          answers: { elicitation: [{ action: 'decline' }] },
        },
        {
          ...demo,
          tool: 'summarize',
          arguments: { text: 'abc' },
          expect: { text: ['XYZ'] },
          answers: { sampling: [{ text: 'XYZ' }] },
        },
      );
      const { code, out } = await run(['test', '--format', 'junit']);
      expect([code, out]).toEqual([0, expect.stringContaining('tests="2" failures="0"')]);
      expect(out).toContain(' file=".vscode/mcp-calls.json" line="');
    });

    it('ends with the code for a server that does not start', async () => {
      await configure({ article: { command: 'no-such-program-of-patchbay' } });
      await save(call({ text: ['42'] }));
      expect(await run(['test'])).toMatchObject({ code: 3 });
    });

    it('says where it looked for the file', async () => {
      const { code, err } = await run(['test']);
      expect([code, err]).toEqual([2, expect.stringMatching(/mcp-calls\.json does not exist\.\n$/)]);
    });
  });

  // On Linux alone the test finds the processes of a server.
  it.runIf(process.platform === 'linux')('leaves no process behind when it is interrupted', async () => {
    const flags = ['--silent', '--ignore-sigterm', '--ignore-stdin-end'];
    await configure({ it: byCommand([...scripted, ...flags]) });
    // The server alone has the mark of its configuration: not the program, and what it asks for the environment of a terminal.
    const started: ChildProcess[] = [];
    const ended = patchbay(['list', 'it'], { cwd: folder, onStart: (child) => started.push(child) });
    await expect.poll(() => processesWith(mark).length).toBeGreaterThan(0);
    started[0]?.kill('SIGINT');
    expect(await ended).toMatchObject({ code: 130, out: '' });
    expect(processesWith(mark)).toEqual([]);
  });
});
