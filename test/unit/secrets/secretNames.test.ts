import { describe, expect, it } from 'vitest';
import { looksLikeSecretName } from '../../../src/secrets/secretNames.ts';

describe('looksLikeSecretName', () => {
  it.each([
    'TOKEN',
    'GITHUB_TOKEN',
    'githubToken',
    'apiKey',
    'API_KEY',
    'APIKey',
    'DB_PASSWORD',
    'Authorization',
    'X-Api-Key',
    'AWS_SECRET_ACCESS_KEY',
    'KEY2',
    'PGPASSWORD_FILE_SECRET',
  ])('%s', (name) => {
    expect(looksLikeSecretName(name)).toBe(true);
  });
  it.each(['PATH', 'MONKEY', 'LEVEL', 'KEYBOARD', 'AUTHOR', 'COMPASS', 'NODE_ENV', 'X-Pattern'])('not %s', (name) => {
    expect(looksLikeSecretName(name)).toBe(false);
  });
});
