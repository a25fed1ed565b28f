import type { NoteStore } from './notes.ts';
import { noteUri } from './resources.ts';
import { type DemoTool, errorResult, textResult } from './tool.ts';

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
