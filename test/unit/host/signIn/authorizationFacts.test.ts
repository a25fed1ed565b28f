import { expect, it } from 'vitest';
import { authorizationFacts } from '../../../../src/host/signIn/authorizationFacts.ts';

const authorization = {
  issuer: 'https://auth.example',
  clientId: 'abc',
  registration: 'dynamic',
  scopes: [],
  expiresAt: undefined,
  canRefresh: true,
  isDpop: false,
  allowed: undefined,
} as const;

const names = (facts: ReturnType<typeof authorizationFacts>): string[] => facts.map(({ name }) => name);

it('shows what a second yes has allowed, and nothing where none was needed', () => {
  const allowed = {
    foreign: [{ kind: 'token', address: 'https://tokens.example/token', isForeign: true }],
    isAnswerUnmarked: true,
  } as const;
  expect(authorizationFacts({ ...authorization, allowed })).toContainEqual({
    name: 'Allowed until you sign out',
    text: 'https://tokens.example/token, that it answers without saying who it is',
  });
  expect(names(authorizationFacts(authorization))).not.toContain('Allowed until you sign out');
});
