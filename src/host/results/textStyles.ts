import { createHash } from 'node:crypto';
import { isRecord } from '../../base/json.ts';
import { isTextStyle, type TextStyle } from '../../shared/resultMessages.ts';
import type { Storage } from '../platform/storage.ts';

/** Whose texts a result holds: what a person chooses for them belongs to this definition of the server. */
export interface TextOwner {
  /** See `Server.identity`. */
  readonly identity: string;
  readonly kind: 'tool' | 'prompt' | 'instructions';
  /** Of the tool or prompt; empty for instructions. */
  readonly name: string;
}

const storageKey = 'patchbay.textStyles';
/** The oldest choices are forgotten first. */
const maximumChoices = 200;

/** @returns how the person wants to see these texts; `undefined` while they have not said so */
export function textStyleOf(storage: Storage, owner: TextOwner | undefined): TextStyle | undefined {
  return owner && choicesIn(storage).get(keyOf(owner));
}

/** Remembers in the workspace's state how the person wants to see these texts. */
export async function keepTextStyle(storage: Storage, owner: TextOwner, style: TextStyle): Promise<void> {
  const choices = choicesIn(storage);
  const key = keyOf(owner);
  choices.delete(key);
  choices.set(key, style);
  await storage.update(storageKey, Object.fromEntries([...choices].slice(-maximumChoices)));
}

function choicesIn(storage: Storage): Map<string, TextStyle> {
  const stored: unknown = storage.get(storageKey);
  const entries: [string, unknown][] = isRecord(stored) ? Object.entries(stored) : [];
  return new Map(entries.filter((entry): entry is [string, TextStyle] => isTextStyle(entry[1])));
}

/** Of one length, however long the names are. */
function keyOf({ identity, kind, name }: TextOwner): string {
  return createHash('sha256')
    .update(JSON.stringify([identity, kind, name]))
    .digest('hex');
}
