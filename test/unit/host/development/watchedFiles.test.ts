import { expect, it } from 'vitest';
import { pausedWords, RestartBudget } from '../../../../src/host/development/restartBudget.ts';
import { codeOf, isForeign, watchedByGlobs } from '../../../../src/host/development/watchedFiles.ts';
import type { ResolvedCode, ResolvedFile } from '../../../../src/config/resolvedCode.ts';

const file = (path: string, isInFolder = true, digest = 'd'): ResolvedFile => ({
  path,
  realPath: path,
  size: 1,
  digest,
  isInFolder,
  isLinkOutOfFolder: false,
});
const code = (files: readonly ResolvedFile[], program = file('/usr/bin/node', false)): ResolvedCode => ({
  code: {} as ResolvedCode['code'],
  program,
  interpreter: undefined,
  files,
  searchedFolders: [],
  uncovered: [],
});

it.each([
  ['a script', ['/w/server.mjs'], [['/w', '**/*.{js,mjs,cjs}']]],
  ['a script that Node.js reads types of', ['/w/src/a.ts'], [['/w/src', '**/*.{js,mjs,cjs,ts,mts,cts,tsx}']]],
  ['a script beside its manifest', ['/w/package.json', '/w/dist/a.js'], [['/w/dist', '**/*.{js,mjs,cjs}']]],
  ['a manifest alone', ['/w/pyproject.toml', '/w/uv.lock'], [['/w', '**/{*.py,py}']]],
  ['a script of a package that others have made', ['/w/node_modules/a/index.js'], []],
  ['data', ['/w/settings.json'], []],
  ['scripts in folders of each other', ['/w/a.js', '/w/b/c.js'], [['/w', '**/*.{js,mjs,cjs}']]],
])('watches the code of a server: %s', (_what, paths, expected) => {
  const watched = codeOf(code(paths.map((path) => file(path))));
  expect(watched.map(({ base, globs }) => [base, ...globs])).toEqual(expected);
});

it('watches a program of the folder, and nothing of one elsewhere or of a link out of the folder', () => {
  expect(codeOf(code([], file('/w/bin/server')))).toEqual([
    { base: '/w/bin', globs: ['**/{*.server,server}'], except: [] },
  ]);
  expect(codeOf(code([file('/other/server.js', false)]))).toEqual([]);
  expect(codeOf(code([{ ...file('/w/a.js'), isLinkOutOfFolder: true }]))).toEqual([]);
});

it.each([
  ['./src/**/*.ts', ['src/**/*.ts'], []],
  [['a/**', '!./a/b.ts'], ['a/**'], ['a/b.ts']],
  ['src\\**\\*.py', ['src/**/*.py'], []],
  ['${workspaceFolder}/src/**', ['src/**'], []],
  ['/w/src/**', ['src/**'], []],
  [['/w/src/**', ' !/w/src/out/** '], ['src/**'], ['src/out/**']],
])('reads the globs of a configuration: %j', (watch, globs, except) => {
  expect(watchedByGlobs(watch, '/w', [])).toEqual({ watched: [{ base: '/w', globs, except }], unwatched: [] });
});

it.each(['../x/**', '/etc/**', '/w2/**', 'C:\\x\\**', 'a/../../x', '{../x,a}/**', '~/x', '', '\\\\host\\share\\**'])(
  'watches nothing outside of the folder, and says so: %s',
  (glob) => {
    expect(watchedByGlobs(glob, '/w', [])).toEqual({ watched: [], unwatched: [glob] });
    expect(watchedByGlobs(['a/*', `!${glob}`], '/w', []).unwatched).toEqual([`!${glob}`]);
  },
);

it('watches the code where the globs only say what does not count', () => {
  const own = [{ base: '/w/src', globs: ['**/*.js'], except: [] }];
  expect(watchedByGlobs(['!src/out/**'], '/w', own).watched).toEqual([
    ...own,
    { base: '/w', globs: [], except: ['src/out/**'] },
  ]);
});

it.each([
  ['node_modules/a/b.js', true],
  ['a/.git/HEAD', true],
  ['a\\.venv\\x.py', true],
  ['src/node_modules.ts', false],
])('leaves out what others have made: %s', (path, expected) => {
  expect(isForeign(path)).toBe(expected);
});

it('stops a server that restarts itself, until the person starts it again', () => {
  const budget = new RestartBudget();
  const taken = Array.from({ length: 12 }, (_, index) => budget.take(index * 100, false));
  expect(taken.filter(Boolean)).toHaveLength(10);
  expect(budget.take(60_000, false)).toBe(true);
  expect(pausedWords).toMatch(/^Paused after 10 restarts one after the other/);
  for (let count = 0; count < 10; count += 1) budget.take(60_000, false);
  budget.reset();
  expect(budget.take(60_000, false)).toBe(true);
});

it('stops one that starts slowly, but no person who saves after each start', () => {
  const restarts = (waitMs: number, isDuring: boolean): number => {
    const budget = new RestartBudget();
    let at = 0;
    for (let count = 0; count < 40; count += 1) {
      if (!budget.take(at, isDuring && count > 0)) return count;
      budget.ended(at + 20_000);
      at += 20_000 + waitMs;
    }
    return 40;
  };
  expect([restarts(0, true), restarts(1_000, false), restarts(5_000, false)]).toEqual([10, 10, 40]);
});
