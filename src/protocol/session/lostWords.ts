const lostWords = [
  /\bno (?:valid )?session|\b(?:expired|invalid|missing|unknown) session/,
  /\bsession\b.{0,80}\b(?:expired|invalid|not found|does not exist|terminated|unknown)/,
  /\bnot initialized|\bexpect(?:ed|s)? initialize\b/,
];

/** True for words of a server that does not know the session. */
export function saySessionLost(words: string): boolean {
  return lostWords.some((pattern) => pattern.test(words.toLowerCase()));
}
