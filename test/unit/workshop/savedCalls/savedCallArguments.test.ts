import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import {
  describeLeft,
  resolveArguments,
  toPortable,
  withoutSecrets,
} from '../../../../src/workshop/savedCalls/savedCallArguments.ts';
import { createSecretSearch, type SecretSearch } from '../../../../src/secrets/secretSearch.ts';

/** @param secrets values, and what they come from */
function searchFor(...secrets: readonly { readonly value: string; readonly reference?: string }[]): SecretSearch {
  return createSecretSearch(secrets.map((secret) => ({ ...secret, kind: 'secretInput', what: 'a secret' })));
}

const folder = { name: 'app', path: '/home/me/app' };
const folders = [folder, { name: 'lib', path: '/home/me/lib' }];

describe('arguments for a file that others read', () => {
  it('name the inputs that secrets come from', () => {
    const known = searchFor(
      { value: 'correct horse', reference: '${input:key}' },
      { value: 'correct horse battery', reference: '${input:long}' },
    );
    const args = { a: 'correct horse', b: ['x correct horse battery y'], c: 'correct', d: 5 };
    expect(withoutSecrets(args, known)).toMatchObject({
      args: { a: '${input:key}', b: ['x ${input:long} y'], c: 'correct', d: 5 },
      doubtful: [],
    });
  });

  it.each<[string, JsonObject, string, string]>([
    ['a secret without an input', { auth: { header: 'staple of mine' } }, 'auth.header', '${input:header}'],
    ['a token of a known form', { list: ['ghp_abcdefghijklmnopqrstu'] }, 'list.0', '${input:list}'],
    ['what is called so', { 'api key': 'abc-def-ghi' }, 'api key', '${input:api-key}'],
    ['what has no name', { '…': ['npm_abcdefghijklmnopqrstuvwxyz'] }, '….0', '${input:secret}'],
  ])('ask about %s', (_what, args, place, placeholder) => {
    const { args: kept, doubtful, withPlaceholders } = withoutSecrets(args, searchFor({ value: 'staple of mine' }));
    expect(kept).toEqual(args);
    expect(doubtful).toEqual([{ place, placeholder }]);
    expect(JSON.stringify(withPlaceholders)).toContain(placeholder);
    expect(withoutSecrets(withPlaceholders, searchFor()).doubtful).toEqual([]);
  });

  it.each<JsonObject>([
    { key: 'customer-name' },
    { token: '' },
    { password: '${input:password}' },
    { path: '/home/me' },
    { secret: 5 },
  ])('ask about nothing in %j', (args) => {
    expect(withoutSecrets(args, searchFor({ value: 'x' }))).toEqual({ args, doubtful: [], withPlaceholders: args });
  });

  const split = 'hunter2-Correct/Horse&42';

  it.each<[string, JsonObject, JsonObject]>([
    ['split over a list', { parts: ['hunter2-C', 'orrect/Horse&42'], n: 1 }, { parts: '${input:parts}', n: 1 }],
    ['split over members', { o: { a: 'hunter2-Correct', b: '/Horse&42' } }, { o: '${input:o}' }],
    ['split over arguments', { a: 'hunter2-Correct', b: '/Horse&42' }, { a: '${input:a}', b: '${input:b}' }],
    ['in numbers of bytes', { data: [...Buffer.from(split)], x: 'y' }, { data: '${input:data}', x: 'y' }],
    ['as a number', { pin: 123_456_789_012 }, { pin: '${input:pin}' }],
    ['as a name', { [split]: 1 }, {}],
    ['as a name inside', { map: { [split]: 1 } }, { map: '${input:map}' }],
  ])('ask about a secret %s', (_what, args, expected) => {
    const known = searchFor({ value: split }, { value: '123456789012' });
    const { doubtful, withPlaceholders, args: kept } = withoutSecrets(args, known);
    expect(withPlaceholders).toEqual(expected);
    expect(doubtful.length).toBeGreaterThan(0);
    expect(kept).toEqual(args);
  });

  it('ask about all where there are more secrets than can be looked for', () => {
    const known = searchFor(...Array.from({ length: 2_001 }, (_, index) => ({ value: `value-of-it-${index}` })));
    expect(withoutSecrets({ a: 'text', b: 1 }, known).doubtful.map(({ place }) => place)).toEqual(['a', 'b']);
    expect(withoutSecrets({}, known).doubtful).toEqual([]);
  });

  it('keep any key', () => {
    const args = JSON.parse('{"__proto__": {"token": "abc-def-ghi"}}') as JsonObject;
    expect(JSON.stringify(withoutSecrets(args, searchFor()).withPlaceholders)).toBe(
      '{"__proto__":{"token":"${input:token}"}}',
    );
  });

  it('have paths that are right elsewhere too, and come back as they were', () => {
    const args = {
      file: '/home/me/app/src/a.ts',
      root: '/home/me/app',
      other: '/home/me/lib/x',
      near: '/home/me/application',
      text: 'see /home/me/app',
    };
    const portable = toPortable(args, { folder, folders });
    expect(portable).toEqual({
      file: '${workspaceFolder}/src/a.ts',
      root: '${workspaceFolder}',
      other: '${workspaceFolder:lib}/x',
      near: '/home/me/application',
      text: 'see /home/me/app',
    });
    expect(resolveArguments(portable, { folder, folders, pathSeparator: '/' })).toEqual({ args, left: [] });
  });
});

describe('arguments of a saved call', () => {
  it('get the folders of this workspace, and nothing that could be secret', () => {
    const args = {
      a: '${workspaceFolderBasename}${/}${pathSeparator}',
      b: ['${env:AWS_SECRET} ${input:key} ${input:key}', '${userHome}', '${file}'],
      c: '${workspaceFolder:gone}',
      d: 'a ${template} of theirs',
    };
    const { args: resolved, left } = resolveArguments(args, { folder, folders, pathSeparator: '\\' });
    expect(resolved).toEqual({ ...args, a: 'app\\\\' });
    expect(left).toEqual(['${env:AWS_SECRET}', '${input:key}', '${userHome}', '${file}', '${workspaceFolder:gone}']);
  });

  it('say what is left to be filled in', () => {
    expect(describeLeft([])).toBeUndefined();
    expect(describeLeft(['${input:a}'])).toMatch(/^Replace \$\{input:a\} before you call/);
    expect(describeLeft(Array.from({ length: 9 }, (_, index) => `\${input:${index}}`))).toContain('and 4 more');
  });
});
