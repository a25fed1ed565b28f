const secretWords =
  /(^|[^a-z])(token|secret|passw(or)?d|passphrase|pass|pwd|credentials?|cookie|authorization|auth|apikey|key|pat|dsn)($|[^a-z])/i;

/**
 * True when a variable or header with this name usually contains a secret, such as `GITHUB_TOKEN`, `apiKey` or
 * `Authorization`. Used to mask values and for hints, not to decide what is sent.
 */
export function looksLikeSecretName(name: string): boolean {
  const words = name.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').replaceAll(/([A-Z])([A-Z][a-z])/g, '$1_$2');
  return secretWords.test(words.replaceAll(/[0-9]+/g, '_'));
}

/** Regular expressions for tokens of well-known services. */
export const tokenShapes: readonly string[] = [
  'gh[pousr]_\\w{16,}',
  'github_pat_\\w{16,}',
  'glpat-[\\w-]{16,}',
  'sk-[\\w-]{16,}',
  'xox[a-z]-[\\w-]{8,}',
  'AKIA[0-9A-Z]{12,}',
  'AIza[\\w-]{24,}',
  'npm_\\w{24,}',
  'eyJ[\\w-]{8,}\\.[\\w-]*(?:\\.[\\w-]*)?',
].map((shape) => `\\b${shape}`);
const secretValue = new RegExp(
  [...tokenShapes, '-----BEGIN [A-Z ]{0,30}PRIVATE KEY', '://[^\\s/@:]*:[^\\s/@]+@'].join('|'),
);

/** True when a value has the form of a secret: a known token, a private key, or an address with a password. */
export function looksLikeSecretValue(value: string): boolean {
  return secretValue.test(value);
}
