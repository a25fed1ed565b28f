import { describe, expect, it } from 'vitest';
import { type Invocation, parseArguments } from '../../../src/cli/arguments.ts';
import { commandShapes, type CommandName } from '../../../src/cli/commands.ts';
import { helpText } from '../../../src/cli/help.ts';

function parse(...argv: readonly string[]): Invocation {
  const parsed = parseArguments(argv);
  if (parsed.kind !== 'run') throw new Error(`It is ${parsed.kind}.`);
  return parsed.invocation;
}

describe('the arguments of patchbay', () => {
  it('name a server of the configuration, and a tool', () => {
    const { command, positionals, direct, options } = parse('call', 'notes', 'add', '--arg', 'text=a=b', '--arg=n=-1');
    expect({ command, positionals, direct }).toEqual({
      command: 'call',
      positionals: { server: 'notes', tool: 'add' },
      direct: undefined,
    });
    expect(options.args).toEqual([
      ['text', 'a=b'],
      ['n', '-1'],
    ]);
  });

  it('take a program after “--”, whose options are its own', () => {
    const { direct, positionals } = parse('call', 'add', '--', 'node', 'server.mjs', '--json', '--help', '--');
    expect(direct).toEqual({ kind: 'program', command: 'node', args: ['server.mjs', '--json', '--help', '--'] });
    expect(positionals).toEqual({ tool: 'add' });
  });

  it.each(['https://example.com/mcp', 'HTTP://localhost:1/', 'unix:///run/my.sock#/mcp'])(
    'take an address in place of a name: %s',
    (url) => {
      const { direct, positionals } = parse('call', url, 'add', '--header', 'Authorization: Bearer a:b');
      expect(direct).toEqual({ kind: 'address', url });
      expect(positionals).toEqual({ tool: 'add' });
    },
  );

  it('have inputs, variables and a timeout', () => {
    const { options } = parse(
      'list',
      '--input',
      'key=a=b',
      '--env',
      'A=1',
      '--env',
      'B',
      '--timeout',
      '1.5',
      '--',
      'x',
    );
    expect([...options.inputs]).toEqual([['key', 'a=b']]);
    expect([...options.env]).toEqual([
      ['A', '1'],
      ['B', undefined],
    ]);
    expect(options.timeoutMs).toBe(1_500);
  });

  it.each<[readonly string[], RegExp]>([
    [['lst'], /^There is no command "lst"\. The commands are list, call,/],
    [['help', 'lst'], /^There is no command "lst"\./],
    [['call', 'notes'], /^"call" needs TOOL\. See "patchbay help call"\.$/],
    [['call', '--', 'node'], /^"call" needs TOOL\./],
    [['list', 'a', 'b'], /^"list" does not take the argument "b"\.$/],
    [['call', 'a', 'b', 'c=1'], /^"call" does not take the argument "c=1"\. Write --arg c=1$/],
    [['list', '--', 'a'].slice(0, 2), /^The command of the server is missing after "--"\.$/],
    [['list', 'a', '--nope'], /^Unknown option '--nope'\. See "patchbay help list"\.$/],
    [['list', '--config'], /argument missing\. See /],
    [['list', '--verbose=yes'], /does not take an argument\. See /],
    [['list', '--format', 'sarif'], /^"list" has the formats text, json\.$/],
    [['call', 'a', 'b', '--arg', 'text'], /^"--arg" needs the form name=value\.$/],
    [['list', 'https://'], /^The address of the server is not valid\./],
    [['list', 'notes', '--header', 'A: b'], /^"--header" is for a server that is given by its address\.$/],
    [['list', 'notes', '--env', 'A'], /^"--env" is for a server whose program is given/],
    [['list', '--config', 'x', '--', 'node'], /^"--config" has no meaning for/],
    [['list', '--timeout', '0'], /^"--timeout" needs a number of seconds/],
    [['diff', 'a', 'b', '--', 'node'], /^"diff" does not take the argument "b"\.$/],
    [['replay', 'a', '--', 'node'], /^"replay" takes no program after "--"\.$/],
  ])('are refused with a sentence: %j', (argv, message) => {
    expect(() => parse(...argv)).toThrow(message);
  });

  it('repeat no secret of a wrong option', () => {
    expect(() => parse('list', 'https://a.example', '--header', 'Bearer s3cret')).toThrow(
      '"--header" needs the form Name: value.',
    );
  });

  it.each([['--version'], ['-v']])('ask for the version: %s', (flag) => {
    expect(parseArguments([flag])).toEqual({ kind: 'version' });
  });

  it('ask for help, without and with a command', () => {
    expect(parseArguments([])).toEqual({ kind: 'help', command: undefined });
    expect(parseArguments(['--help'])).toEqual({ kind: 'help', command: undefined });
    expect(parseArguments(['help', 'check'])).toEqual({ kind: 'help', command: 'check' });
    expect(parseArguments(['check', '-h'])).toEqual({ kind: 'help', command: 'check' });
  });

  it.each(Object.keys(commandShapes) as CommandName[])('are described with every option: %s', (command) => {
    const text = helpText(command);
    for (const option of commandShapes[command].options) expect(text).toContain(`--${option}`);
    expect(helpText(undefined)).toContain(`  ${command}`);
  });

  it.each(Object.keys(commandShapes) as CommandName[])('say where a program may follow: %s', (command) => {
    const takesProgram = !['test', 'replay'].includes(command);
    expect(helpText(command).includes('[-- PROGRAM …]')).toBe(takesProgram);
    const others = commandShapes[command].positionals.filter((name) => name !== 'server' && name !== 'new');
    const parsed = (): Invocation => parse(command, ...others, '--', 'node');
    if (takesProgram) expect(parsed().direct).toMatchObject({ command: 'node' });
    else expect(parsed).toThrow('takes no program');
  });
});
