import { isOptional, isRecord, isString } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import type { DefinitionSnapshot } from './definitionSnapshot.ts';
import { type DefinedKind, definedKinds } from '../listedDefinitions.ts';

/** What is known of one definition that was used. */
export interface Pin {
  readonly kind: DefinedKind;
  readonly key: string;
  /** Digests of what was used first and of what a person agreed to since, the newest last. */
  readonly agreed: readonly string[];
  /** Text of the newest; `undefined` where it was too long to be kept. */
  readonly text: string | undefined;
}

/** One line of what is kept: somebody used or agreed to this. */
export interface PinEntry {
  readonly kind: DefinedKind;
  readonly key: string;
  readonly digest: string;
  readonly text?: string;
}

/** Pins of one server that were forgotten for want of room: what is not known may have been used before. */
export interface ForgottenEntry {
  readonly isForgetful: true;
}

/** The pins of one server, within `limits.pins`. */
export class PinBook {
  /** The oldest first. */
  readonly #pins = new Map<string, Pin>();
  #characters = 0;
  /** Some pins were forgotten. */
  isForgetful = false;
  /** Lines that were read or added. */
  lines = 0;

  get pins(): readonly Pin[] {
    return [...this.#pins.values()];
  }

  get(kind: DefinedKind, key: string): Pin | undefined {
    return this.#pins.get(idOf(kind, key));
  }

  /** Takes over what was kept. Lines that cannot be used are passed over. */
  fold(lines: readonly unknown[]): void {
    this.lines += lines.length;
    for (const line of lines) {
      if (isEntry(line)) this.#put(line);
      else if (isRecord(line) && line['isForgetful'] === true) this.isForgetful = true;
    }
  }

  /** Makes a definition the newest. @returns what is to be kept of it */
  agree(kind: DefinedKind, key: string, { digest, text: current }: DefinitionSnapshot): PinEntry {
    // What is not listed for a while is compared with what it was before.
    const text = current === '[]' ? this.get(kind, key)?.text : current;
    const isKept = text !== undefined && text.length <= limits.definition.keptCharacters;
    const entry: PinEntry = { kind, key, digest, ...(isKept && { text }) };
    this.lines += 1;
    this.#put(entry);
    return entry;
  }

  /** All that is to be kept, one line for each agreement. */
  entries(): readonly (PinEntry | ForgottenEntry)[] {
    const entries = this.pins.flatMap(({ kind, key, agreed, text }) =>
      agreed.map((digest, index): PinEntry => {
        const isNewest = index === agreed.length - 1;
        return { kind, key, digest, ...(isNewest && text !== undefined && { text }) };
      }),
    );
    return this.isForgetful ? [{ isForgetful: true }, ...entries] : entries;
  }

  #put({ kind, key, digest, text }: PinEntry): void {
    const id = idOf(kind, key);
    const known = this.#pins.get(id);
    const agreed = [...(known?.agreed ?? []).filter((other) => other !== digest), digest];
    this.#pins.delete(id);
    this.#pins.set(id, { kind, key, agreed: agreed.slice(-limits.pins.versions), text });
    this.#characters += (text?.length ?? 0) - (known?.text?.length ?? 0);
    this.#makeRoom();
  }

  /** Texts go before pins, the oldest of each first; of texts a good part at once, so that this is done rarely. */
  #makeRoom(): void {
    const { keptCharacters, definitions } = limits.pins;
    if (this.#characters > keptCharacters) {
      for (const [id, pin] of this.#pins) {
        if (this.#characters <= keptCharacters * 0.75) break;
        if (pin.text === undefined) continue;
        this.#characters -= pin.text.length;
        this.#pins.set(id, { ...pin, text: undefined });
      }
    }
    for (const [id, pin] of this.#pins) {
      if (this.#pins.size <= definitions) break;
      this.#characters -= pin.text?.length ?? 0;
      this.#pins.delete(id);
      this.isForgetful = true;
    }
  }
}

function idOf(kind: DefinedKind, key: string): string {
  return `${kind} ${key}`;
}

function isEntry(value: unknown): value is PinEntry {
  return (
    isRecord(value) &&
    definedKinds.some((kind) => kind === value['kind']) &&
    isString(value['key']) &&
    isString(value['digest']) &&
    isOptional(value['text'], isString)
  );
}
