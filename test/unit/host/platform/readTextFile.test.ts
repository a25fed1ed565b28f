import { Uri } from 'vscode';
import { expect, it } from 'vitest';
import { readTextFile } from '../../../../src/host/platform/readTextFile.ts';
import { editor } from '../../../fixtures/vscode.ts';

it('reads nothing of a file on disk that says it is empty: a link may lead to one of the system that never ends', async () => {
  editor.files.set('/shop/.mcp.json', { text: 'without end', size: 0 });
  editor.files.set('/shop/.vscode/mcp.json', { text: '{}' });
  expect(await readTextFile(Uri.file('/shop/.mcp.json'), 1_000)).toBe('');
  expect(await readTextFile(Uri.file('/shop/.vscode/mcp.json'), 1_000)).toBe('{}');
  expect(editor.reads).toEqual(['/shop/.vscode/mcp.json']);
});
