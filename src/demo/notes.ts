import { Emitter, type Event } from '../base/event.ts';
import { type DemoTool, errorResult, textResult } from './tool.ts';

/** The start of the URI of every note. */
export const notePrefix = 'demo://notes/';

export function noteUri(name: string): string {
  return `${notePrefix}${encodeURIComponent(name)}`;
}

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

const name = {
  type: 'string',
  title: 'Name',
  description: 'The name of the note.',
  minLength: 1,
  maxLength: 60,
} as const;
const text = { type: 'string', title: 'Text', description: 'Markdown.', maxLength: 20_000 } as const;

/** Adds a resource, which causes `notifications/resources/list_changed`. */
export function createAddNoteTool(notes: NoteStore): DemoTool {
  return {
    definition: {
      name: 'add_note',
      title: 'Add a Note',
      description: 'Adds a note to the resources, or replaces the one of that name.',
      inputSchema: { type: 'object', properties: { name, text }, required: ['name', 'text'] },
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
    run(input) {
      const note = input.text('name', name);
      const isNew = notes.get(note) === undefined;
      if (isNew && notes.isFull) return errorResult('There are too many notes. Take one away with remove_note first.');
      notes.set(note, input.text('text', text));
      const link = { type: 'resource_link', uri: noteUri(note), name: note, mimeType: 'text/markdown' } as const;
      return { content: [...textResult(isNew ? 'Added the note.' : 'Replaced the note.').content, link] };
    },
  };
}

/** Removes a resource; shows a destructive tool. */
export function createRemoveNoteTool(notes: NoteStore): DemoTool {
  return {
    definition: {
      name: 'remove_note',
      title: 'Remove a Note',
      description: 'Takes a note away from the resources, for good.',
      inputSchema: { type: 'object', properties: { name }, required: ['name'] },
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    },
    run(input) {
      const note = input.text('name', name);
      if (notes.remove(note)) return textResult(`Removed the note "${note}".`);
      return errorResult(`There is no note "${note}". The notes are: ${notes.names.join(', ')}.`);
    },
  };
}
