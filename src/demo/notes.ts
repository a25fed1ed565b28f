import { Emitter } from '../base/event.ts';
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

const maximumNotes = 100;

/** The notes of this session, kept in memory only; two at first. */
export class NoteStore {
  readonly #notes = new Map([
    ['welcome', '# Welcome\n\nThis note is a resource. The tools **add_note** and **remove_note** change the list.\n'],
    ['ideas', '# Ideas\n\n- Run the prompt *plan_trip* and let it complete the city.\n- Watch `demo://clock` tick.\n'],
  ]);
  readonly #didChange = new Emitter<NoteChange>();
  readonly onDidChange = this.#didChange.event;

  get names(): readonly string[] {
    return [...this.#notes.keys()];
  }

  /** There is no room for a further note. */
  get isFull(): boolean {
    return this.#notes.size >= maximumNotes;
  }

  get(name: string): string | undefined {
    return this.#notes.get(name);
  }

  /** Adds or replaces a note. */
  set(name: string, text: string): void {
    const kind = this.#notes.has(name) ? 'replaced' : 'added';
    this.#notes.set(name, text);
    this.#didChange.fire({ name, kind });
  }

  /** @returns false if there was no such note */
  remove(name: string): boolean {
    const wasThere = this.#notes.delete(name);
    if (wasThere) this.#didChange.fire({ name, kind: 'removed' });
    return wasThere;
  }
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
