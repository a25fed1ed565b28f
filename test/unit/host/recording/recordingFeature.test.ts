import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createSystemClock } from '../../../../src/base/clock.ts';
import type { ServerState } from '../../../../src/client/server/server.ts';
import { chooseRecording } from '../../../../src/host/configuration/chooseRecording.ts';
import { RecordingFeature } from '../../../../src/host/recording/recordingFeature.ts';
import { showSessionDifference } from '../../../../src/host/recording/showSessionDifference.ts';
import { RecordedServers } from '../../../../src/host/servers/recordedServers.ts';
import { createRedactor } from '../../../../src/secrets/redactor.ts';
import { editor, Uri, window, workspace } from '../../../fixtures/vscode.ts';
import { sampleRegistry, sampleServer } from '../sampleServer.ts';

const running = { kind: 'running' } as ServerState;
const plan = { kind: 'stdio', command: 'node', args: [], cwd: undefined, env: {} } as const;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recording-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** A window with one server, whose start lists one tool with that description. */
function setUp(description: string, file = 'a.mcp-session.jsonl') {
  const recorded = new RecordedServers();
  const host = sampleServer('notes', { state: running });
  Object.defineProperty(host, 'isRecorded', { get: () => recorded.isRecorded('notes') });
  const messages = [
    ['sent', { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} }],
    ['received', { jsonrpc: '2.0', id: 1, result: { protocolVersion: '2025-11-25' } }],
    ['sent', { jsonrpc: '2.0', id: 2, method: 'tools/list' }],
    ['received', { jsonrpc: '2.0', id: 2, result: { tools: [{ name: 'add', description }] } }],
  ] as const;
  const start = async (): Promise<void> => {
    const tap = recorded.tap({ label: 'notes', plan, redactor: () => createRedactor([]) });
    for (const [direction, message] of messages) tap?.message(direction, message);
  };
  const target = Uri.file(join(folder, file));
  Object.assign(window, { showSaveDialog: async () => target });
  const feature = new RecordingFeature({
    registry: sampleRegistry(host),
    recorded,
    actions: { start, restart: start },
    clock: createSystemClock(),
    version: '1.2.3',
  });
  return { feature, recorded, target };
}

describe('recording', () => {
  it('writes a session from its start until it is stopped', async () => {
    const { feature, recorded, target } = setUp('Adds.');
    await feature.record('notes');
    expect(recorded.isRecorded('notes')).toBe(true);
    await expect(feature.record('notes')).rejects.toThrow('is recorded already');
    await feature.stop('notes');
    expect(recorded.isRecorded('notes')).toBe(false);
    const lines = (await readFile(target.fsPath, 'utf8')).trim().split('\n');
    expect(lines.map((line) => Object.keys(JSON.parse(line) as object)[1])).toEqual(
      'version from from from from end'.split(' '),
    );
  });

  it('is written to its end when the window ends', async () => {
    const { feature, recorded, target } = setUp('Adds.');
    await feature.record('notes');
    feature.dispose();
    await recorded.written;
    const lines = (await readFile(target.fsPath, 'utf8')).trim().split('\n');
    expect(lines).toHaveLength(6);
    expect(lines.at(-1)).toContain('The recording was stopped.');
  });

  it('is the only one of its file: another window is refused, one that has ended is not', async () => {
    const { feature, recorded, target } = setUp('Adds.');
    await writeFile(`${target.fsPath}.lock`, String(process.ppid));
    await expect(feature.record('notes')).rejects.toThrow(/is being written by another recording.*\.lock\.$/s);
    expect(recorded.isRecorded('notes')).toBe(false);
    const ended = spawnSync(process.execPath, ['--version']).pid;
    await writeFile(`${target.fsPath}.lock`, String(ended));
    await feature.record('notes');
    await feature.stop('notes');
    await vi.waitFor(async () => expect(await readdir(folder)).toEqual(['a.mcp-session.jsonl']));
  });

  it('is the only one of its server, also of two whose files were chosen at the same time', async () => {
    const { feature, target } = setUp('Adds.');
    const choices: ((file: Uri) => void)[] = [];
    Object.assign(window, { showSaveDialog: () => new Promise((resolve) => choices.push(resolve)) });
    const [first, later] = [feature.record('notes'), feature.record('notes')];
    await vi.waitFor(() => expect(choices).toHaveLength(2));
    choices[0]?.(target);
    await first;
    choices[1]?.(Uri.file(join(folder, 'b.mcp-session.jsonl')));
    await expect(later).rejects.toThrow('is recorded already');
    await feature.stop('notes');
    await vi.waitFor(async () => expect(await readdir(folder)).toEqual(['a.mcp-session.jsonl']));
  });

  it('is not written through a link', async () => {
    const { feature, target } = setUp('Adds.');
    await symlink(join(folder, 'other.txt'), target.fsPath);
    await expect(feature.record('notes')).rejects.toThrow('is a link or a folder');
    expect(await readdir(folder)).toEqual(['a.mcp-session.jsonl']);
  });

  it('is written to a file of its kind alone', async () => {
    const { feature, recorded } = setUp('Adds.', 'package.json');
    await expect(feature.record('notes')).rejects.toThrow('must end with .mcp-session.jsonl');
    expect(recorded.isRecorded('notes')).toBe(false);
  });

  it('of two sessions says what broke, what is new, and what is only wording', async () => {
    const files: Uri[] = [];
    for (const [name, text] of Object.entries({
      'old.mcp-session.jsonl': 'Adds.',
      'new.mcp-session.jsonl': 'Adds two.',
    })) {
      const { feature, target } = setUp(text, name);
      await feature.record('notes');
      await feature.stop('notes');
      editor.files.set(target.fsPath, { text: await readFile(target.fsPath, 'utf8') });
      files.push(target);
    }
    Object.assign(window, { showOpenDialog: async () => [files[1]] });
    await showSessionDifference(files[0]);
    const [command, whole] = editor.executed.at(-1) ?? [];
    expect(command).toBe('patchbay.openWhole');
    const shown = String((whole as { readonly value: Buffer }).value);
    expect(shown).toContain('What broke\n  Nothing.');
    expect(shown).toContain('Only wording\n  tool add: ');
  });

  it('is chosen from those of the workspace, the last one first, or is another file near them', async () => {
    const found = ['one', 'two'].map((name) => Uri.file(`/w/sub/${name}.mcp-session.jsonl`));
    for (const [index, { fsPath }] of found.entries()) editor.files.set(fsPath, { text: '', mtime: index + 1 });
    const asked: unknown[] = [];
    onTestFinished(() => void Object.assign(workspace, { findFiles: async () => [] }));
    Object.assign(workspace, { findFiles: async () => found });
    Object.assign(window, { showOpenDialog: async (options: unknown) => (asked.push(options), [found[1]]) });
    editor.answers = ['sub/one.mcp-session.jsonl', 'Choose Another File…'];
    expect(await chooseRecording('Choose')).toBe(found[0]);
    expect(editor.questions.at(-1)?.choices.map(({ label }) => label)).toEqual([
      'sub/two.mcp-session.jsonl',
      'sub/one.mcp-session.jsonl',
      'Choose Another File…',
    ]);
    expect(await chooseRecording('Choose')).toBe(found[1]);
    expect(asked).toMatchObject([{ defaultUri: { path: '/w/sub' } }]);
    editor.answers = [undefined];
    expect(await chooseRecording('Choose')).toBeUndefined();
    Object.assign(workspace, { findFiles: async () => [] });
    await chooseRecording('Choose');
    expect(asked.at(-1)).toMatchObject({ defaultUri: { path: '/w' } });
  });
});
