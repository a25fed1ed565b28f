import { describe, expect, it } from 'vitest';
import { closestMatch } from '../../../src/config/configurationProblem.ts';
import { looksLikeSecretName } from '../../../src/secrets/secretNames.ts';

describe('closestMatch', () => {
  const keys = ['type', 'command', 'args', 'cwd', 'env', 'envFile', 'url', 'headers'];
  it.each([
    ['comand', 'command'],
    ['Command', 'command'],
    ['arsg', 'args'],
    ['envfile', 'envFile'],
    ['header', 'headers'],
    ['evn', 'env'],
    ['colour', undefined],
    ['x', undefined],
    ['', undefined],
  ])('%s → %s', (word, expected) => {
    expect(closestMatch(word, keys)).toBe(expected);
  });
});

describe('looksSecret', () => {
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
