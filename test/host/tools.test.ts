import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import {
  type CodeLens,
  commands,
  languages,
  Range,
  TabInputCustom,
  type TextDocument,
  window,
  WorkspaceEdit,
  workspace,
} from 'vscode';
import type { ServerHandle } from '../../src/host/api.ts';
import type { CallToolResult } from '../../src/protocol/mcp/tools.ts';
import { askUntil, setTesting, startServer } from './patchbay.ts';
import { closeEditors, untilActiveTab } from './window.ts';

describe('tools called from the palette', () => {
  const servers: ServerHandle[] = [];
  before(async () => {
    servers.push(await startServer('demo'), await startServer('memory'), await startServer('schemas'));
  });
  after(async () => {
    await closeEditors();
    for (const server of servers) await server.stop();
  });

  it('calls a tool and shows what it gave', async () => {
    const result = await callTool({ server: 'demo', tool: 'add', arguments: { a: 2, b: 3 } });
    assert.match(JSON.stringify(result?.structuredContent), /5/);
    const title = servers[0]?.tools.find(({ name }) => name === 'add')?.title;
    await untilActiveTab((tab) => tab.label === title);
  });

  it('does not send arguments that break the schema', async () => {
    assert.equal(await callTool({ server: 'demo', tool: 'add', arguments: { a: 'two', b: 3 } }), undefined);
    assert.equal(await callTool({ server: 'demo', tool: 'add', arguments: 'a' }), undefined);
    assert.equal(await callTool({ server: 'demo', tool: 'no such tool', arguments: {} }), undefined);
  });

  it('loses no call and no result to schemas that attack, and says what was not checked [schema-bounds]', async () => {
    const call = { server: 'schemas', tool: 'endless', arguments: { text: `${'a'.repeat(40)}!` } };
    const result = await callTool(call);
    assert.deepEqual(result?.structuredContent, { done: true });
    await callTool({ ...call, arguments: { text: 'a', other: [] } });
    await commands.executeCommand('workbench.action.closeActiveEditor');
    // The schemas of another server are still checked.
    assert.equal(await callTool({ server: 'demo', tool: 'add', arguments: { a: 'two', b: 3 } }), undefined);
  });

  it('asks before a command or another extension calls a tool, whatever the server says of it [tool-consent]', async () => {
    await setTesting('toolCalls', 'decline');
    const [server] = servers;
    const sum = { a: 2, b: 3 };
    assert.equal(await callTool({ server: 'demo', tool: 'add', arguments: sum }), undefined);
    await assert.rejects(server?.callTool('add', sum) ?? Promise.resolve(), { code: 'declined' });
    await setTesting('toolCalls', undefined);
    await setTesting('consent', 'approve');
    const note = { server: 'demo', tool: 'add_note', arguments: { name: 'from-a-test', text: 'x' } };
    assert.equal((await callTool(note))?.isError, false);
    assert.equal((await server?.callTool('add', sum))?.isError, false);
    await setTesting('consent', undefined);
    await setTesting('toolCalls', 'approve');
  });

  it('checks the arguments of another extension as those of a person', async () => {
    await assert.rejects(servers[0]?.callTool('add', { a: 'two' }) ?? Promise.resolve(), { code: 'invalidArguments' });
  });

  it('opens the tab of a tool whose arguments no line can hold, with its document checked and called from there', async () => {
    await callTool({ server: 'memory', tool: 'create_entities' });
    await untilActiveTab((tab) => tab.input instanceof TabInputCustom && tab.input.viewType === 'patchbay.tool');
    const { activeTab } = window.tabGroups.activeTabGroup;
    assert.ok(activeTab?.input instanceof TabInputCustom);
    const { uri } = activeTab.input;
    assert.equal(uri.scheme, 'patchbay-tool');
    const document = await workspace.openTextDocument(uri);
    assert.equal(document.languageId, 'mcp-arguments');
    assert.equal(document.getText(), '{}\n');
    // The problems of arguments are for a person who looks at their JSON.
    await window.showTextDocument(document);
    const problemsOf = async (text: string, count: number): Promise<string[]> => {
      const found = async () => languages.getDiagnostics(uri).filter(({ source }) => source === 'Patchbay');
      await replaceText(document, text);
      return (await askUntil(found, ({ length }) => length === count)).map(({ message }) => message).toSorted();
    };
    const incomplete = '{ "entities": [{ "name": "Ada" }] }';
    assert.deepEqual(await problemsOf(incomplete, 2), [
      '“entities › item 1 › entityType” is required.',
      '“entities › item 1 › observations” is required.',
    ]);
    assert.deepEqual(await problemsOf('{}', 1), ['“entities” is required.']);
    await problemsOf(incomplete, 2);
    const [lens] = await askUntil(
      async () => await commands.executeCommand<CodeLens[]>('vscode.executeCodeLensProvider', uri),
      ([first]) => first?.command?.title.includes('Call') === true,
    );
    assert.ok(lens?.command);
    // Saved by itself a moment after it was changed, so that closing it asks nothing. After the save of an earlier text,
    // `isDirty` is false for a moment too.
    const saved = async () => new TextDecoder().decode(await workspace.fs.readFile(uri));
    await askUntil(saved, (text) => text === incomplete && !document.isDirty);
    await commands.executeCommand('workbench.action.closeActiveEditor');
    await commands.executeCommand('patchbay.openTool', { server: 'memory', tool: 'create_entities' });
    assert.match((await workspace.openTextDocument(uri)).getText(), /Ada/);
  });
});

async function callTool(argument: unknown): Promise<CallToolResult | undefined> {
  return commands.executeCommand<CallToolResult | undefined>('patchbay.callTool', argument);
}

async function replaceText(document: TextDocument, text: string): Promise<void> {
  const edit = new WorkspaceEdit();
  edit.replace(document.uri, new Range(0, 0, document.lineCount, 0), text);
  await workspace.applyEdit(edit);
}
