import { beforeEach, expect, it, vi } from 'vitest';
import { unhurried } from '../../../fixtures/unhurried.ts';

beforeEach(unhurried);

const dialog = vi.hoisted(() => ({ shown: [] as unknown[][], answer: undefined as string | undefined }));
const opened = vi.hoisted(() => [] as unknown[]);
const documents = vi.hoisted(() => [] as unknown[]);
vi.mock('vscode', () => ({
  env: { openExternal: async (uri: unknown) => opened.push(uri) > 0 },
  window: {
    showWarningMessage: async (...question: unknown[]) => {
      dialog.shown.push(question);
      return dialog.answer;
    },
    showTextDocument: async () => {},
  },
  workspace: { openTextDocument: async (options: unknown) => documents.push(options) },
}));

const { openLink } = await import('../../../../src/host/platform/openLink.ts');

beforeEach(() => {
  for (const list of [dialog.shown, opened, documents]) list.length = 0;
  dialog.answer = undefined;
});

const detailOf = (): string => (dialog.shown[0] as [string, { detail: string }])[1].detail;

it('opens a link of a result only after a yes to its whole address, with the host first, and to the letter', async () => {
  const link = 'https://docs.example.com/a%2Fb?next=https://bank.example&q=%5B1%5D';
  await openLink(link, 'notes');
  expect(opened).toEqual([]);
  expect(dialog.shown).toEqual([
    [
      'Open a page that “notes” links to?',
      { modal: true, detail: `It is at docs.example.com.\n\n${link}` },
      'Show Address',
      'Open in Browser',
    ],
  ]);
  dialog.answer = 'Open in Browser';
  await openLink(link, 'notes');
  expect(opened).toEqual([link]);
});

it.each([
  ['https://xn--pple-43d.example/', /mixes letters of different alphabets/],
  ['http://docs.example.com/', /not encrypted/],
  ['http://localhost:8080/', /a program on your own computer/],
])('warns of %s', async (link, warning) => {
  await openLink(link, 'notes');
  expect(detailOf()).toMatch(warning);
});

it.each(['https://bank.example@evil.example/', 'command:workbench.action.quit', 'file:///etc/passwd', 'vscode://x/y'])(
  'asks nothing about %s, and opens nothing',
  async (link) => {
    dialog.answer = 'Open in Browser';
    await expect(openLink(link, 'notes')).rejects.toThrow(/The link cannot be opened/);
    expect([...dialog.shown, ...opened]).toEqual([]);
  },
);

it('shows an address that does not fit as a document, whole', async () => {
  const link = `https://docs.example.com/${'a'.repeat(2_000)}`;
  dialog.answer = 'Show Address';
  await openLink(link, 'notes');
  expect(detailOf()).toMatch(/… \(525 more characters\)$/);
  expect(documents).toMatchObject([{ content: link }]);
  expect(opened).toEqual([]);
});
