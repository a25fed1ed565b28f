import { describe, expect, it } from 'vitest';
import type { SignInRequest } from '../../../../src/auth/ports.ts';
import { signInQuestion } from '../../../../src/host/auth/signInQuestion.ts';

const request: SignInRequest = {
  label: 'notes',
  server: new URL('https://notes.example/mcp?key=secret'),
  issuer: 'https://auth.example/tenant',
  scopes: ['read', 'write'],
  previousScopes: undefined,
  clientName: 'Patchbay',
  registration: 'dynamic',
  clientId: undefined,
  knownRedirectUris: [],
  redirectPort: undefined,
};
const redirectUri = 'http://127.0.0.1:33418/callback';

describe('signInQuestion', () => {
  it('tells server, issuer, rights, client and the way back, without what a query may hold', () => {
    const { message, detail } = signInQuestion(request, redirectUri);
    expect(message).toContain('“notes”');
    expect(detail.split('\n\n')).toEqual([
      'Server: https://notes.example/mcp',
      'You sign in at: auth.example (https://auth.example/tenant)',
      'Rights: read, write',
      'Client: “Patchbay”, about to be registered there',
      'Your browser comes back to: http://127.0.0.1:33418/callback',
    ]);
  });

  it('tells what is new where more rights are wanted', () => {
    const { message, detail } = signInQuestion({ ...request, previousScopes: ['read'] }, redirectUri);
    expect(message).toContain('wants more rights');
    expect(detail).toContain('New rights: write\n\nRights so far: read');
  });

  it.each([
    ['configured', 'client id abc (from your settings)'],
    ['document', 'client id abc (a document that describes it)'],
    ['dynamic', 'client id abc (registered by itself)'],
  ] as const)('tells how the client is known: %s', (registration, words) => {
    expect(signInQuestion({ ...request, registration, clientId: 'abc' }, redirectUri).detail).toContain(words);
  });

  it('writes out what could hide', () => {
    const { detail, message } = signInQuestion(
      { ...request, label: 'a\u202Eb', issuer: 'https://auth.example/\u200B', scopes: ['re\u202Ead'] },
      'vscode://patchbay.patchbay/callback',
    );
    expect(message).toContain('a⟨U+202E⟩b');
    expect(detail).toContain('https://auth.example/⟨U+200B⟩');
    expect(detail).toContain('re⟨U+202E⟩ad');
  });
});
