import { beforeEach, describe, expect, it, vi } from 'vitest';
import { getOrMake } from '../../../../src/base/memoize.ts';
import { CommandIds } from '../../../../src/host/commandIds.ts';
import { loadConfiguration } from '../../../../src/host/configuration/configurationFiles.ts';
import type { ConfigurationSource } from '../../../../src/config/configuredServer.ts';
import type { StdioServerDefinition } from '../../../../src/config/serverDefinition.ts';
import { createDisabledServers, type DisabledServer } from '../../../../src/host/servers/disabledServers.ts';
import { createManageCommands } from '../../../../src/host/servers/manageServers.ts';
import type { HostServer } from '../../../../src/host/servers/serverRegistry.ts';
import { createManualClock } from '../../../fixtures/manualClock.ts';
import { unhurried } from '../../../fixtures/unhurried.ts';
import { editor, FileType, type Question, Uri, workspace } from '../../../fixtures/vscode.ts';
import { running, sampleServer } from '../sampleServer.ts';
import { sampleState } from '../sampleState.ts';

beforeEach(unhurried);

const path = '/w/.mcp.json';
const text = `{
  // of this project
  "mcpServers": {
    "a": { "command": "x" }, // first
    "b": {
      "command": "y" /* why */
    }
  }
}
`;
const folder = { name: 'w', path: '/w', uri: Uri.file('/w').toString() };
const source: ConfigurationSource = { kind: 'mcpJson', uri: `file://${path}`, folder, title: '' };
const textOf = (file = path): string => editor.files.get(file)?.text ?? '';
const write = (next: string, file = path): unknown => editor.files.set(file, { text: next });

/** The commands over files and settings in memory. `answer` is what the person does with each notification and input box. */
async function manage(answer: (question: Question) => unknown = () => undefined) {
  if (editor.files.size === 0) write(text);
  editor.answer = answer;
  const stopped: string[] = [];
  const hosts = new Map<string, HostServer>();
  let labels: readonly string[] = [];
  const disabled = createDisabledServers(sampleState(), () =>
    labels.flatMap((label) => hosts.get(label)?.configured ?? []),
  );
  async function refresh(): Promise<void> {
    const { servers } = (await loadConfiguration(undefined, [])).snapshot;
    labels = servers.map(({ label }) => label);
    for (const configured of servers) {
      const host = getOrMake(hosts, configured.label, () => sampleServer(configured.label));
      const stop = async (): Promise<void> => void stopped.push(configured.label);
      Object.assign(host, { configured, isDisabled: disabled.isDisabled(configured) });
      Object.assign(host.server, { stop });
    }
  }
  await refresh();
  const get = (label: string): HostServer | undefined => (labels.includes(label) ? hosts.get(label) : undefined);
  const registry = {
    get,
    get servers() {
      return labels.map((label) => hosts.get(label));
    },
  };
  const kept: string[] = [];
  const rename = async ({ label }: { readonly label: string }, to: string): Promise<void> =>
    void kept.push(`${label} > ${to}`);
  const calls = {
    load: async () => {},
    all: [] as { server: string }[],
    move: vi.fn<() => Promise<boolean>>(async () => true),
  };
  const allowed: string[] = [];
  const store = { isFull: false };
  const move =
    (what: string) =>
    async (from: string | { readonly server: string; readonly identity: string }, to: string): Promise<void> => {
      if (store.isFull) throw new Error('full');
      allowed.push(`${what} of ${typeof from === 'string' ? from : `${from.server} (${from.identity})`} > ${to}`);
    };
  const revealed: string[] = [];
  const clock = createManualClock();
  const commands = createManageCommands({
    registry: registry as never,
    clock,
    configuration: { refresh },
    reveal: async (label) => void revealed.push(label),
    disabled,
    trust: { load: async () => ({ rename }) as never },
    inputs: { rename },
    savedCalls: async () => calls,
    sampling: { rules: async () => ({ rename: move('rules') }) },
    approvals: { current: async () => ({ rename: move('tools') }) },
    chosenModels: async () => ({ rename: (from, to) => void allowed.push(`model of ${from} > ${to}`) }),
  });
  const run = async (name: 'remove' | 'rename' | 'duplicate' | 'disable' | 'enable', label: string): Promise<void> => {
    await commands[CommandIds[`${name}Server`]]({ server: label });
    // The notification with its undo is not waited for.
    for (let turn = 0; turn < 200; turn += 1) await Promise.resolve();
  };
  const press = async (name: 'disable' | 'remove', label: string, how: unknown = 'selection'): Promise<unknown> =>
    commands[CommandIds[`${name}Server`]]({ server: label }, how);
  const serverOf = (label: string, changes: Partial<StdioServerDefinition> = {}, from = source): DisabledServer => ({
    label,
    source: from,
    definition: { command: label === 'b' ? 'y' : 'x', ...changes },
  });
  const isDisabled = (...server: Parameters<typeof serverOf>): boolean => disabled.isDisabled(serverOf(...server));
  const start = (label: string): unknown => Object.assign(hosts.get(label)?.server ?? {}, { state: running });
  return {
    run,
    press,
    start,
    clock,
    stopped,
    disabled,
    serverOf,
    isDisabled,
    kept,
    allowed,
    store,
    calls,
    revealed,
    labels: () => labels,
    refresh,
  };
}

