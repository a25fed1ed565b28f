import type { DefinedKind, Definition } from './listedDefinitions.ts';

/**
 * Who wants something of a server: a person by a gesture of their own, another extension, or something that happens by
 * itself, such as an editor that reads a file again. Only the first two may lead to a question.
 */
export type UseOrigin = 'person' | 'extension' | 'background';

/** One use of what a server offers, before anything of it is sent. */
export interface ServerUse {
  readonly server: string;
  /** Of what was launched: another server under the same label is another one. */
  readonly identity: string;
  readonly kind: DefinedKind;
  /** Its name, URI or URI template. */
  readonly key: string;
  /** What the server lists under that key now. The same list gives the same array. */
  readonly definitions: readonly Definition[];
  readonly origin: UseOrigin;
  readonly signal?: AbortSignal | undefined;
}

/** Port that says whether a server may be used. Every call, prompt and read comes by, whoever wants it. */
export interface UseGuard {
  /**
   * @returns `undefined` where the use may be sent in this very turn; otherwise resolves when it is time to check again
   * @throws {PatchbayError} `declined`; {@link CancelledError} for a person's own no; the signal's reason
   */
  check(use: ServerUse): Promise<void> | undefined;
}
