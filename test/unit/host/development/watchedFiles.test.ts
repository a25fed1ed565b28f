import { expect, it } from 'vitest';
import { pausedWords, RestartBudget } from '../../../../src/host/development/restartBudget.ts';
import { changedFile, codeOf, isForeign, watchedByGlobs } from '../../../../src/host/development/watchedFiles.ts';
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

it('reads the globs of a configuration', () => {
  expect(watchedByGlobs('./src/**/*.ts', '/w')).toEqual({ base: '/w', globs: ['src/**/*.ts'], except: [] });
  expect(watchedByGlobs(['a/**', '!./a/b.ts'], '/w')).toEqual({ base: '/w', globs: ['a/**'], except: ['a/b.ts'] });
  expect(watchedByGlobs(['!a'], '/w')).toBeUndefined();
  expect(watchedByGlobs(undefined, '/w')).toBeUndefined();
});

it.each([
  ['node_modules/a/b.js', true],
  ['a/.git/HEAD', true],
  ['a\\.venv\\x.py', true],
  ['src/node_modules.ts', false],
])('leaves out what others have made: %s', (path, expected) => {
  expect(isForeign(path)).toBe(expected);
});

it('names a file that is not as it was, from its folder', () => {
  const before = code([file('/w/a.js'), file('/w/b.js')]);
  expect(changedFile(before, before, ['/w'])).toBeUndefined();
  expect(changedFile(before, code([file('/w/a.js'), file('/w/b.js', true, 'e')]), ['/w'])).toBe('b.js');
  expect(changedFile(before, code([file('/w/a.js')]), ['/w'])).toBe('b.js');
  expect(changedFile(before, code([file('/w/a.js'), file('/w/b.js')], file('/opt/node', false)), ['/w'])).toBe(
    '/usr/bin/node',
  );
});

it('stops a server that restarts itself, until the person starts it again', () => {
  const budget = new RestartBudget();
  const taken = Array.from({ length: 12 }, (_, index) => budget.take(index * 100));
  expect(taken.filter(Boolean)).toHaveLength(10);
  expect(budget.take(60_000)).toBe(true);
  expect(pausedWords).toMatch(/^Paused after 10 restarts in 30 s/);
  for (let count = 0; count < 10; count += 1) budget.take(60_000);
  budget.reset();
  expect(budget.take(60_000)).toBe(true);
});