const undoing = ({ buttons }: Question): unknown => (buttons.includes('Undo') ? 'Undo' : undefined);
/** Types a name into the box, and leaves notifications alone, or presses *Undo*. */
const naming =
  (name: string, next: (question: Question) => unknown = () => undefined) =>
  (question: Question): unknown =>
    'validateInput' in question.options ? name : next(question);

/** VS Code's API replaces a setting as a whole. */
const loss = ' Comments in "patchbay.servers" are not kept.';

describe('removing a server', () => {
  it('takes its entry out of its file without a question, and stops it', async () => {
    const { run, stopped, labels } = await manage();
    await run('remove', 'b');
    expect(editor.said).toEqual(['Removed “b” from .mcp.json.']);
    expect(editor.questions[0]?.buttons).toEqual(['Undo']);
    expect(stopped).toEqual(['b']);
    expect(labels()).toEqual(['a']);
    expect(textOf()).toContain('// of this project');
    expect(textOf()).toContain('// first');
  });

  it('starts what ran again: under the new name, and after an undo', async () => {
    const { run, start, labels } = await manage(naming('first', undoing));
    start('a');
    await run('rename', 'a');
    start('b');
    await run('remove', 'b');
    expect(labels()).toEqual(['a', 'b']);
    const started = editor.executed.filter(([id]) => id === CommandIds.startServer);
    expect(started).toEqual([{ server: 'first' }, { server: 'b' }].map((given) => [CommandIds.startServer, given]));
  });

  it('takes with it that it starts with the window, so that its folder cannot bring it back running', async () => {
    const options = { a: { autoStart: true, trace: true, for: 'x' }, b: { autoStart: true, for: 'y' } };
    editor.settings['serverOptions'] = options;
    const { run } = await manage();
    await run('remove', 'a');
    expect(editor.settings['serverOptions']).toEqual({ a: { trace: true, for: 'x' }, b: options.b });
  });

  it('takes with it all options of a server of the user settings, and brings them back with an undo', async () => {
    editor.settings['servers'] = { mine: { command: 'x' }, other: { command: 'y' } };
    const options = { mine: { autoStart: true, roots: 'none' }, other: { trace: true } };
    editor.settings['serverOptions'] = options;
    const { run } = await manage();
    await run('remove', 'mine');
    expect(editor.settings['serverOptions']).toEqual({ other: { trace: true } });
    editor.settings['servers'] = { mine: { command: 'x' } };
    editor.settings['serverOptions'] = options;
    const again = await manage(undoing);
    await again.run('remove', 'mine');
    expect(editor.settings['serverOptions']).toEqual(options);
  });

  it('keeps the options where it cannot be removed', async () => {
    const options = { a: { autoStart: true, for: 'x' } };
    editor.settings['serverOptions'] = options;
    const { run } = await manage();
    write('{');
    await run('remove', 'a');
    expect(editor.settings['serverOptions']).toEqual(options);
  });

  it('takes one server for a key that is held, or pressed again at once', async () => {
    const { press, clock, labels } = await manage();
    await press('remove', 'b');
    await press('remove', 'a');
    await clock.advance(900);
    await press('remove', 'a');
    expect(labels()).toEqual(['a']);
    await clock.advance(1_100);
    await press('remove', 'a');
    expect(labels()).toEqual([]);
  });

  it('is undone to the very text', async () => {
    const { run, labels, revealed } = await manage(undoing);
    await run('remove', 'a');
    expect(textOf()).toBe(text);
    expect(labels()).toEqual(['a', 'b']);
    expect(revealed).toEqual(['a']);
  });

  it('is undone by an edit where the file has changed since', async () => {
    const { run, labels } = await manage((question) => {
      write(textOf().replace('// first', '// changed').replace('"x"', '"z"'));
      return undoing(question);
    });
    await run('remove', 'b');
    expect(labels()).toEqual(['a', 'b']);
    expect(textOf()).toContain('"z" }, // changed');
    expect(textOf()).toContain('"y" /* why */');
  });

  it.each([
    ['has another server of the name now', '{"mcpServers": {"b": {"command": "other"}}}', 'now has another server “b”'],
    ['is broken now', '{"mcpServers": {', 'is not valid JSON'],
    ['has no servers now', '{}', 'no longer has a place for “b”'],
  ])('says why it cannot be undone where the file %s, and offers to open it', async (_what, changed, message) => {
    const opened: unknown[] = [];
    const getText = (): string => '';
    const openTextDocument = async (uri: unknown): Promise<object> => ({ getText, positionAt: () => opened.push(uri) });
    Object.assign(workspace, { openTextDocument });
    const { run } = await manage((question) => {
      if (question.buttons.includes('Open Configuration')) return 'Open Configuration';
      write(changed);
      return undoing(question);
    });
    await run('remove', 'b');
    expect(textOf()).toBe(changed);
    expect(editor.said[1]).toContain(message);
    expect(opened).not.toEqual([]);
  });

  it('says that another place has a server of the name, which is used from now on', async () => {
    write(text);
    write('{"servers": {"b": {"command": "other"}}}', '/w/.vscode/mcp.json');
    const { run, labels, stopped } = await manage();
    await run('remove', 'b');
    expect(editor.said).toEqual(['Removed “b” from .vscode/mcp.json. The server “b” of .mcp.json is used now.']);
    expect(stopped).toEqual(['b']);
    expect(labels()).toEqual(['a', 'b']);
  });

  it('keeps the order of the user settings, and brings it back', async () => {
    const servers = { one: { command: '1' }, ['__proto__']: { command: '2' }, three: { command: '3' } };
    editor.settings['servers'] = JSON.parse(
      JSON.stringify(servers).replace('"one"', '"__proto__":{"command":"2"},"one"'),
    );
    const before = JSON.stringify(editor.settings['servers']);
    const { run } = await manage(({ buttons }) => (buttons.includes('Undo') ? 'Undo' : undefined));
    await run('remove', '__proto__');
    expect(editor.said[0]).toBe(`Removed “__proto__” from your user settings.${loss}`);
    expect(JSON.stringify(editor.settings['servers'])).toBe(before);
  });

  it('works in Restricted Mode, and starts nothing', async () => {
    editor.isTrusted = false;
    const { run, labels } = await manage(undoing);
    await run('remove', 'a');
    expect(labels()).toEqual(['a', 'b']);
  });
});

