import { describe, expect, it } from 'vitest';
import { aboutOf, diagnosticsOf } from '../../../../src/host/tools/argumentLanguage.ts';
import { editor, TabInputText, Uri } from '../../../fixtures/vscode.ts';

const uri = Uri.parse('mcp-arguments:/add.json?key');

function problemsOf(text: string, { wasTried = false, note = undefined as string | undefined } = {}) {
  const document = { uri, getText: () => text, positionAt: (offset: number) => offset };
  const problems = [{ path: ['a'], message: 'is required' }];
  const session = { document: document as never, problems, note, wasTried };
  return diagnosticsOf(session).map(({ message, severity }) => [message, severity]);
}

describe('the problems of arguments in the window', () => {
  const missing = ['“a” is required.', 1];

  it('are none before a call was tried, whatever else is filled in', () => {
    expect(problemsOf('{}')).toEqual([]);
    expect(problemsOf('{ "b": 1 }', { note: 'Not checked.' })).toEqual([]);
  });

  it('are warnings once it was, or while the JSON is open', () => {
    expect(problemsOf('{}', { wasTried: true })).toEqual([missing]);
    editor.tabs = [{ input: new TabInputText(Uri.parse('mcp-arguments:/other.json?key')) }];
    expect(problemsOf('{}')).toEqual([]);
    editor.tabs = [{ input: new TabInputText(uri) }];
    expect(problemsOf('{}', { note: 'Not checked.' })).toEqual([missing, ['Not checked.', 2]]);
  });

  it('are errors where the text is no JSON', () => {
    expect(problemsOf('{ "a": ').map(([, severity]) => severity)).toContain(0);
  });
});

it('shows what a server says of an argument with its line breaks, and what is hidden in it', () => {
  expect(aboutOf('One of:\n  *a*\tfirst\n  __b__')).toBe('One of:\n  *a*\tfirst\n  __b__');
  expect(aboutOf('a\u202eb')).toBe('a⟨U+202E⟩b');
});
