import type { Session } from './session.ts';
import { type DemoTool, defineTool, errorResult, textResult } from './tool.ts';

export const notePrefix = 'demo://notes/';

export function noteUri(name: string): string {
  return `${notePrefix}${encodeURIComponent(name)}`;
}

const maximumNotes = 100;

const name = {
  type: 'string',
  title: 'Name',
  description: 'The name of the note.',
  minLength: 1,
  maxLength: 60,
} as const;

/** Tools that change the list of resources. */
export const noteTools: readonly DemoTool[] = [
  defineTool({
    name: 'add_note',
    title: 'Add a Note',
    description: 'Adds a note to the resources, or replaces the one of that name.',
    input: { name, text: { type: 'string', title: 'Text', description: 'Markdown.', maxLength: 20_000 } },
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    run({ name: note, text }, session) {
      const isNew = !session.notes.has(note);
      if (isNew && session.notes.size >= maximumNotes)
        return errorResult('There are too many notes. Take one away with remove_note first.');
      session.notes.set(note, text);
      tellOfChange(session, note, isNew ? 'added' : 'replaced');
      const link = { type: 'resource_link', uri: noteUri(note), name: note, mimeType: 'text/markdown' } as const;
      return { content: [...textResult(isNew ? 'Added the note.' : 'Replaced the note.').content, link] };
    },
  }),
  defineTool({
    name: 'remove_note',
    title: 'Remove a Note',
    description: 'Takes a note away from the resources, for good.',
    input: { name },
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    run({ name: note }, session) {
      const isRemoved = session.notes.delete(note);
      if (!isRemoved)
        return errorResult(`There is no note "${note}". The notes are: ${[...session.notes.keys()].join(', ')}.`);
      tellOfChange(session, note, 'removed');
      return textResult(`Removed the note "${note}".`);
    },
  }),
];

function tellOfChange(session: Session, note: string, event: 'added' | 'replaced' | 'removed'): void {
  if (event === 'replaced') session.notifyUpdated(noteUri(note));
  else session.notify('notifications/resources/list_changed');
  session.log('notice', 'notes', { event, note });
}
