import { createHash } from 'node:crypto';
import { isTextStyle, type TextStyle } from '../../shared/resultMessages.ts';
import { type Storage, StoredAnswers } from '../platform/storage.ts';

/** Whose texts a result holds: what a person chooses for them belongs to this definition of the server. */
export interface TextOwner {
  readonly identity: string;
  readonly kind: 'tool' | 'prompt' | 'instructions';
  /** Of the tool or prompt; empty for instructions. */
  readonly name: string;
}

function choicesIn(storage: Storage): StoredAnswers<TextStyle> {
  return new StoredAnswers(storage, 'patchbay.textStyles', isTextStyle);
}

/** @returns how the person wants to see these texts; `undefined` while they have not said so */
export function textStyleOf(storage: Storage, owner: TextOwner | undefined): TextStyle | undefined {
  return owner && choicesIn(storage).get(keyOf(owner));
}

export function keepTextStyle(storage: Storage, owner: TextOwner, style: TextStyle): Promise<void> {
  return choicesIn(storage).set(keyOf(owner), style);
}

/** Of one length, however long the names are. */
function keyOf({ identity, kind, name }: TextOwner): string {
  return createHash('sha256')
    .update(JSON.stringify([identity, kind, name]))
    .digest('hex');
}
