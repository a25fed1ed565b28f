import { isString, type UnknownRecord } from '../base/json.ts';
import type { PostAnswer } from './authFetch.ts';

/**
 * What a token or revocation endpoint answers, in the form the library insists on, however a server writes it:
 * - Some answer 200 or 500 with an error inside. A `WWW-Authenticate` header would hide the error's code.
 * - Members that are null stand for members that are not there, and so does a life of no length, or without end.
 * - An ID token is not handed on: whether it follows OpenID does not matter here, see `readSubject`.
 *
 * @param secrets what was sent: masked where the description of an error repeats it, since people and logs get to see that
 */
export function plainAnswer({ status, body }: PostAnswer, secrets: readonly string[]): Response {
  const { id_token: _, error_description: description, ...rest }: UnknownRecord = body ?? {};
  const isError = isString(rest['error']) && rest['access_token'] === undefined;
  const isSuccess = status >= 200 && status < 300 && !isError;
  const members = Object.entries(rest).filter(
    ([name, value]) => value !== null && (name !== 'expires_in' || isLife(value)),
  );
  const answer = {
    ...(isSuccess && { token_type: 'Bearer' }),
    ...Object.fromEntries(members),
    ...(isString(description) && { error_description: masked(description, secrets) }),
  };
  return new Response(body === undefined ? 'null' : JSON.stringify(answer), {
    status: isSuccess ? 200 : isError ? 400 : Math.max(status, 400),
    headers: { 'Content-Type': 'application/json' },
  });
}

const secretParameters = [
  'assertion',
  'client_assertion',
  'client_secret',
  'code',
  'code_verifier',
  'refresh_token',
  'subject_token',
  'token',
];

/** Everything secret in a request. */
export function secretsOf(body: URLSearchParams, clientSecret: string | undefined): string[] {
  const sent = secretParameters.map((name) => body.get(name));
  return [clientSecret, ...sent].filter(isString).filter((text) => text !== '');
}

/** Some write "for ever" as the largest number they have, which is no date any more. */
const longestLife = 100 * 366 * 86_400;

function isLife(seconds: unknown): boolean {
  return Number(seconds) > 0 && Number(seconds) <= longestLife;
}

function masked(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, '…'), text);
}
