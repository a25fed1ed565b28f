import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import {
  type CodeAction,
  type CodeLens,
  commands,
  type Diagnostic,
  languages,
  type Range,
  type TextDocument,
  Uri,
  window,
  workspace,
  WorkspaceEdit,
} from 'vscode';
import { activatePatchbay, askUntil, startServer, textOf, until, untilEvent } from './patchbay.ts';

/** The second folder of the workspace has a `.mcp.json`, and room for a `.cursor/mcp.json`. */
const folder = (): string => workspace.workspaceFolders?.[1]?.uri.fsPath ?? '';
const cursorFile = (): Uri => Uri.file(join(folder(), '.cursor', 'mcp.json'));

async function writeCursorFile(text: string): Promise<void> {
  await workspace.fs.createDirectory(Uri.file(join(folder(), '.cursor')));
  await writeFile(cursorFile().fsPath, text);
}

async function untilConfigured(label: string, isConfigured = true): Promise<void> {
  const patchbay = await activatePatchbay();
  await untilEvent(patchbay.onDidChangeServers, () => (patchbay.getServer(label) !== undefined) === isConfigured);
}

function codesOf(diagnostics: readonly Diagnostic[]): unknown[] {
  return diagnostics.filter(({ source }) => source === 'Patchbay').map(({ code }) => code);
}

/** The diagnostics of a file, when there are `count` of Patchbay's. */
function diagnosticsOf(uri: Uri, count: number): Promise<Diagnostic[]> {
  return askUntil(
    () => Promise.resolve(languages.getDiagnostics(uri)),
    (diagnostics) => codesOf(diagnostics).length === count,
  );
}

async function replaceText(document: TextDocument, text: string): Promise<void> {
  const edit = new WorkspaceEdit();
  edit.replace(document.uri, document.validateRange(wholeRange(document)), text);
  assert.ok(await workspace.applyEdit(edit));
}

function wholeRange(document: TextDocument): Range {
  return document.lineAt(0).range.with(undefined, document.lineAt(document.lineCount - 1).range.end);
}

