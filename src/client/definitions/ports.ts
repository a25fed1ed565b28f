import type { UseOrigin } from '../useGuard.ts';
import type { DefinedKind } from '../listedDefinitions.ts';
import type { DefinitionDifference } from './definitionDifference.ts';

/** What pins are bound to: another server under the same label starts without any. */
export interface PinnedServer {
  readonly server: string;
  /** See {@link ServerUse.identity}. */
  readonly identity: string;
}

/** Port to where pins are kept, one list for each server that only grows. Several windows may share it. */
export interface PinStore {
  /** What was added since this store last read it, oldest first, unchecked. Rejects where it cannot be read. */
  readNew(server: PinnedServer): Promise<readonly unknown[]>;
  /** Never fails: what cannot be written is logged, and holds for as long as the window is open. */
  append(server: PinnedServer, entry: object): void;
  /** Puts `entries` in place of all there is. Never fails. */
  replace(server: PinnedServer, entries: readonly object[]): void;
  /** Forgets every server. */
  clear(): Promise<void>;
}

/** Something that is not what it was when it was last used. */
export interface ChangedDefinition {
  readonly server: string;
  readonly kind: DefinedKind;
  readonly key: string;
  /** Text of the snapshot that was agreed to last; `undefined` where it is not known any more. */
  readonly before: string | undefined;
  readonly after: string;
  readonly difference: DefinitionDifference;
}

/** Port to the person. */
export interface DefinitionQuestions {
  /** @returns whether the new definition may be used. Rejects like a no. */
  ask(changed: ChangedDefinition, origin: UseOrigin): Promise<boolean>;
}
