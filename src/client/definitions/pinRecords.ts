import { isOptional, isRecord, isString } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { type DefinedKind, definedKinds, type Definition } from '../contents.ts';
import type { DefinitionSnapshot } from './definitionSnapshot.ts';

export interface Pin {
  readonly kind: DefinedKind;
  readonly key: string;
  /** Digests of the first use and of later approvals, the newest last. */
  readonly approved: readonly string[];
  /** Text of the newest one; `undefined` if it was too long to be stored. */
  readonly text: string | undefined;
}

/** One stored line: a definition that was used first, or approved. */
interface PinEntry {
  readonly kind: DefinedKind;
  readonly key: string;
  readonly digest: string;
  readonly text?: string;
}

/** The pins of one server, within `limits.pins`. */
export class PinRecords {
  readonly #pins = new Map<string, Pin>();
  #characters = 0;
  /** Uses that were checked in this window, with the array of definitions that they were checked against. */
  readonly checkedUses = new Map<string, readonly Definition[]>();
  /** Some pins were dropped at a limit, so an unknown definition may have been used before. */
  isIncomplete = false;
  /** Lines that were read or added. */
  lines = 0;

  get pins(): readonly Pin[] {
    return [...this.#pins.values()];
  }

  get(kind: DefinedKind, key: string): Pin | undefined {
    return this.#pins.get(pinId(kind, key));
  }

  /** Adds stored lines. Skips invalid ones. */
  load(lines: readonly unknown[]): void {
    this.lines += lines.length;
    for (const line of lines) {
      if (isEntry(line)) this.#put(line);
      else if (isRecord(line) && line['isForgetful'] === true) this.isIncomplete = true;
    }
  }

  /** Adds an approved definition. @returns the line to store */
  approve(kind: DefinedKind, key: string, { digest, text: current }: DefinitionSnapshot): PinEntry {
    // While a definition is not listed, its previous text is kept for the next comparison.
    const text = current === '[]' ? this.get(kind, key)?.text : current;
    const isKept = text !== undefined && text.length <= limits.definition.keptCharacters;
    const entry: PinEntry = { kind, key, digest, ...(isKept && { text }) };
    this.lines += 1;
    this.#put(entry);
    return entry;
  }

  entries(): readonly (PinEntry | { readonly isForgetful: true })[] {
    const entries = this.pins.flatMap(({ kind, key, approved, text }) =>
      approved.map((digest, index): PinEntry => {
        const isNewest = index === approved.length - 1;
        return { kind, key, digest, ...(isNewest && text !== undefined && { text }) };
      }),
    );
    return this.isIncomplete ? [{ isForgetful: true }, ...entries] : entries;
  }

  #put({ kind, key, digest, text }: PinEntry): void {
    const id = pinId(kind, key);
    const known = this.#pins.get(id);
    const approved = [...(known?.approved ?? []).filter((other) => other !== digest), digest];
    this.#pins.delete(id);
    this.#pins.set(id, { kind, key, approved: approved.slice(-limits.pins.versions), text });
    this.#characters += (text?.length ?? 0) - (known?.text?.length ?? 0);
    this.#makeRoom();
  }

  /** Drops texts before pins, the oldest first; a quarter of the texts at once, so that this happens rarely. */
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
      this.isIncomplete = true;
    }
  }
}

function pinId(kind: DefinedKind, key: string): string {
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
