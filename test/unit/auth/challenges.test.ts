import { describe, expect, it } from 'vitest';
import { parseChallenges, readAuthorizationRequirements } from '../../../src/auth/challenges.ts';

function parsed(header: string) {
  return parseChallenges(header).map(({ scheme, parameters }) => [scheme, Object.fromEntries(parameters)]);
}

describe('parseChallenges', () => {
  it.each<[string, unknown[]]>([
    ['Bearer', [['bearer', {}]]],
    ['Bearer realm="a b", scope="x y"', [['bearer', { realm: 'a b', scope: 'x y' }]]],
    ['bearer Scope=x , ERROR=invalid_token', [['bearer', { scope: 'x', error: 'invalid_token' }]]],
    ['Bearer scope = "x"', [['bearer', { scope: 'x' }]]],
    [
      'Basic realm="a, Bearer scope=\\"no\\"", Bearer scope="x", DPoP algs="ES256 PS256", error="use_dpop_nonce"',
      [
        ['basic', { realm: 'a, Bearer scope="no"' }],
        ['bearer', { scope: 'x' }],
        ['dpop', { algs: 'ES256 PS256', error: 'use_dpop_nonce' }],
      ],
    ],
    [
      'Negotiate abc/def==, Bearer scope=x',
      [
        ['negotiate', {}],
        ['bearer', { scope: 'x' }],
      ],
    ],
    [
      'Negotiate, Bearer',
      [
        ['negotiate', {}],
        ['bearer', {}],
      ],
    ],
    ['Bearer scope="first", scope="second"', [['bearer', { scope: 'first' }]]],
    [
      'Bearer resource_metadata=https://a.example/.well-known/x?y=1',
      [['bearer', { resource_metadata: 'https://a.example/.well-known/x?y=1' }]],
    ],
    ['Bearer error="never closed', [['bearer', { error: 'never closed' }]]],
    [',, ;; Bearer ,, scope=x', [['bearer', { scope: 'x' }]]],
    ['', []],
    ['"quoted"', [['quoted', {}]]],
  ])('reads %s', (header, expected) => {
    expect(parsed(header)).toEqual(expected);
  });

  it('takes time in proportion to the length, and ends for the longest', () => {
    expect(parsed(`Bearer ${'a='.repeat(100_000)}`).length).toBeGreaterThan(0);
    expect(parsed(`Bearer x="${'\\"'.repeat(100_000)}`).length).toBeGreaterThan(0);
  });
});

describe('readDemand', () => {
  it('gathers what Bearer and DPoP say, and nothing of other schemes', () => {
    const header =
      'Basic scope="basic", DPoP error="invalid_token", Bearer scope="a  b c\u00e4", resource_metadata="https://a.example/m"';
    expect(readAuthorizationRequirements(header)).toEqual({
      resourceMetadata: 'https://a.example/m',
      scopes: ['a', 'b'],
      error: 'invalid_token',
      wantsDpop: true,
    });
  });

  it('knows nothing without a header', () => {
    expect(readAuthorizationRequirements(undefined)).toEqual({
      resourceMetadata: undefined,
      scopes: undefined,
      error: undefined,
      wantsDpop: false,
    });
  });
});
