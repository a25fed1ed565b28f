export const secretMask = '••••••••';

const secretWords =
  /(^|[^a-z])(token|secret|passw(or)?d|passphrase|pass|pwd|credentials?|cookie|authorization|auth|apikey|key|pat|dsn)($|[^a-z])/i;

/** What each of them has in it. */
const anySecretWord = /token|secret|pass|pwd|credential|cookie|auth|key|pat|dsn/i;

/**
 * True when a variable or header with this name usually contains a secret, such as `GITHUB_TOKEN`, `apiKey` or
 * `Authorization`. Used to mask values and for hints, not to decide what is sent.
 */
export function looksLikeSecretName(name: string): boolean {
  if (!anySecretWord.test(name)) return false;
  const words = name.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').replaceAll(/([A-Z])([A-Z][a-z])/g, '$1_$2');
  return secretWords.test(words.replaceAll(/[0-9]+/g, '_'));
}

/** Keys of well-known services. The lengths are bounded where a match may fail after them. */
export const keyShapes: readonly { readonly what: string; readonly pattern: RegExp }[] = [
  { what: 'an API key that begins with "sk-"', pattern: /\bsk-(?=[A-Za-z_-]{0,60}\d)[\w-]{16,3900}/g },
  { what: 'a GitHub token', pattern: /\bgh[pousr]_[A-Za-z0-9_]{16,3900}|\bgithub_pat_\w{16,3900}/g },
  { what: 'a Google API key', pattern: /\bAIza[\w-]{24,3900}/g },
  { what: 'a Google OAuth secret', pattern: /\bGOCSPX-[\w-]{20,3900}/g },
  { what: 'a Stripe key', pattern: /\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,3900}/g },
  { what: 'an npm token', pattern: /\bnpm_[A-Za-z0-9]{24,3900}|_authToken=["']?(?!\$)[^\s"'`,;<>]{8,3900}/g },
  { what: 'an AWS access key ID', pattern: /\bAKIA[0-9A-Z]{12,3900}/g },
  {
    what: 'an AWS secret access key',
    pattern: /secret_?access_?key["']?\s{0,5}(?::|=>|=)\s{0,5}["']?[A-Za-z0-9/+=]{40}(?![A-Za-z0-9/+=])/gi,
  },
  { what: 'a Slack token', pattern: /\bxox[a-z]-[\w-]{8,3900}/g },
  { what: 'a GitLab token', pattern: /\bgl(?:pat|dt|rt|cbt|ptt|ft|soat)-[\w-]{16,3900}/g },
  { what: 'a JSON Web Token', pattern: /\beyJ[\w-]{8,1000}\.[\w-]{4,3000}(?:\.[\w-]{0,1000})?/g },
  { what: 'a bearer token', pattern: /\bbearer[ \t]{1,4}(?=[\w.~+/-]{0,60}\d)[\w.~+/-]{20,3900}={0,2}/gi },
  {
    what: 'a password in an address',
    pattern: /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/@:"'<>]{0,100}:[^\s/@"'<>]{3,200}@/gi,
  },
];

/** A pattern of what each of {@link keyShapes} begins with, but for those that a word of {@link looksLikeSecretName}, or an address, begins. */
export const keyStarts =
  'sk-|gh[pousr]_|github_pat_|AIza|GOCSPX-|k_live_|k_test_|npm_|AKIA|xox[a-z]-|gl(?:pat|dt|rt|cbt|ptt|ft|soat)-|eyJ';

/** Passwords of examples and templates: `postgres://user:password@…`, `https://$USER:$PASSWORD@…`. */
export const placeholder = /:(?:pass(?:word)?|pwd|secret|x+|\*+|\.+|\$\{?\w+\}?|\{+\w+\}+|%\w+%|\[\w+\])@$/i;

/** True when a value has the form of a secret: a known token, a private key, or an address with a password. */
export function looksLikeSecretValue(value: string): boolean {
  if (/-----BEGIN [A-Z ]{0,30}PRIVATE KEY|:\/\/[^\s/@:]{0,100}:[^\s/@]{1,1000}@/.test(value)) return true;
  return keyShapes.some(({ pattern }) => value.search(pattern) !== -1);
}