describe('a file that cannot be changed', () => {
  it.each<[string, () => void, string]>([
    [
      'is broken',
      () => write('{"mcpServers": {"a": {"command": "x"}'),
      'is not valid JSON. Nothing was changed. Fix it first',
    ],
    [
      'has the name twice',
      () => write('{"mcpServers": {"a": {"command": "x"}, "a": {"command": "y"}}}'),
      'defines “a” 2 times',
    ],
    [
      'is a link',
      () => editor.files.set(path, { text, type: FileType.File | FileType.SymbolicLink }),
      'is a link to another place',
    ],
    [
      'is not UTF-8',
      () => void Object.assign(workspace.fs, { readFile: async () => new Uint8Array([0x7b, 0xff, 0x7d]) }),
      'is not UTF-8',
    ],
    [
      'cannot be written',
      () => void Object.assign(workspace.fs, { writeFile: () => Promise.reject(new Error('EACCES: read-only')) }),
      'could not be saved: EACCES',
    ],
  ])('stays as it is where it %s; the person can open it', async (_what, spoil, message) => {
    const { run, stopped } = await manage(naming('c'));
    spoil();
    const before = textOf();
    for (const deed of ['remove', 'duplicate', 'rename'] as const) await run(deed, 'a');
    expect(textOf()).toBe(before);
    const errors = editor.questions.filter(({ buttons }) => buttons.includes('Open Configuration'));
    expect(errors.map(({ text: said }) => said)).toEqual(Array(3).fill(expect.stringContaining(message)));
    expect(stopped).toEqual([]);
  });
});

const aboutKeys = ' Keyboard shortcuts with the old name no longer work.';

