/**
 * A text of a request that should not reach a model unseen.
 * - `secretInput`, `envFile`: the value of a secret input or setting, or of an env file, however it is written.
 * - `keyFormat`: a text with the form of a well-known key.
 * - `outsidePath`: an absolute path outside the workspace folders.
 * - `unsearched`: not a text, but a part of the request that was not searched, or has more marks than are listed. A rule must
 *   not let such a request through either.
 */
export interface SecretMark {
  readonly kind: 'secretInput' | 'envFile' | 'keyFormat' | 'outsidePath' | 'unsearched';
  /**
   * A few words for people: `the value of the input "apiKey"`, "GITHUB_TOKEN of .env", "a path outside the workspace". A
   * sentence without its full stop for `unsearched`.
   */
  readonly what: string;
  /** The text to mask, exactly as it is written, with hidden characters; empty for `unsearched`. */
  readonly value: string;
  /** "message 2", "system prompt", `tool "x"`, "metadata"; the first ones if there are many. */
  readonly places: readonly string[];
  /** False if the text also occurs in an id or the name of a tool, where masking leaves it. */
  readonly isMaskable: boolean;
}
