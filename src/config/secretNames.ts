const secretWords =
  /(^|[^a-z])(token|secret|passw(or)?d|passphrase|pass|pwd|credentials?|cookie|authorization|auth|apikey|key|pat|dsn)($|[^a-z])/i;

/**
 * True when a variable or header of this name usually holds a secret, as `GITHUB_TOKEN`, `apiKey` or `Authorization` do.
 * Used to hide values and to give hints, never to decide what is sent.
 */
export function looksSecret(name: string): boolean {
  const words = name.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').replaceAll(/([A-Z])([A-Z][a-z])/g, '$1_$2');
  return secretWords.test(words.replaceAll(/[0-9]+/g, '_'));
}
