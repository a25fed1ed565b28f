import assert from 'node:assert/strict';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { CancellationTokenSource, Uri, workspace } from 'vscode';
import type { ServerHandle } from '../../src/host/api.ts';
import type { Progress } from '../../src/protocol/progress.ts';
import { askUntil, namesOf, startServer, textOf, untilEvent } from './patchbay.ts';

describe('the reference server "everything"', () => {
  let server: ServerHandle;
  before(async () => {
    server = await startServer('everything');
  });
  after(() => server.stop());

  it('lists what it offers, also what it adds after the handshake', async () => {
    assert.equal(server.protocolVersion, '2025-11-25');
    assert.ok(namesOf(server.tools).includes('echo'));
    assert.deepEqual(namesOf(server.prompts), [
      'simple-prompt',
      'args-prompt',
      'completable-prompt',
      'resource-prompt',
    ]);
    assert.equal(server.resources.length, 7);
    assert.equal(server.resourceTemplates.length, 2);
    await untilEvent(server.onDidChange, () => namesOf(server.tools).includes('get-roots-list'));
  });

  it('calls tools', async () => {
    assert.equal(textOf(await server.callTool('echo', { message: 'ünï\u2028cödé' })), 'Echo: ünï\u2028cödé');
    const weather = await server.callTool('get-structured-content', { location: 'Chicago' });
    assert.deepEqual(Object.keys(weather.structuredContent ?? {}), ['temperature', 'conditions', 'humidity']);
    const unknown = await server.callTool('no-such-tool');
    assert.equal(unknown.isError, true);
  });

  it('reports progress', async () => {
    const steps: Progress[] = [];
    await server.callTool(
      'trigger-long-running-operation',
      { duration: 0.2, steps: 2 },
      { onProgress: (progress) => steps.push(progress) },
    );
    assert.deepEqual(steps, [
      { progress: 1, total: 2 },
      { progress: 2, total: 2 },
    ]);
  });

  it('is told of a cancelled call, and answers the next one', async () => {
    const cancel = new CancellationTokenSource();
    const call = server.callTool(
      'trigger-long-running-operation',
      { duration: 60, steps: 60 },
      { token: cancel.token },
    );
    cancel.cancel();
    await assert.rejects(call);
    assert.equal(textOf(await server.callTool('get-sum', { a: 1, b: 2 })), 'The sum of 1 and 2 is 3.');
  });

  it('reads resources', async () => {
    const dynamic = await server.readResource('demo://resource/dynamic/text/1');
    assert.match(dynamic.contents[0]?.text ?? '', /^Resource 1/);
    const blob = await server.readResource('demo://resource/dynamic/blob/1');
    assert.ok(blob.contents[0]?.blob);
    await assert.rejects(server.readResource('demo://nowhere'), /not found/);
  });

  it('gets prompts', async () => {
    const { messages } = await server.getPrompt('args-prompt', { city: 'Oslo' });
    assert.deepEqual(messages, [{ role: 'user', content: { type: 'text', text: "What's weather in Oslo?" } }]);
    await assert.rejects(server.getPrompt('args-prompt'), /city/);
  });

  it('completes an argument by those settled before it, and a variable of a template', async () => {
    const prompt = { type: 'ref/prompt', name: 'completable-prompt' } as const;
    assert.deepEqual(await server.complete(prompt, { name: 'department', value: 'E' }), ['Engineering']);
    const members = await server.complete(prompt, { name: 'name', value: '' }, { department: 'Engineering' });
    assert.deepEqual(members, ['Alice', 'Bob', 'Charlie']);
    const template = { type: 'ref/resource', uri: 'demo://resource/dynamic/text/{resourceId}' } as const;
    assert.deepEqual(await server.complete(template, { name: 'resourceId', value: '3' }), ['3']);
  });
});

