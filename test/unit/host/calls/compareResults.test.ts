import { expect, it, vi } from 'vitest';
import { createResultComparison } from '../../../../src/host/calls/compareResults.ts';
import { readCallToolResult } from '../../../../src/protocol/mcp/tools.ts';

interface Document {
  readonly scheme: string;
  readonly path: string;
  readonly query: string;
}

const editor = vi.hoisted(() => ({
  executeCommand: vi.fn(async () => {}),
  provide: (_uri: { readonly query: string }): unknown => undefined,
}));
vi.mock('vscode', () => ({
  EventEmitter: class {
    readonly event = () => ({ dispose() {} });
    fire() {}
    dispose() {}
  },
  Uri: { from: (parts: object) => parts },
  commands: { executeCommand: editor.executeCommand },
  workspace: {
    openTextDocument: async (uri: object) => ({ uri, languageId: 'patchbay-json' }),
    registerTextDocumentContentProvider(
      _scheme: string,
      provider: { provideTextDocumentContent: typeof editor.provide },
    ) {
      editor.provide = provider.provideTextDocumentContent;
      return { dispose() {} };
    },
    onDidCloseTextDocument: () => ({ dispose() {} }),
  },
}));

const call = (at: number, text: string) => ({
  tool: 'read/graph',
  at,
  answer: { kind: 'result' as const, result: readCallToolResult({ content: [{ type: 'text', text }] }) },
});

it('shows the earlier call on the left, whichever is given first, each in a document of its own', async () => {
  const comparison = createResultComparison();
  await comparison.show(call(2_000, 'later'), call(1_000, 'earlier'));
  await comparison.show(call(3_000, 'first'), call(4_000, 'second'));
  const shown = editor.executeCommand.mock.calls as unknown as readonly (readonly [
    string,
    Document,
    Document,
    string,
  ])[];
  const documents = shown.flatMap(([command, left, right]) => {
    expect(command).toBe('vscode.diff');
    return [left, right];
  });
  expect(documents.map((uri) => /earlier|later|first|second/.exec(String(editor.provide(uri)))?.[0])).toEqual([
    'earlier',
    'later',
    'first',
    'second',
  ]);
  expect(new Set(documents.map(({ query }) => query)).size).toBe(4);
  // A name of a server is no path.
  expect(documents[0]?.path).toBe('/patchbay~/read_graph, earlier.json');
  expect(shown[0]?.[3]).toMatch(/^read\/graph: .+ ↔ .+$/);
});
