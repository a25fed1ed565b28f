import { describe, expect, it } from 'vitest';
import { isTemplateOf, sameIssuer } from '../../../src/auth/issuers.ts';

describe('sameIssuer', () => {
  it.each([
    ['https://a.example', 'https://a.example/', true],
    ['https://a.example/', 'https://a.example', true],
    ['https://a.example/x', 'https://a.example/x', true],
    ['https://a.example/x', 'https://a.example/x/', false],
    ['https://a.example', 'http://a.example', false],
    ['https://a.example', 'https://a.example:444/', false],
    ['https://a.example', 'https://a.example//', false],
    ['https://a.example', 'HTTPS://A.example:443/', true],
    ['https://A.example/x', 'https://a.example/x', true],
    ['https://a.example/X', 'https://a.example/x', false],
    ['https://a.example', 'https://a.example@b.example', false],
    ['https://a.example', 'https://a.example\\tenant', false],
    ['https://a.example\\@b.example', 'https://a.example@b.example', false],
    ['https://[::1]:443', 'https://[::1]/', true],
    ['https://a.example', undefined, false],
  ])('%s and %s: %s', (one, other, expected) => {
    expect(sameIssuer(one, other)).toBe(expected);
  });
});

describe('isTemplateOf', () => {
  const template = 'https://login.example/{tenantid}/v2.0';
  it.each([
    [template, 'https://login.example/common/v2.0', true],
    [template, 'https://login.example/2f1c-9/v2.0', true],
    [template, 'https://login.example/a/b/v2.0', false],
    [template, 'https://login.example//v2.0', false],
    [template, 'https://login.example/v2.0', false],
    [template, 'https://evil.example/common/v2.0', false],
    ['https://{tenantid}/v2.0', 'https://evil.example/v2.0', false],
    ['https://{tenantid}.example/v2.0', 'https://evil.example/v2.0', false],
    ['https://login.example/{tenantid}/{tenantid}', 'https://login.example/a/a', false],
    ['https://login.example/common/v2.0', 'https://login.example/common/v2.0', false],
  ])('%s of %s: %s', (one, issuer, expected) => {
    expect(isTemplateOf(one, issuer)).toBe(expected);
  });
});