describe('the reference server "filesystem"', () => {
  let server: ServerHandle;
  before(async () => {
    server = await startServer('filesystem');
  });
  after(() => server.stop());

  const allowed = async (): Promise<string> => textOf(await server.callTool('list_allowed_directories'));

  it('works in the folders of the workspace and nowhere else', async () => {
    await askUntil(allowed, (text) => folders().every((folder) => text.includes(folder)));
    const [first = ''] = folders();
    const notes = await server.callTool('read_text_file', { path: join(first, 'notes.txt') });
    assert.equal(notes.isError, false);
    assert.match(textOf(notes), /first folder/);
    const outside = await server.callTool('read_text_file', { path: join(first, '..', '..', 'outside.txt') });
    assert.equal(outside.isError, true);
  });

  it('follows a root that is added to the workspace and taken away again', async () => {
    const added = await realpath(await mkdtemp(join(tmpdir(), 'patchbay root ü ')));
    const count = folders().length;
    try {
      await writeFile(join(added, 'new.txt'), 'from the added root');
      assert.ok(workspace.updateWorkspaceFolders(count, 0, { uri: Uri.file(added), name: 'added' }));
      await askUntil(allowed, (text) => text.includes(added));
      assert.match(
        textOf(await server.callTool('read_text_file', { path: join(added, 'new.txt') })),
        /from the added root/,
      );
      assert.ok(workspace.updateWorkspaceFolders(count, 1));
      await askUntil(allowed, (text) => !text.includes(added));
    } finally {
      if (folders().length > count) workspace.updateWorkspaceFolders(count, 1);
      await rm(added, { recursive: true, force: true });
    }
  });
});

describe('the reference server "memory"', () => {
  let server: ServerHandle;
  before(async () => {
    server = await startServer('memory');
  });
  after(() => server.stop());

  it('keeps what it is given, over a restart', async () => {
    const entity = { name: 'Patchbay', entityType: 'program', observations: ['connects'] };
    await server.callTool('create_entities', { entities: [entity] });
    await server.stop();
    assert.equal(server.state, 'stopped');
    await server.start();
    const { structuredContent } = await server.callTool('read_graph');
    assert.deepEqual(structuredContent, { entities: [entity], relations: [] });
    const { contents } = await server.readResource('memory://knowledge-graph');
    assert.match(contents[0]?.text ?? '', /"Patchbay"/);
  });
});

describe('the demo server of the extension', () => {
  let server: ServerHandle;
  before(async () => {
    server = await startServer('demo');
  });
  after(() => server.stop());

  it('lists all pages', () => {
    // One more is for apps only.
    assert.equal(server.tools.length, 17);
    assert.deepEqual(namesOf(server.resources), ['readme', 'logo', 'clock', 'folder', 'leaflet', 'welcome', 'ideas']);
    assert.deepEqual(namesOf(server.resourceTemplates), ['note', 'weather']);
    assert.deepEqual(namesOf(server.prompts), ['greet', 'review_code', 'plan_trip', 'no_arguments']);
  });

  it('is lent the folders of the workspace', async () => {
    const { structuredContent } = await server.callTool('list_roots');
    const expected = (workspace.workspaceFolders ?? []).map(({ uri, name }) => ({ uri: uri.toString(), name }));
    assert.equal(expected.length, 2);
    assert.deepEqual(structuredContent, { roots: expected });
  });

  it('changes its lists', async () => {
    await server.callTool('unlock');
    await untilEvent(server.onDidChange, () => namesOf(server.tools).includes('secret_tool'));
    await untilEvent(server.onDidChange, () => namesOf(server.prompts).includes('secret_prompt'));
    await server.callTool('add_note', { name: 'from a test', text: '# Hello' });
    await untilEvent(server.onDidChange, () => namesOf(server.resources).includes('from a test'));
    const { contents } = await server.readResource('demo://notes/from%20a%20test');
    assert.equal(contents[0]?.text, '# Hello');
    await server.callTool('remove_note', { name: 'from a test' });
    await server.callTool('unlock', { lock: true });
    await untilEvent(server.onDidChange, () => !namesOf(server.tools).includes('secret_tool'));
  });
});

function folders(): readonly string[] {
  return (workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
}
