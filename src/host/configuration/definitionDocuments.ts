import { EventEmitter, Uri, ViewColumn, window, workspace } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';

const scheme = 'patchbay-definition';

/** Read-only documents that show whole definitions, as plain text. */
export interface DefinitionDocuments extends Disposable {
  /** Opens the document of a server beside what is open, with a new text. */
  show(label: string, text: string): Promise<void>;
}

export function createDefinitionDocuments(): DefinitionDocuments {
  const store = new DisposableStore();
  const changes = store.add(new EventEmitter<Uri>());
  const texts = new Map<string, string>();
  store.add(
    workspace.registerTextDocumentContentProvider(scheme, {
      onDidChange: changes.event,
      provideTextDocumentContent: ({ query }) => texts.get(query) ?? 'Start the server to see its definition again.\n',
    }),
  );
  return {
    async show(label, text) {
      texts.set(label, text);
      const name = label.replace(/[^\p{L}\p{N} ._-]/gu, '_').slice(0, 60);
      const uri = Uri.from({ scheme, path: `/Definition of ${name}.txt`, query: label });
      changes.fire(uri);
      const document = await workspace.openTextDocument(uri);
      await window.showTextDocument(document, { preview: true, viewColumn: ViewColumn.Active });
    },
    dispose: () => store.dispose(),
  };
}
