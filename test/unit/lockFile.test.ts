import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface LockedPackage {
  readonly version: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Readonly<Record<string, LockedPackage>>;
};

/** Where Node would look for a package from a place inside node_modules, nearest first. */
function places(path: string, name: string): string[] {
  const parts = path.split('/node_modules/');
  return parts
    .map((_, count) => [...parts.slice(0, parts.length - count), name].join('/node_modules/'))
    .concat(`node_modules/${name}`);
}

/** `npm ci` refuses a lock file that lacks an optional package, a build for another platform for example. */
test('the lock file has every optional package, so that npm ci takes it on every platform', () => {
  const optional = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).map((name) => ({ path, name })),
  );
  const missing = optional.filter(({ path, name }) => !places(path, name).some((place) => place in packages));

  expect(optional.length).toBeGreaterThan(50);
  expect(missing).toEqual([]);
  expect(Object.entries(packages).filter(([path, { version }]) => path !== '' && version === undefined)).toEqual([]);
});