describe('configuration', () => {
  before(() => writeCursorFile('{"mcpServers": {}}'));
  after(async () => {
    await commands.executeCommand('workbench.action.closeAllEditors');
    await workspace.fs.delete(Uri.file(join(folder(), '.cursor')), { recursive: true });
    await untilConfigured('environment', false);
  });

  it('reads every folder, and lets the first that defines a label win', async () => {
    const patchbay = await activatePatchbay();
    const origins = patchbay.servers.map(({ label, origin }) => [label, origin?.path.split('/').slice(-3).join('/')]);
    assert.deepEqual(Object.fromEntries(origins), {
      everything: 'host/.vscode/mcp.json',
      filesystem: 'host/.vscode/mcp.json',
      memory: 'host/.vscode/mcp.json',
      article: 'host/.vscode/mcp.json',
      skills: 'host/.vscode/mcp.json',
      schemas: 'host/.vscode/mcp.json',
      second: 'workspaces/host-second/.mcp.json',
      demo: undefined,
    });
  });

  it('follows files as they are written and deleted', async () => {
    await writeCursorFile('{"mcpServers": {"added": {"command": "node"}}}');
    await untilConfigured('added');
    await workspace.fs.delete(cursorFile());
    await untilConfigured('added', false);
  });

  it('reads and follows the workspace file and a devcontainer.json, where servers are one part of many', async () => {
    const patchbay = await activatePatchbay();
    const whole = workspace.workspaceFile as Uri;
    const written = await readFile(whole.fsPath, 'utf8');
    const container = Uri.file(join(folder(), '.devcontainer', 'devcontainer.json'));
    const mcp = (label: string): object => ({ mcp: { servers: { [label]: { command: 'node' } } } });
    const parsed = JSON.parse(written) as { readonly settings: object };
    try {
      await writeFile(whole.fsPath, JSON.stringify({ ...parsed, settings: { ...parsed.settings, ...mcp('whole') } }));
      await untilConfigured('whole');
      assert.equal(patchbay.getServer('whole')?.origin?.path, whole.path);
    } finally {
      await writeFile(whole.fsPath, written);
    }
    await untilConfigured('whole', false);
    await workspace.fs.createDirectory(Uri.joinPath(container, '..'));
    await writeFile(container.fsPath, JSON.stringify({ image: 'x', customizations: { vscode: mcp('contained') } }));
    await untilConfigured('contained');
    assert.equal(patchbay.getServer('contained')?.origin?.path, container.path);
    await workspace.fs.delete(Uri.joinPath(container, '..'), { recursive: true });
    await untilConfigured('contained', false);
  });

  it('reads and follows the file of Copilot, which is for all workspaces', async () => {
    const patchbay = await activatePatchbay();
    const file = Uri.file(join(process.env['COPILOT_HOME'] ?? '', 'mcp-config.json'));
    await workspace.fs.createDirectory(Uri.joinPath(file, '..'));
    await writeFile(file.fsPath, '{"mcpServers": {"personal": {"type": "local", "command": "node", "tools": ["*"]}}}');
    await untilConfigured('personal');
    assert.equal(patchbay.getServer('personal')?.origin?.path, file.path);
    await workspace.fs.delete(file);
    await untilConfigured('personal', false);
  });

  it('reads .github/mcp.json like the others: contents, problems, lenses, changes', async () => {
    const file = Uri.file(join(folder(), '.github', 'mcp.json'));
    await workspace.fs.createDirectory(Uri.joinPath(file, '..'));
    await writeFile(file.fsPath, '{"mcpServers": {"shared": {"command": "node", "args": ["${PORT:-80}"]}, "bad": {}}}');
    await untilConfigured('shared');
    assert.deepEqual(codesOf(await diagnosticsOf(file, 1)), ['missingCommand']);
    const document = await workspace.openTextDocument(file);
    const lenses = await askUntil(
      async () => await commands.executeCommand<CodeLens[]>('vscode.executeCodeLensProvider', document.uri, 10),
      (found) => found.some(({ command }) => command?.title === '$(play) Patchbay: Start'),
    );
    assert.deepEqual(lenses[0]?.command?.arguments, [{ server: 'shared' }]);
    await workspace.fs.delete(Uri.joinPath(file, '..'), { recursive: true });
    await untilConfigured('shared', false);
  });

  it('reports problems of files that nobody opened, and keeps the other servers', async () => {
    await writeCursorFile('{"mcpServers": {"bad": {}, "added": {"command": "node"}, "article": {"command": "node"}}}');
    await untilConfigured('added');
    assert.deepEqual(codesOf(await diagnosticsOf(cursorFile(), 2)), ['missingCommand', 'shadowed']);
  });

  it('keeps the servers of a file that is broken for a moment', async () => {
    await writeCursorFile('{"mcpServers": {,');
    await until(() => codesOf(languages.getDiagnostics(cursorFile())).includes('brokenJson'));
    const patchbay = await activatePatchbay();
    assert.ok(patchbay.getServer('added'));
    await writeCursorFile('{"mcpServers": {"added": {"command": "node"}}}');
    await diagnosticsOf(cursorFile(), 0);
  });

  it('checks text that is not saved yet, and repairs it', async () => {
    const document = await workspace.openTextDocument(cursorFile());
    await window.showTextDocument(document);
    await replaceText(document, '{\n  "mcpServers": {\n    "added": { "command": "node", "arsg": [] }\n  }\n}\n');
    const [diagnostic] = await diagnosticsOf(document.uri, 1);
    assert.ok(diagnostic);
    assert.equal(document.getText(diagnostic.range), '"arsg"');
    const actions = await askUntil(
      async () =>
        await commands.executeCommand<CodeAction[]>('vscode.executeCodeActionProvider', document.uri, diagnostic.range),
      (found) => found.some(({ title }) => title === 'Rename to "args"'),
    );
    const edit = actions.find(({ title }) => title === 'Rename to "args"')?.edit;
    assert.ok(edit && (await workspace.applyEdit(edit)));
    await diagnosticsOf(document.uri, 0);
    await document.save();
  });

  it('puts lenses above each server of a file', async () => {
    const lenses = await askUntil(
      async () => await commands.executeCommand<CodeLens[]>('vscode.executeCodeLensProvider', cursorFile(), 10),
      (found) => found.some(({ command }) => command?.title === '$(play) Patchbay: Start'),
    );
    const start = lenses.find(({ command }) => command?.title === '$(play) Patchbay: Start');
    assert.deepEqual(start?.command?.arguments, [{ server: 'added' }]);
  });

  it('replaces variables, and takes the environment from file and entry', async () => {
    await writeFile(join(folder(), 'probe.env'), 'FROM_FILE=one\nBOTH=file\n');
    const definition = {
      command: 'node',
      args: ['${env:PATCHBAY_REPO}/node_modules/@modelcontextprotocol/server-everything/dist/index.js', 'stdio'],
      envFile: 'probe.env',
      env: { BOTH: 'entry', FOLDER: '${workspaceFolderBasename}', GONE: null },
    };
    await writeCursorFile(JSON.stringify({ mcpServers: { environment: definition } }));
    const server = await startServer('environment');
    const environment = textOf(await server.callTool('get-env'));
    for (const expected of ['"FROM_FILE": "one"', '"BOTH": "entry"', '"FOLDER": "host-second"']) {
      assert.ok(environment.includes(expected), `${expected} is not in ${environment}`);
    }
    await server.stop();
  });
});
