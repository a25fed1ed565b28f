import { describe, expect, it } from 'vitest';
import type { StdioLaunchPlan } from '../../../../src/base/launchPlan.ts';
import { debugLaunch } from '../../../../src/host/development/debugLaunch.ts';
import { debugTargetOf, type DebugType, isDebuggable } from '../../../../src/host/development/debugTarget.ts';
import { sampleServer } from '../sampleServer.ts';

const setting = { port: 4711, scripts: '/ext/media/debug', debugpy: undefined, platform: 'linux' } as const;
const hook = '--require "/ext/media/debug/node/inspect.cjs"';

function planOf(line: readonly string[], env: StdioLaunchPlan['env'] = {}): StdioLaunchPlan {
  const [command = '', ...args] = line;
  return { kind: 'stdio', label: 'mine', command, program: `/bin/${command}`, args, cwd: '/w', env };
}

function launched(line: string, given: Partial<Parameters<typeof debugLaunch>[2]> = {}, env?: StdioLaunchPlan['env']) {
  const plan = planOf(line.split(' '), env);
  const target = debugTargetOf(plan.command, plan.args);
  if (target === undefined) throw new Error(`${line} is not known`);
  return debugLaunch(plan, target, { ...setting, ...given });
}

function lineOf({ plan: { command, args } }: ReturnType<typeof launched>): string {
  return [command, ...args].join(' ');
}

describe('the debugger of a command', () => {
  it.each<readonly [line: string, type: DebugType, by: 'arguments' | 'environment']>([
    ['node server.js', 'node', 'arguments'],
    ['C:\\Programs\\node.exe server.js', 'node', 'arguments'],
    ['npx -y @scope/server', 'node', 'environment'],
    ['npm.cmd run start', 'node', 'environment'],
    ['cmd /c npx my-server', 'node', 'environment'],
    ['env MODE=test tsx server.ts', 'node', 'environment'],
    ['./server.mjs', 'node', 'environment'],
    ['python server.py', 'debugpy', 'arguments'],
    ['/w/.venv/bin/python3.12 -um server', 'debugpy', 'arguments'],
    ['python -', 'debugpy', 'environment'],
    ['uv run python server.py', 'debugpy', 'environment'],
    ['fastmcp run server.py', 'debugpy', 'environment'],
    ['uvx my-server', 'debugpy', 'environment'],
  ])('of %s is %s', (line, type, by) => {
    const [command = '', ...args] = line.split(' ');
    expect(debugTargetOf(command, args)).toEqual({ type, by });
  });

  it.each(['bun server.ts', 'deno run server.ts', 'docker run image', './server', 'go run .'])(
    'of %s is not known, unless the configuration says it',
    (line) => {
      const [command = '', ...args] = line.split(' ');
      expect(debugTargetOf(command, args)).toBeUndefined();
      expect(debugTargetOf(command, args, 'debugpy')).toEqual({ type: 'debugpy', by: 'environment' });
    },
  );

  it('is offered for programs only', () => {
    expect(isDebuggable(sampleServer('local', {}).configured)).toBe(true);
    const remote = { definition: { type: 'http', url: 'https://example.com/mcp' } } as const;
    expect(isDebuggable(sampleServer('remote', { configured: remote }).configured)).toBe(false);
  });
});

describe('a launch under a debugger', () => {
  it('puts the port before the script, and keeps the program that was approved', () => {
    const { plan, added } = launched('node --max-old-space-size=99 server.js --inspect');
    expect(plan.args).toEqual(['--inspect=127.0.0.1:4711', '--max-old-space-size=99', 'server.js', '--inspect']);
    expect(plan).toMatchObject({ program: '/bin/node', cwd: '/w', label: 'mine' });
    expect(added).toBe('--inspect=127.0.0.1:4711');
  });

  it('replaces a port that the command line opens itself', () => {
    expect(lineOf(launched('node --inspect-brk=0.0.0.0:9229 server.js'))).toBe(
      'node --inspect=127.0.0.1:4711 server.js',
    );
  });

  it.each(['npx -y server', 'npm run start', 'tsx server.ts'])('loads a script into what %s starts', (line) => {
    const made = launched(line, {}, { NODE_OPTIONS: '--no-warnings', KEY: 'value' });
    expect(lineOf(made)).toBe(line);
    expect(made.plan.env).toEqual({ KEY: 'value', NODE_OPTIONS: `--no-warnings ${hook}`, PATCHBAY_DEBUG_PORT: '4711' });
    expect(made.added).not.toContain('value');
  });

  it('quotes a path of Windows as Node.js reads it', () => {
    const { plan } = launched('npx server', { platform: 'win32', scripts: 'C:\\My Files\\debug' });
    expect(plan.env['NODE_OPTIONS']).toBe('--require "C:\\\\My Files\\\\debug\\\\node\\\\inspect.cjs"');
  });

  it.each([
    ['python server.py --port 1', 'python -m debugpy LISTEN server.py --port 1'],
    ['python -u -X dev server.py', 'python -u -X dev -m debugpy LISTEN server.py'],
    ['python3 -um my.server -v', 'python3 -u -m debugpy LISTEN -m my.server -v'],
    ['python -mserver', 'python -m debugpy LISTEN -m server'],
    ['python -c print(1)', 'python -m debugpy LISTEN -c print(1)'],
  ])('puts debugpy between Python and what it runs: %s', (line, expected) => {
    const wanted = expected.replace('LISTEN', '--listen 127.0.0.1:4711 --wait-for-client');
    const made = launched(line);
    expect(lineOf(made)).toBe(wanted);
    expect(made.plan.program).toBe('/bin/' + made.plan.command);
  });

  it('takes a debugpy that is elsewhere, with the program that was approved', () => {
    const { plan } = launched('python -u a.py', { debugpy: '/dbg/debugpy' });
    expect(plan.args.join(' ')).toBe('-u /dbg/debugpy --listen 127.0.0.1:4711 --wait-for-client a.py');
    expect(plan.program).toBe('/bin/python');
  });

  it.each(['uv run python server.py', 'fastmcp run server.py'])('starts debugpy in what %s starts', (line) => {
    const made = launched(line, { debugpy: '/dbg/debugpy' }, { PYTHONPATH: '/w/lib' });
    expect(lineOf(made)).toBe(line);
    expect(made.plan.env).toMatchObject({
      PYTHONPATH: '/ext/media/debug/python:/w/lib',
      PATCHBAY_DEBUG_PORT: '4711',
      PATCHBAY_DEBUGPY: '/dbg/debugpy',
    });
  });
});
