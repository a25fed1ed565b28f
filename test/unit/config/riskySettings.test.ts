import { describe, expect, it } from 'vitest';
import riskyVariables from '../../fixtures/riskyVariables.json' with { type: 'json' };
import { riskyHeader, riskyVariable } from '../../../src/config/riskySettings.ts';

describe('riskyVariable', () => {
  it.each(Object.entries(riskyVariables).flatMap(([kind, names]) => names.map((name) => [name, kind] as const)))(
    '%s: %s',
    (name, kind) => {
      const found = riskyVariable(name, false);
      expect(found).toMatchObject({ kind });
      expect(found?.source).toMatch(/^https:\/\//);
      expect(found?.what.length).toBeGreaterThan(5);
    },
  );

  it.each([
    'FEATURE_FLAGS',
    'DATABASE_DSN',
    'MEMORY_FILE_PATH',
    'SENTRY_AUTH_TOKEN',
    'PORT',
    'LOG_LEVEL',
    'API_KEY',
    'NODE_ENV',
    'GIT_AUTHOR_NAME',
    'MY_PATH',
    'path',
    'Node_Options',
    'UV',
  ])('leaves %s alone', (name) => {
    expect(riskyVariable(name, false)).toBeUndefined();
  });

  it('compares as Windows does there', () => {
    for (const name of ['path', 'Node_Options', 'PSModulePath']) expect(riskyVariable(name, true)?.kind).toBe('code');
  });
});

it.each<[string, string | undefined]>([
  ['Host', 'destination'],
  ['proxy-authorization', 'identity'],
  ['Proxy-Connection', 'destination'],
  ['X-Forwarded-Host', 'destination'],
  ['cookie', 'identity'],
  ['Authorization', 'identity'],
  ['X-Team', undefined],
])('the header %s: %s', (name, kind) => {
  expect(riskyHeader(name)?.kind).toBe(kind);
});
