import { expect, it } from 'vitest';
import { addServer } from '../../../../src/host/configuration/addServer.ts';
import type { InputStore } from '../../../../src/host/configuration/inputStore.ts';
import { editor } from '../../../fixtures/vscode.ts';

const options = { inputs: {} as InputStore, refresh: async () => {}, reveal: async () => {}, labels: () => [] };
const text = `{"mcpServers": {
  "a": {"command": "npx", "env": {"REGION": "\${REGION:-eu}"}},
  "b": {"type": "http"}
}}`;

it('warns of what is left out of pasted text, and goes on', async () => {
  let warning: unknown;
  editor.answers.push('$(json) JSON', ({ options: { validateInput } }: { options: Record<string, unknown> }) => {
    warning = (validateInput as (typed: string) => unknown)(text);
    return text;
  });
  editor.answers.push('$(account) User settings');
  await addServer(options);
  expect(await warning).toMatchObject({ severity: 2, message: expect.stringMatching(/^Found 1 server\. Server "b"/) });
  expect(editor.settings['servers']).toMatchObject({ a: { command: 'npx', env: { REGION: 'eu' } } });
});

const commented = `{"mcpServers": {
  // the files
  "a": {"command": "npx"},
  // "b": {"command": "old"},
  "c": {"url": "https://c.example/mcp"}
}}`;
const oneLine = commented.replaceAll('\n', ' ');

it.each([
  ['reads comments with the lines that the clipboard has', commented, undefined, ['a', 'c']],
  ['says that a comment hides the rest', '', expect.stringMatching(/^A comment \(“\/\/”\) hides the rest/), undefined],
])('%s', async (_what, copied, expected, labels) => {
  editor.copied.push(copied);
  let said: unknown;
  editor.answers.push('$(json) JSON', ({ options: { validateInput } }: { options: Record<string, unknown> }) => {
    said = (validateInput as (typed: string) => unknown)(oneLine);
    return oneLine;
  });
  editor.answers.push('$(account) User settings');
  await addServer(options);
  expect(await said).toEqual(expected);
  expect(editor.settings['servers'] && Object.keys(editor.settings['servers'])).toEqual(labels);
});

it('says that a comment behind the first server hides the rest', async () => {
  let said: unknown;
  const typed = '{"a": {"url": "https://a.example"}, // b "b": {"command": "x"}}';
  editor.answers.push('$(json) JSON', ({ options: { validateInput } }: { options: Record<string, unknown> }) => {
    said = (validateInput as (typed: string) => unknown)(typed);
    return undefined;
  });
  await addServer(options);
  expect(await said).toMatch(/^A comment .* hides the rest/);
});

it.each([
  ['claude mcp add --transport http c https://c.example/mcp', undefined],
  ['https://c.example/mcp', 'The text is not a JSON object.'],
])('takes the address in %s for no comment', async (line, expected) => {
  let said: unknown;
  editor.copied.push('');
  editor.answers.push('$(json) JSON', ({ options: { validateInput } }: { options: Record<string, unknown> }) => {
    said = (validateInput as (typed: string) => unknown)(line);
    return undefined;
  });
  await addServer(options);
  expect(await said).toEqual(expected);
});