describe('renaming a server', () => {
  it('says before it changes the user settings what gets lost, and not of a file', async () => {
    editor.settings['servers'] = { mine: { command: 'x' } };
    const prompts: unknown[] = [];
    const { run } = await manage(({ text: prompt }) => void prompts.push(prompt));
    await run('rename', 'mine');
    await run('rename', 'a');
    expect(prompts).toEqual([`The new name, in your user settings.${loss}`, 'The new name, in .mcp.json.']);
    await run('duplicate', 'mine');
    expect(editor.said.at(-1)).toBe(`Added “mine-2” to your user settings.${loss}`);
  });

  it('takes along what it is allowed without a question, and brings that back too', async () => {
    const { run, allowed } = await manage(naming('better', undoing));
    await run('rename', 'a');
    expect(allowed).toEqual([
      'model of a > better',
      'rules of a > better',
      'tools of a (a) > better',
      'model of better > a',
      'rules of better > a',
      'tools of better (a) > a',
    ]);
  });

  it('says what could not be stored under the new name', async () => {
    const { run, store } = await manage(naming('better'));
    store.isFull = true;
    await run('rename', 'a');
    expect(editor.said.at(-1)).toContain('Its rules for models and approved tools still have the old name.');
  });

  it('changes its name in place, and takes along what is kept of it', async () => {
    editor.settings['serverOptions'] = { a: { trace: true } };
    const { run, kept, calls, revealed, stopped, labels } = await manage(naming('better'));
    await run('rename', 'a');
    expect(textOf()).toBe(text.replace('"a"', '"better"'));
    expect(labels()).toEqual(['better', 'b']);
    expect(stopped).toEqual(['a']);
    expect(revealed).toEqual(['better']);
    expect(kept).toEqual(['a > better', 'a > better']);
    expect(calls.move).toHaveBeenCalledWith('a', 'better');
    // Other workspaces may have a server of the old name.
    expect(editor.settings['serverOptions']).toEqual({ a: { trace: true }, better: { trace: true, for: 'x' } });
    expect(editor.said.at(-1)).toBe(`Renamed “a” to “better” in .mcp.json.${aboutKeys}`);
  });

  it('is undone with all that went along', async () => {
    editor.settings['serverOptions'] = { a: { trace: true } };
    const { run, kept, calls, labels } = await manage(naming('better', undoing));
    await run('rename', 'a');
    expect(textOf()).toBe(text);
    expect(labels()).toEqual(['a', 'b']);
    expect(kept).toEqual(['a > better', 'a > better', 'better > a', 'better > a']);
    expect(calls.move).toHaveBeenLastCalledWith('better', 'a');
    expect(editor.settings['serverOptions']).toEqual({ a: { trace: true } });
  });

  it('leaves options that are for another definition, and those that the new name has', async () => {
    const options = { a: { autoStart: true, for: 'npx other' }, b: { trace: true }, c: { trace: false } };
    editor.settings['serverOptions'] = options;
    const { run } = await manage(naming('n'));
    await run('rename', 'a');
    expect(editor.settings['serverOptions']).toEqual(options);
    editor.answer = naming('c');
    await run('rename', 'b');
    expect(editor.settings['serverOptions']).toEqual(options);
    expect(editor.said.at(-1)).toBe(
      `Renamed “b” to “c” in .mcp.json. Its options still have the old name.${aboutKeys}`,
    );
  });

  it('leaves saved calls of a shared file to those who know the server by that name', async () => {
    editor.settings['servers'] = { mine: { command: 'x' } };
    editor.settings['serverOptions'] = { mine: { autoStart: true } };
    const { run, calls } = await manage(naming('n'));
    calls.all.push({ server: 'mine' });
    await run('rename', 'mine');
    expect(calls.move).not.toHaveBeenCalled();
    expect(editor.settings['servers']).toEqual({ n: { command: 'x' } });
    expect(editor.settings['serverOptions']).toEqual({ n: { autoStart: true } });
    expect(editor.said.at(-1)).toBe(
      `Renamed “mine” to “n” in your user settings. Its saved calls still have the old name.${aboutKeys}`,
    );
  });

  it('refuses a name that is empty, taken, hidden or too long, and warns of one that looks like another', async () => {
    const checked: unknown[] = [];
    write(text.replace('"b"', '"p"'));
    const { run } = await manage(({ options: { validateInput: check } }) => {
      if (isCheck(check))
        for (const name of ['', ' ', 'p', 'a', 'x\u200b', 'x'.repeat(101), '\u0440', 'c']) checked.push(check(name));
      return undefined;
    });
    await run('rename', 'a');
    expect(checked).toEqual([
      'A name is needed.',
      'A name is needed.',
      'There is a server of this name already.',
      undefined,
      'A name has no hidden characters.',
      'A name has at most 100 characters.',
      expect.objectContaining({ message: expect.stringContaining('looks like “p”') }),
      undefined,
    ]);
    expect(textOf()).toContain('"a"');
  });

  it('draws no link of a folder or of another name in its box', async () => {
    const said: unknown[] = [];
    const link = '[here](command:x)';
    // A workspace file names its folders.
    editor.folders = [
      { name: '[a](command:x)', uri: Uri.file('/w') },
      { name: 'v', uri: Uri.file('/v') },
    ];
    write(text.replace('"b"', JSON.stringify(link)));
    const { run } = await manage(({ options: { prompt, validateInput: check } }) => {
      said.push(prompt, isCheck(check) && check(link.replace('a', '\u0430').replace('e', '\u0435')));
      return undefined;
    });
    await run('rename', 'a');
    expect(said[0]).toContain('.mcp.json ([a]\u200b(command:x))');
    expect(said[1]).toMatchObject({ message: expect.stringContaining('“[here]\u200b(command:x)”') });
  });

  it('brings back no option that the person has changed under the new name', async () => {
    editor.settings['servers'] = { mine: { command: 'x' } };
    editor.settings['serverOptions'] = { mine: { autoStart: true } };
    const { run } = await manage(
      naming('n', (question) => {
        if (undoing(question) !== undefined) editor.settings['serverOptions'] = { n: { autoStart: false } };
        return undoing(question);
      }),
    );
    await run('rename', 'mine');
    expect(editor.settings['serverOptions']).toEqual({ mine: { autoStart: false } });
  });

  it('does nothing where the name stays the same or the box is closed', async () => {
    for (const name of ['a', ' a ', undefined]) {
      const { run } = await manage(naming(name as string));
      await run('rename', 'a');
    }
    expect(textOf()).toBe(text);
    expect(editor.said.filter((said) => said.startsWith('Renamed'))).toEqual([]);
  });
});

