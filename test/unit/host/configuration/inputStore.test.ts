import { beforeEach, describe, expect, it } from 'vitest';
import type { InputConsumer } from '../../../../src/host/configuration/askInput.ts';
import { type PromptContext, InputStore } from '../../../../src/host/configuration/inputStore.ts';
import { copilotSource, fileSource as source, userSource } from '../../../fixtures/launches.ts';
import { type RequestedBy, UnrequestedStartError } from '../../../../src/host/configuration/requester.ts';
import { editor } from '../../../fixtures/vscode.ts';
import { sampleSecrets, sampleState } from '../sampleState.ts';

const input = {
  type: 'promptString',
  id: 'token',
  description: 'Sent to a.example',
  default: undefined,
  password: true,
} as const;
const { signal } = new AbortController();
const attended: PromptContext = { requestedBy: () => 'person', signal };
const notes: InputConsumer = { label: 'notes', target: 'a.example' };

let secrets: Map<string, string>;
let store: InputStore;

beforeEach(() => {
  editor.answer = () => `typed ${editor.questions.length}`;
  secrets = new Map();
  const storage = sampleSecrets(secrets) as unknown as ConstructorParameters<typeof InputStore>[0]['secrets'];
  store = new InputStore({ secrets: storage, workspaceState: sampleState(), globalState: sampleState() });
});

const resolve = async (user: InputConsumer) => store.resolve(source, input, user, attended);

describe('a kept value', () => {
  it('goes to the server and the target it was entered for, and to no other', async () => {
    expect(await resolve(notes)).toEqual({ value: 'typed 1', isSecret: true, isSaved: false });
    expect(await resolve(notes)).toEqual({ value: 'typed 1', isSecret: true, isSaved: true });
    expect(await resolve({ ...notes, target: 'evil.example' })).toMatchObject({ value: 'typed 2', isSaved: false });
    expect(await resolve({ ...notes, label: 'other' })).toMatchObject({ value: 'typed 3', isSaved: false });
    expect(await resolve(notes)).toMatchObject({ value: 'typed 1', isSaved: true });
  });

  it.each([
    [source, 0, 1],
    [copilotSource, 1, 0],
    [userSource, 1, 0],
  ])('is kept for all workspaces if the server is: $title', async (of, inAll, inOne) => {
    const [globalState, workspaceState] = [sampleState(), sampleState()];
    store = new InputStore({ secrets: sampleSecrets(secrets) as never, workspaceState, globalState });
    await store.resolve(of, input, notes, attended);
    expect([globalState.keys().length, workspaceState.keys().length]).toEqual([inAll, inOne]);
  });

  it('is asked for without icons of the file that describes it', async () => {
    await store.resolve(source, { ...input, description: '$(verified) Safe' }, notes, attended);
    expect(editor.said).toEqual(['Sent to a.example: \\$(verified) Safe']);
  });

  it('follows a server to its new name, for the same target', async () => {
    await resolve(notes);
    await resolve({ ...notes, label: 'other' });
    await store.rename({ label: 'notes', source: { ...source, uri: 'file:///elsewhere' } }, 'lost');
    await store.rename({ label: 'notes', source }, 'better');
    expect(await resolve({ ...notes, label: 'better' })).toMatchObject({ value: 'typed 1', isSaved: true });
    expect(await resolve({ label: 'better', target: 'evil.example' })).toMatchObject({ isSaved: false });
    expect(await resolve(notes)).toMatchObject({ isSaved: false });
    expect(await resolve({ ...notes, label: 'other' })).toMatchObject({ value: 'typed 2', isSaved: true });
  });

  it('is forgotten by whoever asks for it', async () => {
    await resolve(notes);
    await resolve({ ...notes, label: 'other' });
    await store.forget(store.stored());
    expect([...secrets.keys(), ...store.stored()]).toEqual([]);
  });
});

it('shows where a value goes before what the file says of it', async () => {
  await resolve({ label: 'notes', target: `${'github.com.'.repeat(30)}evil.example` });
  expect(editor.questions[0]?.options['title']).toBe('Input for the MCP server notes');
  expect(editor.said[0]).toMatch(/^Sent to github\.com\..*…\S*\.evil\.example: Sent to a\.example$/);
});

describe('where nobody waits for the server', () => {
  const unattended: PromptContext = { requestedBy: () => 'nobody', signal };

  it('gives what is kept, and asks for nothing', async () => {
    await expect(store.resolve(source, input, notes, unattended)).rejects.toThrow(UnrequestedStartError);
    expect(editor.questions).toEqual([]);
    await resolve(notes);
    expect(await store.resolve(source, input, notes, unattended)).toMatchObject({ value: 'typed 1', isSaved: true });
    expect(editor.questions).toHaveLength(1);
  });

  it('runs no command', async () => {
    const command = { type: 'command', id: 'run', command: 'workbench.action.quit', args: undefined } as const;
    await expect(store.resolve(source, command, notes, unattended)).rejects.toThrow(/input "run"/);
  });

  it('looks again when its turn has come', async () => {
    const late = { ...input, id: 'late' };
    let waiting: RequestedBy = 'nobody';
    const answer = store.resolve(source, late, notes, { requestedBy: () => waiting, signal });
    waiting = 'person';
    expect(await answer).toMatchObject({ value: 'typed 1' });
  });
});
