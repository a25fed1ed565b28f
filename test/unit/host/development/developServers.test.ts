import { describe, expect, it, onTestFinished } from 'vitest';
import { PatchbayError } from '../../../../src/base/errors.ts';
import { Emitter } from '../../../../src/base/event.ts';
import { createNullLogger } from '../../../../src/base/logger.ts';
import { emptyContents } from '../../../../src/client/contents.ts';
import type { ServerState } from '../../../../src/client/server/server.ts';
import { Development, type DevelopmentPorts } from '../../../../src/host/development/developServers.ts';
import { DevelopmentStates } from '../../../../src/host/servers/developmentStates.ts';
import { createRestartChoices } from '../../../../src/host/servers/restartChoices.ts';
import type { ServerStateChange } from '../../../../src/host/servers/serverRegistry.ts';
import { createManualClock, settle } from '../../../fixtures/manualClock.ts';
import { editor, Uri, workspace } from '../../../fixtures/vscode.ts';
import { sampleServer } from '../sampleServer.ts';
import { sampleState } from '../sampleState.ts';

const tool = (name: string) => ({ name, inputSchema: { type: 'object' } });

interface Watcher {
  readonly glob: string;
  readonly changed: (path: string) => void;
}

/** A server that runs `/w/a.js`, with what is asked of it. */
async function setUp(
  dev?: { readonly watch: string | readonly string[] },
  savedEarly?: (files: Map<string, string>) => void,
) {
  editor.folders = [{ name: 'w', uri: Uri.file('/w') }] as never;
  const watchers: Watcher[] = [];
  const disk = {
    files: new Map([
      ['/w/a.js', '1'],
      ['/w/lib/b.js', '1'],
    ]),
    mayChange: false,
  };
  workspace.createFileSystemWatcher = ((pattern: { readonly pattern: string }) => {
    const didChange = new Emitter<unknown>();
    const changed = (path: string): void => didChange.fire(Uri.file(path));
    watchers.push({ glob: pattern.pattern, changed });
    const none = () => ({ dispose() {} });
    return { onDidChange: didChange.event, onDidCreate: none, onDidDelete: none, dispose: () => didChange.dispose() };
  }) as never;
  workspace.findFiles = async () => [...disk.files.keys()].map((path) => Uri.file(path));
  const clock = createManualClock();
  const onDidChangeState = new Emitter<ServerStateChange>();
  const folder = { name: 'w', uri: 'file:///w', path: '/w' };
  const source = { kind: 'vscode', uri: 'file:///w/.vscode/mcp.json', folder, title: 'x' } as const;
  const configured = { source, options: dev === undefined ? {} : { dev } };
  const host = sampleServer('s', { state: { kind: 'running' }, configured, contents: { tools: [tool('a')] } });
  const server = host.server as { state: ServerState; contents: typeof emptyContents } & object;
  const calls: string[] = [];
  const turn = (state: ServerState): void => {
    server.state = state;
    if (state.kind === 'running') startedFrom = facts();
    onDidChangeState.fire({ label: 's', state });
  };
  const run = {
    fails: undefined as PatchbayError | undefined,
    next: [tool('a')],
    waits: undefined as Promise<void> | undefined,
  };
  Object.assign(server, {
    async replace(why: string) {
      calls.push(why);
      if (run.waits !== undefined) await run.waits;
      if (run.fails !== undefined) throw run.fails;
      server.contents = { ...emptyContents, tools: run.next };
      turn({ kind: 'running' });
    },
    start: async () => {},
  });
  const facts = () => ({
    files: [
      {
        path: '/w/a.js',
        realPath: '/w/a.js',
        size: 1,
        digest: disk.files.get('/w/a.js'),
        isInFolder: true,
        isLinkOutOfFolder: false,
      },
    ],
  });
  let startedFrom = facts();
  savedEarly?.(disk.files);
  const launches = {
    startedFrom: async () => startedFrom,
    async digestOf(path: string) {
      const digest = disk.files.get(path);
      if (digest === undefined) throw new Error('There is no such file.');
      return digest;
    },
    filesMayChange: () => disk.mayChange,
    allowFileChanges: async () => void (disk.mayChange = true),
    askAboutFiles: async () => void (disk.mayChange = false),
  };
  const states = new DevelopmentStates();
  const choices = createRestartChoices(sampleState());
  const restarted: string[] = [];
  states.onDidRestart((label) => restarted.push(label));
  const ports = {
    registry: {
      servers: [host],
      get: () => host,
      onDidChangeState: onDidChangeState.event,
      onDidChangeServers: () => ({ dispose() {} }),
    },
    configuration: { resolve: async () => ({}) },
    trust: { load: async () => launches },
    states,
    choices,
    log: createNullLogger,
    clock,
  } as unknown as DevelopmentPorts;
  const development = new Development(ports);
  onTestFinished(() => development.dispose());
  await settle();
  /** Writes files as they are. */
  const touch = async (...paths: readonly string[]): Promise<void> => {
    for (const path of paths) for (const { changed } of watchers.slice(-1)) changed(path);
    await clock.advance(150);
    await settle();
  };
  let saves = 1;
  const save = async (...paths: readonly string[]): Promise<void> => {
    saves += 1;
    for (const path of paths) disk.files.set(path, String(saves));
    await touch(...paths);
  };
  return { touch, clock, host, calls, states, choices, development, watchers, save, turn, run, disk, restarted };
}