describe('duplicating a server', () => {
  it('adds a copy right after it, selects it, and asks nothing', async () => {
    const { run, labels, revealed, kept } = await manage();
    await run('duplicate', 'a');
    await run('duplicate', 'a');
    expect(labels()).toEqual(['a', 'a-3', 'a-2', 'b']);
    expect(revealed).toEqual(['a-2', 'a-3']);
    expect(editor.said).toEqual(['Added “a-2” to .mcp.json.', 'Added “a-3” to .mcp.json.']);
    // Nothing that the person allowed the first one.
    expect(kept).toEqual([]);
  });

  it('is undone, and stops the copy', async () => {
    const { run, stopped } = await manage(undoing);
    await run('duplicate', 'b');
    expect(textOf()).toBe(text);
    expect(stopped).toEqual(['b-2']);
  });

  it('adds it after the one in the user settings', async () => {
    editor.settings['servers'] = { mine: { command: 'x' }, other: { command: 'y' } };
    const { run } = await manage();
    await run('duplicate', 'mine');
    expect(Object.entries(editor.settings['servers'] as object)).toEqual([
      ['mine', { command: 'x' }],
      ['mine-2', { command: 'x' }],
      ['other', { command: 'y' }],
    ]);
  });
});

describe('disabling a server', () => {
  it('stops it and changes no file; one of its name in another folder is not disabled', async () => {
    const { run, stopped, isDisabled } = await manage();
    await run('disable', 'a');
    expect([textOf(), editor.said, stopped]).toEqual([text, [], ['a']]);
    expect([isDisabled('a'), isDisabled('b')]).toEqual([true, false]);
    expect(isDisabled('a', {}, { ...source, folder: { name: 'v', path: '/v', uri: 'file:///v' } })).toBe(false);
    await run('enable', 'a');
    expect(isDisabled('a')).toBe(false);
  });

  it.each<[string, Parameters<Awaited<ReturnType<typeof manage>>['isDisabled']>]>([
    ['moves it to another of its files', ['a', {}, { ...source, kind: 'vscode', uri: 'file:///w/.vscode/mcp.json' }]],
    ['gives it another name', ['other', {}]],
    ['does both', ['other', {}, { ...source, kind: 'vscode', uri: 'file:///w/.vscode/mcp.json' }]],
    ['gives its name to another program', ['a', { command: 'z' }]],
    ['changes options that are not its program', ['other', { patchbay: { autoStart: true } }]],
  ])('holds where the folder %s, until it is enabled there', async (_what, moved) => {
    const { serverOf } = await manage();
    const [before, after] = [serverOf('a'), serverOf(...moved)];
    let servers = [before, serverOf('b')];
    const { set, isDisabled, refusal } = createDisabledServers(sampleState(), () => servers);
    await set(before, true);
    servers = [after, serverOf('b')];
    // What is done with another one changes nothing.
    await set(serverOf('b'), true);
    await set(serverOf('b'), false);
    expect(isDisabled(after)).toBe(true);
    expect(refusal(after)).toMatchObject({ code: 'disabled' });
    await set(after, false);
    expect([after, before, serverOf('b')].map(isDisabled)).toEqual([false, false, false]);
  });

  it('is for one of several copies, and so is enabling one; what copies it later is disabled too', async () => {
    const { serverOf } = await manage();
    const [first, second, third] = ['a', 'copy', 'third'].map((label) => serverOf(label)) as [
      DisabledServer,
      DisabledServer,
      DisabledServer,
    ];
    let servers = [first, second];
    const { set, isDisabled, rename } = createDisabledServers(sampleState(), () => servers);
    await set(first, true);
    servers = [first, second, third];
    expect(servers.map(isDisabled)).toEqual([true, false, true]);
    await set(third, false);
    expect(servers.map(isDisabled)).toEqual([true, false, false]);
    await set(second, true);
    await set(first, false);
    expect(servers.map(isDisabled)).toEqual([false, true, false]);
    // A copy keeps what it is under the name that the person gives it, and gives no other one.
    await rename(third, 'last');
    servers = [first, second, serverOf('last')];
    expect(servers.map(isDisabled)).toEqual([false, true, false]);
  });

  it('is kept of servers that are not there when another one is disabled', async () => {
    const { serverOf } = await manage();
    const [a, copy, other] = [serverOf('a'), serverOf('copy'), serverOf('b')];
    let servers = [a, copy, other];
    const { set, isDisabled } = createDisabledServers(sampleState(), () => servers);
    await set(a, true);
    // A branch without the copy, and with another name.
    const renamed = serverOf('renamed');
    servers = [renamed, other];
    await set(other, true);
    await set(other, false);
    expect([renamed, copy].map(isDisabled)).toEqual([true, false]);
    // The name that was disabled comes back with another program.
    expect(isDisabled(serverOf('a', { command: 'z' }))).toBe(true);
  });

  it('is for one of two that have the same program with other values', async () => {
    const { disabled, isDisabled, serverOf } = await manage();
    await disabled.set(serverOf('a', { env: { ACCOUNT: 'work', REGION: 'eu' } }), true);
    expect(isDisabled('b', { command: 'x', env: { ACCOUNT: 'home', REGION: 'eu' } })).toBe(false);
    expect(isDisabled('b', { command: 'x', env: { REGION: 'eu', ACCOUNT: 'work' } })).toBe(true);
  });

  it('is switched by one key', async () => {
    const { isDisabled, press, refresh } = await manage();
    for (const wanted of [true, false]) {
      await press('disable', 'a');
      await refresh();
      expect(isDisabled('a')).toBe(wanted);
    }
    // From elsewhere it disables what is disabled.
    for (let time = 0; time < 2; time += 1) {
      await press('disable', 'a', 'x');
      await refresh();
    }
    expect(isDisabled('a')).toBe(true);
  });

  it('follows the server to its new name, and back', async () => {
    const { run, isDisabled, refresh } = await manage(naming('n'));
    await run('disable', 'a');
    await refresh();
    await run('rename', 'a');
    expect([isDisabled('n'), isDisabled('a', { command: 'z' })]).toEqual([true, false]);
  });

  it('takes what somebody else has stored for nothing', () => {
    const server = { label: 'a', source, definition: { command: 'x' } };
    for (const stored of ['x', { a: 1 }, [1, null, ['mcpJson', 'u', 'a'], [undefined, 1]]])
      expect(
        createDisabledServers(sampleState({ 'patchbay.disabledServers': stored }), () => []).isDisabled(server),
      ).toBe(false);
  });
});

function isCheck(value: unknown): value is (name: string) => unknown {
  return typeof value === 'function';
}
