import type { DefinedKind, Definition } from './listedDefinitions.ts';

/**
 * Who uses a server: a person through the user interface, another extension, or an automatic action such as an editor that
 * reloads a file. Only the first two may show a question.
 */
export type UseOrigin = 'person' | 'extension' | 'background';

/** One use of a tool, prompt or resource, before anything is sent. */
export interface ServerUse {
  readonly server: string;
  /** Identifies what was launched: it changes when the label leads to another server. */
  readonly identity: string;
  readonly kind: DefinedKind;
  /** Its name, URI or URI template. */
  readonly key: string;
  /** The definitions that the server lists under the key now. The same list gives the same array. */
  readonly definitions: readonly Definition[];
  readonly origin: UseOrigin;
  readonly signal?: AbortSignal | undefined;
}

/** Port that decides whether a definition may be used. It checks every call, prompt and read, for every caller. */
export interface UseGuard {
  /**
   * @returns `undefined` if the use may be sent in this turn of the event loop; otherwise a promise: check again when it
   * resolves
   * @throws {PatchbayError} `declined`; {@link CancelledError} when the person who started the use declines; the signal's
   * reason
   */
  check(use: ServerUse): Promise<void> | undefined;
}
