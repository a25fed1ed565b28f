import { commands, Uri, workspace } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { ChangedDefinition } from '../../client/definitions/ports.ts';
import { definitionDocument, nameOf } from './definitionText.ts';

const scheme = 'patchbay-definition';

/** What a definition was and what it is, beside each other in the editor's own view of differences. */
export interface DefinitionDocuments extends Disposable {
  show(changed: ChangedDefinition): Promise<void>;
}

export function createDefinitionDocuments(): DefinitionDocuments {
  const store = new DisposableStore();
  const texts = new Map<string, string>();
  let count = 0;

  store.add(
    workspace.registerTextDocumentContentProvider(scheme, {
      provideTextDocumentContent: ({ query }) => texts.get(query) ?? 'This comparison was closed. Show it again.\n',
    }),
  );
  store.add(workspace.onDidCloseTextDocument(({ uri }) => uri.scheme === scheme && texts.delete(uri.query)));

  function document(changed: ChangedDefinition, side: 'before' | 'after'): Uri {
    count += 1;
    const query = String(count);
    texts.set(query, definitionDocument(changed[side]));
    // What a path cannot hold is replaced.
    const name = changed.key.replace(/[^\p{L}\p{N} ._-]/gu, '_').slice(0, 60);
    return Uri.from({ scheme, path: `/${name}, ${side}`, query });
  }

  return {
    async show(changed) {
      const title = `${nameOf(changed)}: before ↔ now`;
      const [before, after] = [document(changed, 'before'), document(changed, 'after')];
      await commands.executeCommand('vscode.diff', before, after, title, { preview: true });
    },
    dispose: () => store.dispose(),
  };
}
