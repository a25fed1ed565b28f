import { beforeEach, expect, it } from 'vitest';
import { unhurried } from '../../../fixtures/unhurried.ts';
import { openLink } from '../../../../src/host/platform/openLink.ts';
import { editor } from '../../../fixtures/vscode.ts';

beforeEach(unhurried);

it('opens a link of a result only after a yes to its whole address, with the host first, and to the letter', async () => {
  const link = 'https://docs.example.com/a%2Fb?next=https://bank.example&q=%5B1%5D';
  await openLink(link, 'notes');
  expect(editor.opened).toEqual([]);
  expect(editor.questions).toMatchObject([
    {
      text: 'Open a page that “notes” links to?',
      options: { modal: true, detail: `It is at docs.example.com.\n\n${link}` },
      buttons: ['Show Address', 'Open in Browser'],
    },
  ]);
  editor.answer = 'Open in Browser';
  await openLink(link, 'notes');
  expect(editor.opened).toEqual([link]);
});

it.each([
  ['https://xn--pple-43d.example/', /mixes letters of different alphabets/],
  ['http://docs.example.com/', /not encrypted/],
  ['http://localhost:8080/', /a program on your own computer/],
])('warns of %s', async (link, warning) => {
  await openLink(link, 'notes');
  expect(editor.questions[0]?.detail).toMatch(warning);
});

it.each(['https://bank.example@evil.example/', 'command:workbench.action.quit', 'file:///etc/passwd', 'vscode://x/y'])(
  'asks nothing about %s, and opens nothing',
  async (link) => {
    editor.answer = 'Open in Browser';
    await expect(openLink(link, 'notes')).rejects.toThrow(/The link cannot be opened/);
    expect([...editor.questions, ...editor.opened]).toEqual([]);
  },
);

it('shows an address that does not fit as a document, whole', async () => {
  const link = `https://docs.example.com/${'a'.repeat(2_000)}`;
  editor.answer = 'Show Address';
  await openLink(link, 'notes');
  expect(editor.questions[0]?.detail).toMatch(/… \(525 more characters\)$/);
  expect(editor.documents).toEqual([link]);
  expect(editor.opened).toEqual([]);
});
