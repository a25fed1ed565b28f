import { describe, expect, it } from 'vitest';
import { readHostName } from '../../../../src/base/hostName.ts';
import { checkElicitationUrl } from '../../../../src/client/elicitation/checkedUrl.ts';

describe('an address to visit', () => {
  it('is taken apart so that its host can be marked', () => {
    expect(checkElicitationUrl('https://Sub.Example.com:8443/a b?c=d#e')).toEqual({
      href: 'https://sub.example.com:8443/a%20b?c=d#e',
      before: 'https://',
      host: 'sub.example.com:8443',
      after: '/a%20b?c=d#e',
      warnings: [],
    });
  });

  it.each([
    'http://localhost:3000/',
    'http://app.localhost/',
    'http://127.0.0.1/',
    'http://127.9.9.9/',
    'http://[::1]:1/',
  ])('may be %s, and says so', (url) => {
    expect(checkElicitationUrl(url).warnings).toEqual(['This address leads to a program on your own computer.']);
  });

  it.each([
    ['https://[::7f00:1]/', 'a program on your own computer'],
    ['https://2130706433/', 'a program on your own computer'],
    ['https://[2002:7f00:1::]/', 'a program on your own computer'],
    ['https://router.lan/', 'your local network'],
    ['https://10.0.0.1/', 'your local network'],
    ['https://[fe80::1]/', 'your local network'],
    ['https://0xa9fea9fe/latest', 'the metadata service of cloud machines'],
    ['https://metadata.google.internal./', 'the metadata service of cloud machines'],
  ])('is said to lead where it does: %s to %s', (url, place) => {
    expect(checkElicitationUrl(url).warnings).toEqual([`This address leads to ${place}.`]);
  });

  const refused = {
    http: ['http://example.com/', 'http://[2002:7f00:1::]/', 'http://127.0.0.1.example.com/'],
    schemes: ['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'vbscript:x', 'vscode://extension'],
    relative: ['//example.com/', '/relative', '', 'https://'],
    users: ['https://user@example.com/', 'https://user:secret@example.com/'],
    likeOthers: ['https://accounts.google.com@evil.example/', 'http://localhost.example.com/'],
    others: ['command:workbench.action.terminal.new', `https://example.com/${'x'.repeat(8_000)}`],
  };

  it.each(Object.values(refused).flat())('is never %s [elicit-url-safe] [url-schemes]', (url) => {
    expect(() => checkElicitationUrl(url)).toThrow(expect.objectContaining({ code: -32602 }));
  });

  it('of a bare number is warned about', () => {
    expect(checkElicitationUrl('https://192.0.2.7/').warnings).toHaveLength(1);
    expect(checkElicitationUrl('https://[2001:db8::1]/').warnings).toHaveLength(1);
    // In any notation.
    expect(checkElicitationUrl('https://3221225991/').warnings).toHaveLength(1);
  });

  it('in other letters is shown by its real name, with what it reads like [elicit-url-safe]', () => {
    // The "а" of the first is Cyrillic; all letters of the second are.
    const mixed = checkElicitationUrl('https://pаypal.com/');
    expect(mixed.host).toBe('xn--pypal-4ve.com');
    expect(mixed.warnings[0]).toMatch(/reads "pаypal\.com", but its real name is xn--pypal-4ve\.com.*mixes letters/);
    expect(checkElicitationUrl('https://аррӏе.com/').warnings[0]).toMatch(/may look like those of another name/);
  });
});

it.each([
  ['example.com', 'example.com', false],
  ['xn--bcher-kva.example', 'bücher.example', false],
  ['xn--fiq228c.com', '中文.com', false],
  ['xn--eckwd4c7cu47r2wf.jp', 'ドメイン名例.jp', false],
  ['xn--pypal-4ve.com', 'pаypal.com', true],
  ['xn--80ak6aa92e.com', 'аррӏе.com', false],
  ['xn--9999999999.com', 'xn--9999999999.com', false],
])('an internationalized host %s reads %s', (ascii, unicode, isMixed) => {
  expect(readHostName(ascii)).toEqual({ unicode, isMixed });
});