describe('a server whose code is in an open folder', () => {
  it('is stale once a file that it runs has changed, and no longer after an undo', async () => {
    const { touch, states, disk, calls } = await setUp();
    expect(states.of('s')).toEqual({ restartsOnSave: false });
    disk.files.set('/w/a.js', '2');
    await touch('/w/a.js');
    expect(states.of('s')).toMatchObject({ staleFile: 'a.js' });
    disk.files.set('/w/lib/b.js', '2');
    await touch('/w/lib/b.js');
    disk.files.set('/w/a.js', '1');
    await touch('/w/a.js');
    // One that it imports.
    expect(states.of('s')).toMatchObject({ staleFile: 'lib/b.js' });
    disk.files.set('/w/lib/b.js', '1');
    await touch('/w/lib/b.js');
    expect(states.of('s')?.staleFile).toBeUndefined();
    await touch('/w/node_modules/b.js');
    expect(states.of('s')?.staleFile).toBeUndefined();
    disk.files.set('/w/new.js', '1');
    await touch('/w/new.js');
    expect(states.of('s')).toMatchObject({ staleFile: 'new.js' });
    disk.files.delete('/w/new.js');
    await touch('/w/new.js');
    expect(states.of('s')?.staleFile).toBeUndefined();
    expect(calls).toEqual([]);
  });

  it('is stale where the file was saved after the start and before anybody watched it', async () => {
    const { states } = await setUp(undefined, (files) => files.set('/w/a.js', '2'));
    expect(states.of('s')).toMatchObject({ staleFile: 'a.js' });
  });

  it('restarts on save from when the person wants it, says what changed, and until they no longer do', async () => {
    const { save, states, development, host, calls, run, disk, restarted } = await setUp();
    await development.turnOn(host);
    expect(disk.mayChange).toBe(true);
    run.next = [tool('a'), tool('b')];
    await save('/w/a.js');
    expect(calls).toEqual(['The server was restarted because a.js changed.']);
    expect(states.of('s')?.changes).toEqual({
      words: '+1 tool',
      lines: ['Restarted because a.js changed.', 'Added: tool b.'],
    });
    expect(restarted).toEqual(['s']);
    await development.turnOff(host);
    expect(disk.mayChange).toBe(false);
    await save('/w/lib/b.js');
    expect(calls).toHaveLength(1);
    expect(states.of('s')).toMatchObject({ restartsOnSave: false, staleFile: 'lib/b.js' });
  });

  it('says that what was saved does not start, and tries again with the next save', async () => {
    const { save, states, development, host, calls, run, restarted } = await setUp();
    await development.turnOn(host);
    const failure = (run.fails = new PatchbayError('crashed', 'The server crashed.'));
    await save('/w/a.js');
    expect(states.of('s')).toEqual({ restartsOnSave: true, staleFile: 'a.js', failure });
    expect([calls.length, restarted, host.server.contents.tools.length]).toEqual([1, [], 1]);
    run.fails = undefined;
    run.next = [];
    await save('/w/a.js');
    expect(calls).toHaveLength(2);
    expect(states.of('s')?.changes?.words).toBe('−1 tool');
    expect(states.of('s')?.failure).toBeUndefined();
    expect(restarted).toEqual(['s']);
  });

  it('restarts once for a burst of thousands of files', async () => {
    const { save, development, host, calls } = await setUp();
    await development.turnOn(host);
    await save(...Array.from({ length: 5_000 }, (_, index) => `/w/f${index}.js`));
    expect(calls).toEqual(['The server was restarted because f0.js changed.']);
  });

  it('forgets the failure where the file is as it was, once it no longer restarts', async () => {
    const { save, touch, states, development, host, run, disk } = await setUp();
    await development.turnOn(host);
    run.fails = new PatchbayError('crashed', 'The server crashed.');
    await save('/w/lib/b.js');
    await development.turnOff(host);
    disk.files.set('/w/lib/b.js', '1');
    await touch('/w/lib/b.js');
    expect(states.of('s')).toEqual({ restartsOnSave: false });
  });

  it('starts the newest code: what was being started gives way, and says nothing', async () => {
    const { save, development, host, calls, run, states, restarted } = await setUp();
    await development.turnOn(host);
    let go = (): void => {};
    run.waits = new Promise((resolve) => (go = resolve));
    await save('/w/a.js');
    run.waits = undefined;
    await save('/w/lib/b.js');
    expect(calls).toHaveLength(2);
    run.fails = new PatchbayError('crashed', 'Another took its place.');
    go();
    await settle();
    expect(states.of('s')?.changes?.lines[0]).toBe('Restarted because lib/b.js changed.');
    expect(restarted).toEqual(['s']);
  });

  it('restarts as often as a person saves in the editor', async () => {
    const didSave = new Emitter<unknown>();
    Object.assign(workspace, { onDidSaveTextDocument: didSave.event });
    const { touch, development, host, calls } = await setUp();
    await development.turnOn(host);
    for (let count = 0; count < 15; count += 1) {
      didSave.fire({ uri: Uri.file('/w/a.js') });
      await touch('/w/a.js');
    }
    expect(calls).toHaveLength(15);
  });

  it('restarts while a file is written all the time', async () => {
    const { development, host, calls, watchers, clock, disk } = await setUp();
    await development.turnOn(host);
    disk.files.set('/w/a.js', 'a log');
    for (let count = 0; count < 30; count += 1) {
      watchers.at(-1)?.changed('/w/a.js');
      await clock.advance(100);
    }
    await settle();
    expect(calls).toHaveLength(1);
  });

  it('restarts for no file that is written as it was, as by a build with each start', async () => {
    const { save, touch, development, host, calls } = await setUp();
    await development.turnOn(host);
    await touch('/w/lib/b.js');
    expect(calls).toEqual([]);
    await save('/w/a.js');
    await save('/w/lib/b.js');
    for (let count = 0; count < 5; count += 1) await touch('/w/lib/b.js');
    expect(calls).toHaveLength(2);
  });

  it('pauses for a server whose files change with each start', async () => {
    const { save, development, host, calls, states, turn } = await setUp();
    await development.turnOn(host);
    for (let count = 0; count < 15; count += 1) await save('/w/a.js');
    expect(calls).toHaveLength(10);
    expect(states.of('s')).toMatchObject({
      pausedBecause: expect.stringContaining('Paused') as string,
    });
    // The person restarts it.
    turn({ kind: 'running' });
    await settle();
    expect(states.of('s')).toEqual({ restartsOnSave: true });
    await save('/w/a.js');
    expect(calls).toHaveLength(11);
  });

  it('is left alone once it was stopped, and while its definition is another one', async () => {
    const { save, development, host, calls, turn, states, watchers } = await setUp();
    await development.turnOn(host);
    Object.assign(host, { isStale: true });
    await save('/w/a.js');
    Object.assign(host, { isStale: false });
    watchers.at(-1)?.changed('/w/a.js');
    turn({ kind: 'stopped' });
    await save();
    expect([calls, states.of('s')]).toEqual([[], undefined]);
  });

  it('restarts nothing that trust has a question about, and offers it once', async () => {
    const { save, calls, states, run, choices, host } = await setUp({ watch: '**/*.js' });
    expect(choices.isOn(host)).toBe(true);
    run.fails = new PatchbayError('needsTrust', 'It has changed.');
    await save('/w/a.js');
    await save('/w/a.js');
    expect(calls).toHaveLength(2);
    expect(states.of('s')).toMatchObject({ staleFile: 'a.js' });
    expect(
      editor.questions.filter(({ text }) => text.includes('a.js changed, which the server “s” runs')),
    ).toHaveLength(1);
  });

  it('goes by the globs of its configuration, and by those that leave files out', async () => {
    const { watchers, clock, calls, disk } = await setUp({ watch: ['src/**', '!src/out/**'] });
    expect(watchers.map(({ glob }) => glob)).toEqual(['src/out/**', 'src/**']);
    for (const { changed } of watchers) changed('/w/src/out/a.js');
    await clock.advance(150);
    expect(calls).toEqual([]);
    disk.files.set('/w/src/b.js', 'new');
    watchers.at(-1)?.changed('/w/src/b.js');
    await clock.advance(150);
    await settle();
    expect(calls).toEqual(['The server was restarted because src/b.js changed.']);
  });
});
