import { beforeEach, expect, it } from 'vitest';
import type { ContentBlock } from '../../../../src/protocol/mcp/content.ts';
import type { ResultFromPanel } from '../../../../src/shared/resultMessages.ts';
import type { ResultDocument } from '../../../../src/host/results/resultDocument.ts';
import { receiveResultMessage, textStyleOf } from '../../../../src/host/results/resultPanel.ts';
import { editor } from '../../../fixtures/vscode.ts';
import { sampleState } from '../sampleState.ts';

const logged: string[] = [];
const storage = sampleState();
const logger = { error: (text: () => string) => logged.push(text()) } as never;

beforeEach(() => void (logged.length = 0));

/** The files that were saved, and what they hold. */
const saved = () => [...editor.files].map(([path, { text = '' }]) => `${path}: ${text}`);

const structuredContent = { people: [{ id: 1 }, { id: 2, name: '=1' }], text: 'a "text"' };
const pdf = { uri: 'demo://a.pdf', mimeType: 'application/pdf', blob: 'JVBERi0=' };
const content: readonly ContentBlock[] = [
  { type: 'resource', resource: pdf },
  { type: 'resource', resource: { uri: 'demo://x/../a.sh', text: 'echo' } },
  { type: 'resource', resource: { uri: 'demo://a.exe', mimeType: 'application/x-msdownload', blob: 'TVo=' } },
  { type: 'text', text: '{"b":[1,2]}' },
  { type: 'resource_link', uri: 'demo://linked', name: 'linked' },
];
const document: ResultDocument = {
  key: 'k',
  title: 'All',
  server: 'demo',
  actions: [{ id: 'break', label: 'Break', icon: 'x', run: () => Promise.reject(new Error('broken')) }],
  resourcesOf: 'who',
  texts: { identity: 'i', kind: 'tool', name: 't' },
  call: { args: { deep: [true] }, durationMs: 1 },
  result: { kind: 'tool', result: { isError: false, content, structuredContent } },
};

function ask(message: Exclude<ResultFromPanel, { readonly type: 'ready' }>): void {
  receiveResultMessage(document, message, { logger, storage });
}

function askAction(id: string): void {
  ask({ type: 'action', id });
}

it.each([
  ['copy:["value","structured",["text"]]', 'a "text"'],
  ['copy:["value","structured",["people",0]]', '{\n  "id": 1\n}'],
  ['copy:["value","arguments",["deep",0]]', 'true'],
  ['copy:["value",3,["b",1]]', '2'],
  ['copy:["value","raw",["isError"]]', 'false'],
  ['copy:["table","structured",["people"]]', "id,name\r\n1,\r\n2,'=1\r\n"],
])('copies %s', async (id, text) => {
  askAction(id);
  await expect.poll(() => editor.copied).toEqual([text]);
});

it('copies nothing that is not there', async () => {
  askAction('copy:["value","structured",["constructor"]]');
  askAction('copy:["value",99,[]]');
  askAction('copy:["table","structured",["text"]]');
  ask({ type: 'copy', text: 'last' });
  await expect.poll(() => editor.copied).toEqual(['last']);
});

it('opens the result whole', async () => {
  askAction('openWhole');
  await expect
    .poll(() => editor.executed)
    .toEqual([['patchbay.openWhole', { title: 'All', value: { isError: false, content, structuredContent } }]]);
});

it('saves the result and its parts', async () => {
  askAction('saveWhole');
  ask({ type: 'save', index: 1 });
  await expect.poll(saved).toHaveLength(2);
  expect(saved().toSorted()).toEqual([
    expect.stringMatching(/^\/w\/All\.json: \{\n {2}"isError": false/),
    '/w/a.sh: echo',
  ]);
});

it('opens what an editor can show, from memory, and nothing else', async () => {
  ask({ type: 'open', index: 2 });
  ask({ type: 'open', index: 3 });
  ask({ type: 'open', index: 99 });
  ask({ type: 'open', index: 1 });
  await expect
    .poll(() => editor.executed)
    .toEqual([['patchbay.openWhole', { title: 'a.sh', value: Buffer.from('echo') }]]);
});

it('opens a PDF document where an extension shows it, and otherwise offers to save it', async () => {
  editor.answer = 'Save As…';
  ask({ type: 'open', index: 0 });
  await expect.poll(saved).toEqual(['/w/a.pdf: %PDF-']);
  expect(editor.executed).toEqual([]);
  editor.extensions.push(
    { packageJSON: {} },
    { packageJSON: { contributes: { customEditors: [{ selector: [{ filenamePattern: '*.pdf' }] }] } } },
  );
  ask({ type: 'open', index: 0 });
  await expect
    .poll(() => editor.executed)
    .toEqual([['patchbay.openWhole', { title: 'a.pdf', value: Buffer.from('%PDF-') }]]);
});

it('opens only resources that the result names', async () => {
  ask({ type: 'openResource', uri: 'demo://secret' });
  ask({ type: 'openResource', uri: 'demo://linked' });
  ask({ type: 'openResource', uri: 'demo://a.pdf' });
  const opened = (uri: string) => ['patchbay.openResource', { server: 'demo', uri, identity: 'who' }];
  await expect.poll(() => editor.executed).toEqual([opened('demo://linked'), opened('demo://a.pdf')]);
});

it('remembers how texts are shown', async () => {
  ask({ type: 'showTextAs', style: 'markdown' });
  await expect.poll(() => textStyleOf(storage, document.texts)).toBe('markdown');
});

it('shows what goes wrong', async () => {
  askAction('unknown');
  askAction('break');
  await expect.poll(() => editor.said).toHaveLength(1);
  expect(logged).toEqual(['All, action: broken']);
});
