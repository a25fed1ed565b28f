import type { DefinedKind } from '../contents.ts';
import type { UseOrigin } from '../useDispatcher.ts';
import type { DefinitionDifference } from './definitionSnapshot.ts';

/** The server that pins belong to: another server under the same label starts without pins. */
export interface PinnedServer {
  readonly server: string;
  readonly identity: string;
}

/** Port that stores pins: one append-only list for each server. Several windows may share it. */
export interface PinStore {
  /** The lines added since the last read, oldest first, not validated. Rejects if they cannot be read. */
  readNew(server: PinnedServer): Promise<readonly unknown[]>;
  /** Adds a line. Never fails: what cannot be written is logged, and is valid until the window closes. */
  append(server: PinnedServer, entry: object): void;
  /** Replaces all lines of the server. Never fails. */
  replace(server: PinnedServer, entries: readonly object[]): void;
  clear(): Promise<void>;
}

export interface ChangedDefinition {
  readonly server: string;
  readonly kind: DefinedKind;
  readonly key: string;
  /** Text of the last approved snapshot; `undefined` if it is no longer stored. */
  readonly before: string | undefined;
  readonly after: string;
  readonly difference: DefinitionDifference;
}

/** Port that asks the person about a changed definition. @returns whether it may be used. A rejection counts as a no */
export type AskAboutChange = (changed: ChangedDefinition, origin: UseOrigin) => Promise<boolean>;
