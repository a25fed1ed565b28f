import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createSystemClock } from '../../../../src/base/clock.ts';
import { createNullLogger } from '../../../../src/base/logger.ts';
import { AppPresenter } from '../../../../src/host/apps/registerApps.ts';
import type { EndedCall } from '../../../../src/host/calls/callRecord.ts';
import { ToolLibrary } from '../../../../src/host/tools/toolLibrary.ts';
import type { ToolPorts } from '../../../../src/host/tools/toolPorts.ts';
import type { ToolSession } from '../../../../src/host/tools/toolSession.ts';
import { temporaryFolder } from '../../../fixtures/temporaryFolder.ts';
import { editor } from '../../../fixtures/vscode.ts';
import { running, sampleRegistry, sampleServer } from '../sampleServer.ts';

const call: EndedCall = {
  server: 'notes',
  identity: 'a',
  tool: 'add',
  at: 1_700_000_000_000,
  durationMs: 5,
  outcome: 'done',
  args: { text: 'one' },
  answer: { kind: 'result', result: { isError: false, content: [{ type: 'text', text: 'Salary: 1' }] } },
};

/** The label `notes` belongs to `identity` now. */
async function openLibrary(identity: string, folder?: string) {
  const historyFolder = folder ?? join(await temporaryFolder(), 'calls');
  editor.settings = { 'history.enabled': true, 'history.results': true };
  const host = sampleServer('notes', { state: running, identity });
  const nothing = (): { dispose(): void } => ({ dispose() {} });
  const library = new ToolLibrary({
    historyFolder,
    clock: createSystemClock(),
    logger: createNullLogger(),
    knownSecrets: { collector: async () => ({ holdsSecret: () => false }) },
    savedCalls: { onDidChange: nothing, load: async () => {}, of: () => [] },
    registry: sampleRegistry(host),
    askModel: async () => {},
    apps: new AppPresenter(() => Promise.reject(new Error('No app'))),
  } as unknown as ToolPorts);
  return { library, historyFolder };
}

function openTab(identity = 'a', tool = 'add', isReplaced = false): ToolSession {
  const address = { server: 'notes', identity, tool, occurrence: 0, copy: 0 };
  return { address, isReplaced, tool: undefined, call: { kind: 'idle' }, outcome: undefined } as unknown as ToolSession;
}

describe('a tab that is opened', () => {
  it('has the last result of its tool again, marked as such; a call without an answer is passed over', async () => {
    const { library, historyFolder } = await openLibrary('a');
    await library.keep(call);
    await library.keep({ ...call, args: { text: 'two' }, outcome: 'cancelled', answer: undefined });
    const later = await openLibrary('a', historyFolder);
    const session = openTab();
    await later.library.messages(session);
    expect(session.outcome?.view).toMatchObject({ kind: 'result', at: call.at, isPast: true, isRestored: true });
  });

  it.each([
    ['another server with the label', openTab('b')],
    ['another tool', openTab('a', 'sub')],
    ['a server that is replaced', openTab('a', 'add', true)],
  ])('has nothing for %s', async (_what, session) => {
    const { library } = await openLibrary('b');
    await library.keep(call);
    await library.messages(session);
    expect(session.outcome).toBeUndefined();
  });

  it('keeps what it shows, and nothing while a call is on its way', async () => {
    const { library } = await openLibrary('a');
    await library.keep(call);
    const shown = { view: { kind: 'cancelled', at: 1 } } as const;
    const session = Object.assign(openTab(), { outcome: shown });
    await library.messages(session);
    expect(session.outcome).toBe(shown);
    const calling = Object.assign(openTab(), { call: { kind: 'running' } });
    await library.messages(calling);
    expect(calling.outcome).toBeUndefined();
  });

  it('no longer shows a result that was forgotten', async () => {
    const { library } = await openLibrary('a');
    const id = await library.keep(call);
    const session = openTab();
    await library.messages(session);
    await library.act(await library.find(id ?? ''), 'forget');
    await library.messages(session);
    expect(session.outcome).toBeUndefined();
  });
});

describe('the list of all calls', () => {
  it('says which are of another server than the one that has the label now', async () => {
    const { library } = await openLibrary('b');
    await library.keep(call);
    await library.keep({ ...call, identity: 'b', args: { text: 'two' } });
    await library.keep({ ...call, server: 'gone' });
    expect(await library.all()).toMatchObject([
      { server: 'gone', since: 'removed' },
      { server: 'notes', tool: 'add', since: 'same', words: [{ text: 'text: "two"' }] },
      { since: 'changed', words: [{ text: 'text: "one"' }] },
    ]);
  });

  it('shows hostile names as short, plain text', async () => {
    const { library } = await openLibrary('a');
    for (let index = 0; index < 20; index += 1)
      await library.keep({
        ...call,
        server: `\u202e\n${'s'.repeat(9_000)}`,
        tool: `\u0007${index}${'t'.repeat(9_000)}`,
      });
    const listed = await library.all();
    expect(listed).toHaveLength(20);
    expect(JSON.stringify(listed).length).toBeLessThan(20_000);
    expect(JSON.stringify(listed)).not.toMatch(/\u202e|\\n|\\u0007/);
  });

  it('saves and copies no call for another server with the label', async () => {
    const { library } = await openLibrary('b');
    const id = await library.keep(call);
    const past = await library.find(id ?? '');
    await expect(library.act(past, 'copyAs')).rejects.toThrow('The definition of "notes" has changed');
    await expect(library.act(past, 'save')).rejects.toThrow('The definition of "notes" has changed');
  });

  it('has no call with an id that is none', async () => {
    const { library, historyFolder } = await openLibrary('a');
    await library.keep(call);
    await writeFile(join(historyFolder, 'x.json'), JSON.stringify(call));
    for (const id of ['x', '../x', '']) await expect(library.find(id)).rejects.toThrow('no longer in the history');
  });

  it('says which call is compared with which, and how long ago each was, with the moment beside it', async () => {
    const { library } = await openLibrary('a');
    const id = await library.keep(call);
    await library.keep({ ...call, at: Date.now() - 125_000, args: { text: 'two' } });
    await library.act(await library.find(id ?? ''), 'compare');
    const [question] = editor.questions;
    expect(question?.options).toMatchObject({
      placeHolder: expect.stringMatching(/^Choose a call to compare with the one made .*\d/),
    });
    expect(question?.choices).toMatchObject([
      { label: '2 min ago', description: expect.stringMatching(/\d:\d\d/), detail: 'text: "two"' },
    ]);
  });
});
