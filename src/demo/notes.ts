import { Emitter, type Event } from '../base/event.ts';

interface NoteChange {
  readonly name: string;
  readonly kind: 'added' | 'replaced' | 'removed';
}

/** The notes of this session, kept in memory only. */
export interface NoteStore {
  readonly names: readonly string[];
  /** There is no room for a further note. */
  readonly isFull: boolean;
  get(name: string): string | undefined;
  /** Adds or replaces a note. */
  set(name: string, text: string): void;
  /** @returns false if there was no such note */
  remove(name: string): boolean;
  readonly onDidChange: Event<NoteChange>;
}

const maximumNotes = 100;

/** Creates a store with two notes. */
export function createNoteStore(): NoteStore {
  const notes = new Map([
    ['welcome', '# Welcome\n\nThis note is a resource. The tools **add_note** and **remove_note** change the list.\n'],
    ['ideas', '# Ideas\n\n- Run the prompt *plan_trip* and let it complete the city.\n- Watch `demo://clock` tick.\n'],
  ]);
  const didChange = new Emitter<NoteChange>();
  return {
    get names() {
      return [...notes.keys()];
    },
    get isFull() {
      return notes.size >= maximumNotes;
    },
    get: (name) => notes.get(name),
    set(name, text) {
      const kind = notes.has(name) ? 'replaced' : 'added';
      notes.set(name, text);
      didChange.fire({ name, kind });
    },
    remove(name) {
      const wasThere = notes.delete(name);
      if (wasThere) didChange.fire({ name, kind: 'removed' });
      return wasThere;
    },
    onDidChange: didChange.event,
  };
}
