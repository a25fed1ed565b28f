import { describe, expect, it } from 'vitest';
import {
  expandVariables,
  type ResolvedInput,
  type VariableContext,
  type VariableUse,
} from '../../../src/config/expandVariables.ts';
import { findVariables } from '../../../src/config/variables.ts';
import { problem } from '../../fixtures/problem.ts';

const backend = { name: 'backend', uri: 'file:///home/me/backend', path: '/home/me/backend' };
const frontend = { name: 'front end', uri: 'file:///home/me/front', path: '/home/me/front' };

function context(changes: Partial<VariableContext> = {}): VariableContext {
  return {
    folder: backend,
    folders: [backend, frontend],
    userHome: '/home/me',
    pathSeparator: '/',
    environment: { NAME: 'value', EMPTY: '', API_TOKEN: 's3cret', TWICE: '${env:NAME}' },
    syntax: 'editor',
    resolveInput: async (id) => ({ value: `<${id}>`, isSecret: id === 'password', isSaved: false }),
    ...changes,
  };
}

describe('expandVariables', () => {
  it.each<[string, string, Partial<VariableContext>]>([
    ['plain $ {x} $NAME', 'plain $ {x} $NAME', {}],
    ['${workspaceFolder}/a', '/home/me/backend/a', {}],
    ['${workspaceFolder:front end}/a', '/home/me/front/a', {}],
    ['${workspaceFolder}', '/home/me/backend', { folder: undefined }],
    ['${workspaceFolderBasename}', 'backend', {}],
    ['${workspaceFolderBasename:front end}', 'front', {}],
    ['${userHome}${/}x${pathSeparator}y', '/home/me/x/y', {}],
    ['${env:NAME}-${env:NAME}', 'value-value', {}],
    ['[${env:MISSING}]', '[]', {}],
    ['${env:TWICE}', '${env:NAME}', {}],
    ['${input:a}${input:b}', '<a><b>', {}],
    ['echo ${HOME} ${NAME:-x}', 'echo ${HOME} ${NAME:-x}', {}],
    // A variable that is set to nothing is set, as in Claude Code and VS Code.
    ['${NAME} ${MISSING:-x y} ${EMPTY:-z} ${MISSING:-}', 'value x y  ', { syntax: 'shell' }],
    ['${NAME:-${B}}|${C:-/var/${D}/data}', 'value|/var/${D}/data', { syntax: 'shell' }],
    ['${C:-${D:-${E}}}${C:-${D}|${NAME}', '${D:-${E}}${D|value', { syntax: 'shell' }],
    ['${C:-x', '${C:-x', { syntax: 'shell' }],
    ['${MISSING}|$NAME', '${MISSING}|$NAME', { syntax: 'shell' }],
    ['${MISSING}|$NAME|$MISSING|${NAME}|$5|$', '${MISSING}|value|$MISSING|value|$5|$', { syntax: 'dollar' }],
    ['${workspaceRoot}|${cwd}|${workspaceRootFolderName}', '/home/me/backend|/home/me/backend|backend', {}],
    ['${env:name}', 'value', { pathSeparator: '\\' }],
    ['${a${env:NAME}}', '${avalue}', {}],
    ['${}', '${}', {}],
  ])('%s → %s', async (text, expected, changes) => {
    expect((await expandVariables(text, 'args[0]', context(changes))).text).toBe(expected);
  });

  it('masks what comes from secrets, and only that', async () => {
    const { text, masked } = await expandVariables('--k=${input:password} ${input:a} ${env:API_TOKEN}', 'x', context());
    expect(text).toBe('--k=<password> <a> s3cret');
    expect(masked).toBe('--k=${input:password} <a> ${env:API_TOKEN}');
  });

  it('tells what goes in by name, and takes for secret what looks like it by name, by value or by its place', async () => {
    const uses: VariableUse[] = [];
    const environment = {
      NAME: 'value',
      API_TOKEN: 's3cret',
      GH: `ghp_${'x'.repeat(20)}`,
      DB: 'postgres://me:pw@host/db',
    };
    const collecting = context({ environment, used: (use) => uses.push(use) });
    const { masked } = await expandVariables('${env:NAME}${env:GH}${env:DB}${env:UNSET_TOKEN}', 'x', collecting);
    expect(masked).toBe('value${env:GH}${env:DB}${env:UNSET_TOKEN}');
    expect(uses.map(({ name, isSecret }) => [name, isSecret])).toEqual([
      ['NAME', false],
      ['GH', true],
      ['DB', true],
      ['UNSET_TOKEN', true],
    ]);
    expect((await expandVariables('${env:NAME}', 'headers.Authorization', collecting, true)).masked).toBe(
      '${env:NAME}',
    );
    expect(uses.at(-1)).toMatchObject({ name: 'NAME', reference: '${env:NAME}', isSecret: true });
  });

  it('shows a default, which is in the file: what it names would not be covered otherwise', async () => {
    const shell = context({ syntax: 'shell', environment: { SET_KEY: './mine.js' } });
    for (const written of ['./server.js', '--privileged', `./sk-${'x'.repeat(40)}.js`]) {
      const { text, masked } = await expandVariables(`\${APP_KEY:-${written}}`, 'x', shell);
      expect([text, masked]).toEqual([written, written]);
    }
    expect((await expandVariables('${SET_KEY:-./server.js}', 'x', shell)).masked).toBe('${SET_KEY:-./server.js}');
  });

  it.each<[string, RegExp, Partial<VariableContext>]>([
    [
      '${workspaceFolder}',
      /^"cwd" uses \$\{workspaceFolder\}, but no folder is open/,
      { folder: undefined, folders: [] },
    ],
    ['${workspaceFolder:gone}', /^"cwd" uses .* no folder named "gone"/, {}],
    ['${file}', /^"cwd" uses the variable \$\{file\}/, {}],
    ['${config:a.b}', /^"cwd" uses the variable \$\{config:a\.b\}\. VS Code replaces it, Patchbay does not/, {}],
    ['${command:a.b}', /an input of type "command"/, {}],
    ['${localEnv:A}', /use \$\{env:NAME\}/, {}],
    ['${containerWorkspaceFolder}', /Dev containers replace it.* use \$\{workspaceFolder\}\./, {}],
    ['${localWorkspaceFolderBasename}', /use \$\{workspaceFolderBasename\}\./, { syntax: 'shell' }],
    ['${CLAUDE_PLUGIN_ROOT}', /^"cwd" uses .* only a plugin of Claude Code has/, { syntax: 'shell' }],
  ])('refuses %s', async (text, message, changes) => {
    await expect(expandVariables(text, '"cwd"', context(changes))).rejects.toEqual(problem('configuration', message));
  });

  it('asks for inputs one after the other', async () => {
    const log: string[] = [];
    const resolveInput = async (id: string): Promise<ResolvedInput> => {
      log.push(`ask ${id}`);
      await Promise.resolve();
      log.push(`got ${id}`);
      return { value: id, isSecret: false, isSaved: false };
    };
    await expandVariables('${input:a}${input:b}', 'x', context({ resolveInput }));
    expect(log).toEqual(['ask a', 'got a', 'ask b', 'got b']);
  });
});

