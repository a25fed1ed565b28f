import { describe, expect, it } from 'vitest';
import { isWebAddress } from '../../../src/shared/resultMessages.ts';

describe('isWebAddress', () => {
  it.each(['https://example.com', 'HTTP://EXAMPLE.com/a b'])('takes %s', (text) => {
    expect(isWebAddress(text)).toBe(true);
  });

  it.each([
    '',
    'example.com',
    '/path',
    '//example.com',
    'javascript:alert(1)',
    'command:x',
    'data:text/html,x',
    'file:///etc',
    'vscode://x',
    'https:',
  ])('refuses "%s" [url-schemes]', (text) => {
    expect(isWebAddress(text)).toBe(false);
  });
});
