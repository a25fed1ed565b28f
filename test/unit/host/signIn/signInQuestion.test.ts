import { describe, expect, it } from 'vitest';
import type { SignInCaution, SignInEndpoint, SignInRequest } from '../../../../src/auth/ports.ts';
import { cautionQuestion, signInQuestion } from '../../../../src/host/signIn/signInQuestion.ts';

const own: readonly SignInEndpoint[] = [
  { kind: 'authorization', address: 'https://auth.example/authorize', isForeign: false },
  { kind: 'token', address: 'https://auth.example/token', isForeign: false },
  { kind: 'registration', address: 'https://auth.example/register', isForeign: false },
];

const request: SignInRequest = {
  label: 'notes',
  server: new URL('https://notes.example/mcp?key=secret'),
  issuer: 'https://auth.example/tenant',
  endpoints: own,
  scopes: ['read', 'write'],
  previousScopes: undefined,
  clientName: 'Patchbay',
  registration: 'dynamic',
  clientId: undefined,
  redirect: { path: '/callback/digest', host: undefined, ports: [33_418, 0] },
};
const redirectUri = 'http://127.0.0.1:33418/callback/digest';

describe('signInQuestion', () => {
  it('tells server, issuer, rights, client and the way back, without what a query may hold', () => {
    const { message, detail } = signInQuestion(request, redirectUri);
    expect(message).toContain('“notes”');
    expect(detail.split('\n\n')).toEqual([
      'Server: https://notes.example/mcp',
      'Authorization server: auth.example (https://auth.example/tenant), not the server’s own host',
      'Your browser opens: auth.example\nThe sign-in is completed at: auth.example',
      'Client: “Patchbay”, about to be registered dynamically at auth.example',
      'Rights: read, write',
      'Your browser comes back to: http://127.0.0.1:33418/callback/digest',
    ]);
  });

  it('tells what is new where more rights are wanted', () => {
    const { message, detail } = signInQuestion({ ...request, previousScopes: ['read'] }, redirectUri);
    expect(message).toContain('wants more rights');
    expect(detail).toContain('New rights: write\n\nRights so far: read');
  });

  it.each([
    ['configured', 'client id abc (registered beforehand, from your settings)'],
    ['document', 'client id abc (client id metadata document)'],
    ['dynamic', 'client id abc (registered dynamically)'],
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

  it('marks the hosts that are not the authorization server’s own, and says nothing of those that are', () => {
    const endpoints: SignInEndpoint[] = [
      { kind: 'authorization', address: 'https://bank.example/authorize', isForeign: true },
      { kind: 'token', address: 'https://auth.example/token', isForeign: false },
      { kind: 'registration', address: 'https://other.example/register', isForeign: true },
    ];
    const server = new URL('https://auth.example/mcp');
    const lines = signInQuestion({ ...request, server, endpoints }, redirectUri).detail.split(/\n+/);
    expect(lines).toContain('Authorization server: auth.example (https://auth.example/tenant)');
    expect(lines).toContain('Your browser opens: bank.example  ⚠ not the authorization server’s own');
    expect(lines).toContain('The sign-in is completed at: auth.example');
    expect(lines.join('\n')).toContain('registered dynamically at other.example  ⚠ not the authorization server’s own');
  });

  it('shows a host in ASCII, with what its letters look like', () => {
    const issuer = 'https://аpple.example';
    const { detail } = signInQuestion({ ...request, issuer: new URL(issuer).origin }, redirectUri);
    expect(detail).toContain('xn--pple-43d.example  ⚠ reads “аpple.example”, letters of different alphabets');
  });

  it('lets no number of rights push the rest away', () => {
    const scopes = Array.from({ length: 200 }, (_, index) => `${'s'.repeat(96)}${1000 + index}`);
    const { detail } = signInQuestion({ ...request, scopes }, redirectUri);
    expect(detail).toContain('⚠ and 190 more');
    expect(detail.length).toBeLessThan(2_000);
    expect(detail.split('\n\n').at(-1)).toContain('Your browser comes back to');
  });
});

describe('cautionQuestion', () => {
  const caution: SignInCaution = {
    label: 'notes',
    server: new URL('https://notes.example/mcp'),
    issuer: 'https://auth.example/tenant',
    foreign: [{ kind: 'authorization', address: 'https://bank.example/authorize?x=y', isForeign: true }],
    isAnswerUnmarked: false,
  };

  it('names the addresses of other hosts', () => {
    const { message, detail } = cautionQuestion(caution);
    expect(message).toContain('“notes”');
    expect(detail).toContain('auth.example, which notes.example names, uses addresses that are not its own');
    expect(detail).toContain('Your browser opens: bank.example  ⚠');
    expect(detail).toContain('https://bank.example/authorize\n');
    expect(detail).not.toContain('"iss"');
  });

  it('tells what an unmarked answer means, and how not to be asked', () => {
    const { detail } = cautionQuestion({ ...caution, foreign: [], isAnswerUnmarked: true });
    expect(detail).toContain('does not mark its answers ("iss")');
    expect(detail).toContain('"issuer" under "auth"');
    expect(detail).not.toContain('bank.example');
  });
});