describe('variables that are not set', () => {
  it.each([
    ['${GONE_TOKEN} ${env:GONE}', ['GONE_TOKEN kept', 'GONE empty']],
    ['${NAME} ${GONE:-x} ${env:EMPTY}', ['NAME undefined', 'GONE undefined', 'EMPTY undefined']],
  ])('are named: %s', async (text, expected) => {
    const uses: VariableUse[] = [];
    await expandVariables(text, 'x', context({ syntax: 'shell', used: (use) => uses.push(use) }));
    expect(uses.map(({ name, isMissing }) => `${name} ${isMissing}`)).toEqual(expected);
  });
});

describe('findVariables', () => {
  it('takes time that grows with the text alone', () => {
    const text = '${A:-'.repeat(50_000);
    expect(findVariables(`${text}}`, 'shell')).toHaveLength(1);
    expect(findVariables(text, 'dollar')).toEqual([]);
  });

  it.each([
    ['env:', 'foreign'],
    ['input:', 'foreign'],
    ['command:x', 'unsupported'],
    ['file', 'unsupported'],
    ['workspaceRoot', 'workspaceFolder'],
    ['workspaceRootFolderName', 'workspaceFolderBasename'],
    ['cwd', 'workspaceFolder'],
    ['containerWorkspaceFolder', 'unsupported'],
    ['localWorkspaceFolder', 'unsupported'],
    ['whatever', 'foreign'],
  ])('%s is %s', (name, kind) => {
    expect(findVariables(`\${${name}}`, 'editor').map(({ meaning }) => meaning.kind)).toEqual([kind]);
  });
});
