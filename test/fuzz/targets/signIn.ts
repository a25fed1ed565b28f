import * as fc from 'fast-check';
import { Authorizer } from '../../../src/auth/authorizer.ts';
import { createDirectPrompt, createMemoryStore } from '../../../src/auth/ports.ts';
import { createSystemClock } from '../../../src/base/clock.ts';
import { createNullLogger } from '../../../src/base/logger.ts';
import type { AuthorizedRequest } from '../../../src/protocol/httpAuthorizer.ts';
import { hostileValue, tellingNames, tellingTexts } from '../arbitraries.ts';
import { assertExpected, type Target } from '../target.ts';
import { createAnsweringHttpClient } from '../../fixtures/httpClients.ts';

const resource = 'https://mcp.example.com/mcp';
const issuer = 'https://as.example.com';

/** Valid documents, by address. */
const documents = {
  '/.well-known/oauth-protected-resource/mcp': { resource, authorization_servers: [issuer], scopes_supported: ['a'] },
  '/.well-known/oauth-authorization-server': {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    registration_endpoint: `${issuer}/register`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  },
  '/register': { client_id: 'client', token_endpoint_auth_method: 'none', redirect_uris: ['http://127.0.0.1:33418/'] },
  '/token': { access_token: 'token', token_type: 'Bearer', expires_in: 3_600, scope: 'a', refresh_token: 'refresh' },
};

type Address = keyof typeof documents;

interface SignInCase {
  readonly challenge: string;
  readonly changes: readonly {
    readonly address: Address;
    readonly name: string;
    /** Absent: the member is taken out. */
    readonly value?: unknown;
  }[];
  /** The whole document, if it is not an object. */
  readonly bodies: readonly { readonly address: Address; readonly status: number; readonly body: string }[];
  /** Parameters besides `code`, `state` and `iss`, which are correct. */
  readonly callback: Readonly<Record<string, string>>;
}

const addresses = Object.keys(documents) as Address[];
const address = fc.constantFrom(...addresses);
const names = [...new Set(Object.values(documents).flatMap((document) => Object.keys(document)))];
const urls = [`${issuer}/x`, 'http://127.0.0.1/', 'http://[::1]:1', 'file:///etc/passwd', 'https://x.example', '//'];
const text = fc.oneof(fc.constantFrom('\n', ...urls), fc.constantFrom(...tellingTexts), fc.string({ maxLength: 12 }));
const cases: fc.Arbitrary<SignInCase> = fc.record({
  challenge: fc.oneof(
    fc.constant('Bearer'),
    text.map((value) => `Bearer resource_metadata="${value}", scope="${value}", error=insufficient_scope`),
    fc
      .array(fc.constantFrom('Bearer', 'DPoP', ' ', ',', '=', '"', '\\', 'scope', 'x'), { maxLength: 12 })
      .map((all) => all.join('')),
  ),
  changes: fc.array(
    fc.record(
      {
        address,
        name: fc.constantFrom(...names, ...tellingNames),
        value: fc.oneof(hostileValue, text, fc.array(text, { maxLength: 3 })),
      },
      { requiredKeys: ['address', 'name'] },
    ),
    { maxLength: 3 },
  ),
  bodies: fc.array(
    fc.record({
      address,
      status: fc.constantFrom(200, 201, 204, 302, 400, 401, 404, 500),
      body: fc.oneof(
        fc.constantFrom('', 'null', '[]', '{', '"x"', '<html>', '{"error":"invalid_grant"}'),
        fc.json({ maxDepth: 2 }),
      ),
    }),
    { maxLength: 1 },
  ),
  callback: fc.dictionary(fc.constantFrom('code', 'state', 'iss', 'error', 'error_description'), text, {
    maxKeys: 1,
    noNullPrototype: true,
  }),
});

export const signInTarget: Target<SignInCase> = {
  name: 'signIn',
  title: 'what servers say while a person signs in: challenges, metadata, registrations, tokens, the way back',
  open: async () => ({ cases, run, close: () => Promise.resolve([]) }),
};

async function run(input: SignInCase): Promise<void> {
  const authorizer = new Authorizer({
    label: 'it',
    server: new URL(resource),
    settings: {},
    clientName: 'fuzz',
    store: createMemoryStore(),
    prompt: createDirectPrompt(
      (page) => Promise.resolve(redirectBack(page, input)),
      () => Promise.resolve(true),
    ),
    http: createAnsweringHttpClient(({ url: target }) => Promise.resolve(answer(target, input))),
    clock: createSystemClock(),
    logger: createNullLogger(),
  });
  try {
    const authorization = await signIn(authorizer, input.challenge);
    const isHonest =
      input.challenge === 'Bearer' &&
      [input.changes, input.bodies, Object.keys(input.callback)].every((all) => all.length === 0);
    if (isHonest && authorization !== 'Bearer token') throw new Error('A sign-in where all is well did not work.');
  } finally {
    authorizer.dispose();
  }
}

/** @returns the Authorization header of the next request */
async function signIn(authorizer: Authorizer, wwwAuthenticate: string): Promise<string | undefined> {
  const { signal } = new AbortController();
  const request: AuthorizedRequest = { method: 'POST', url: new URL(resource) };
  try {
    await authorizer.headers(request, signal);
    const challenge = { request, status: 401, wwwAuthenticate, dpopNonce: undefined, attempt: 0 } as const;
    await authorizer.handleChallenge(challenge, signal);
    // Throws for values that no request can contain.
    const { authorization } = Object.fromEntries(new Headers(await authorizer.headers(request, signal)));
    return authorization;
  } catch (error) {
    assertExpected(error);
    return undefined;
  } finally {
    await authorizer.describe();
  }
}

function answer({ pathname }: URL, { changes, bodies }: SignInCase): Response {
  const replaced = bodies.find((body) => body.address === pathname);
  if (replaced !== undefined) {
    const hasBody = replaced.status !== 204;
    return new Response(hasBody ? replaced.body : null, { status: replaced.status, headers: { location: issuer } });
  }
  const document = Object.entries(documents).find(([known]) => known === pathname)?.[1];
  if (document === undefined) return new Response('', { status: 404 });
  const members = new Map<string, unknown>(Object.entries(document));
  for (const change of changes.filter((one) => one.address === pathname)) {
    if ('value' in change) members.set(change.name, change.value);
    else members.delete(change.name);
  }
  const status = pathname === '/register' ? 201 : 200;
  return Response.json(Object.fromEntries(members), { status });
}

function redirectBack(page: URL, { callback }: SignInCase): URL {
  const back = new URL(page.searchParams.get('redirect_uri') ?? 'http://127.0.0.1:33418/');
  const given = { code: 'code', state: page.searchParams.get('state') ?? '', iss: issuer, ...callback };
  for (const [name, value] of Object.entries(given)) back.searchParams.set(name, value);
  return back;
}
