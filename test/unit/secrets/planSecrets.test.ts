import { describe, expect, it } from 'vitest';
import type { LaunchPlan } from '../../../src/base/launchPlan.ts';
import { secretsOfPlan } from '../../../src/secrets/planSecrets.ts';
import { planWithSecrets as local } from '../../fixtures/launches.ts';

describe('the secrets of a launch', () => {
  it('has inputs, secret settings and the env file of a process, each with its origin', () => {
    expect(secretsOfPlan('db', local).map(({ kind, value, what }) => [kind, value, what])).toEqual([
      ['secretInput', 'value-of-input', 'the value of the input "apiKey"'],
      ['secretInput', 'from-the-shell', 'the variable SHELL_KEY of the server "db"'],
      ['envFile', 'pass-in-file-2', 'DB_PASSWORD of the env file of "db"'],
      ['secretInput', 'written-out-1', 'API_TOKEN of the server "db"'],
    ]);
  });

  it('has the credentials of a remote server, with and without their scheme', () => {
    const plan: LaunchPlan = {
      kind: 'http',
      url: new URL('https://me:p%40ss-word@a.example/mcp?api_key=in-the-address&page=2'),
      headers: { Authorization: 'Bearer abc-def', 'X-Level': 'high' },
    };
    expect(secretsOfPlan('web', plan).map(({ value }) => value)).toEqual([
      'Bearer abc-def',
      'abc-def',
      'p@ss-word',
      'in-the-address',
    ]);
  });

  it('names a secret by its server where the plan has no names', () => {
    const { secretNames: _, ...plan } = local;
    expect(secretsOfPlan('db', plan)[0]?.what).toBe('a secret of the server "db"');
  });
});
