import { describe, expect, it } from 'vitest';
import { limits } from '../../../../src/base/limits.ts';
import { compareDefinitions } from '../../../../src/client/definitions/definitionSnapshot.ts';
import type { ChangedDefinition } from '../../../../src/client/definitions/ports.ts';
import {
  changeLines,
  definitionDocument,
  definitionQuestion,
} from '../../../../src/host/definitions/definitionText.ts';

function changed(old: object, now: object, key = 'add'): ChangedDefinition {
  const [before, after] = [JSON.stringify([old]), JSON.stringify([now])];
  const difference = compareDefinitions(before, after);
  return { server: 'demo', kind: 'tools', key, before, after, difference };
}

describe('the question about a changed definition', () => {
  it('says what changed, before and after', () => {
    const { message, detail } = definitionQuestion(
      changed({ description: 'Adds.' }, { description: 'Adds.\nReads ~/.ssh too.', outputSchema: {} }),
      'person',
    );
    expect(message).toBe('The tool “add” of “demo” has changed since you last used it.');
    expect(detail).toContain('description: Adds. → Adds. ⏎ Reads ~/.ssh too.');
    expect(detail).toContain('outputSchema added: {}');
    expect(detail).not.toContain('extension');
  });

  it('says so where another extension wants it', () => {
    expect(definitionQuestion(changed({ a: 1 }, { a: 2 }), 'extension').detail).toMatch(/^Another extension wants/);
  });

  it('shows hidden characters, and cuts long names', () => {
    const { message, detail } = definitionQuestion(
      changed({ description: 'Adds.' }, { description: 'Adds.\u202e\u{e0041}' }, 'x'.repeat(5_000)),
      'person',
    );
    expect(message.length).toBeLessThan(200);
    expect(detail).toContain('Adds.⟨U+202E⟩⟨U+E0041⟩');
  });

  it('does not let changes of one member push another off the screen', () => {
    const properties = (value: number) =>
      Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`p${index}`, value]));
    const lines = changeLines(
      changed(
        { inputSchema: properties(1), annotations: { readOnlyHint: true } },
        { inputSchema: properties(2), annotations: { readOnlyHint: false } },
      ),
    );
    expect(lines.length).toBeLessThan(10);
    expect(lines).toContain('annotations.readOnlyHint: true → false');
    expect(lines.at(-1)).toMatch(/more differences than could be compared/);
  });

  it('says what cannot be compared', () => {
    const known = changed({ a: 1 }, { a: 2 });
    expect(changeLines({ ...known, after: '[]' })).toEqual(['The server no longer lists it.']);
    expect(changeLines({ ...known, before: undefined })[0]).toMatch(/no longer known/);
    expect(changeLines(changed({ a: [{ name: 'x' }, { name: 'y' }] }, { a: [{ name: 'y' }, { name: 'x' }] }))).toEqual([
      'The order of its parts.',
    ]);
  });
});

describe('the document of a definition', () => {
  it('has texts as they are and the rest as JSON, with nothing hidden', () => {
    const text = JSON.stringify([{ name: 'add', description: 'One\nTwo\u200b', inputSchema: { type: 'object' } }]);
    expect(definitionDocument(text)).toBe(
      'name:\nadd\n\ndescription:\nOne\nTwo⟨U+200B⟩\n\ninputSchema:\n{\n  "type": "object"\n}\n',
    );
  });

  it('says what a thing is called first, and wraps what would stand beyond the edge', () => {
    const description = `${'word '.repeat(40)}${'x'.repeat(200)} end`;
    const document = definitionDocument(JSON.stringify([{ annotations: {}, description, name: 'add' }]));
    expect(document).toMatch(/^name:\nadd\n\ndescription:\n/);
    const lines = document.split('\n');
    expect(lines.filter((line) => line.length > 45)).toEqual([]);
    expect(lines.join('').replaceAll(' ', '')).toContain(description.replaceAll(' ', ''));
  });

  it('is there for whatever a server lists', () => {
    expect(definitionDocument(undefined)).toMatch(/No longer known/);
    expect(definitionDocument('[]')).toMatch(/Not listed/);
    const nested = `[{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}]`;
    expect(definitionDocument(nested).length).toBeGreaterThan(0);
    const long = JSON.stringify([{ description: 'x'.repeat(limits.shown.document * 2) }]);
    expect(definitionDocument(long)).toMatch(/… \([\d,]+ more characters\)\n$/);
  });
});
