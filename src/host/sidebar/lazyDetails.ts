import { EventEmitter, type Uri, window, workspace } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { memoizeAsync } from '../../base/sharedPromise.ts';
import type { WholeValue } from '../results/wholeDocuments.ts';
import type { DetailsOptions } from './detailsDocuments.ts';
import { detailsScheme } from '../platform/uriSchemes.ts';
import type { ItemNode } from '../servers/serverNodes.ts';

/** Read-only documents about servers and what they offer. */
export interface DetailsDocuments extends Disposable {
  /** Stays up to date while it is open. */
  showServer(label: string): Promise<void>;
  /** The item as it was listed when asked for. */
  showItem(node: ItemNode): Promise<void>;
  /** What the document in the active editor is about, whole. */
  active(): Promise<WholeValue | undefined>;
}

/** All but the scheme is loaded when a document is first shown. */
export function createLazyDetails(options: DetailsOptions): DetailsDocuments {
  const store = new DisposableStore();
  const changes = store.add(new EventEmitter<Uri>());
  const load = memoizeAsync(async () =>
    store.add((await import('./detailsDocuments.ts')).createDetailsDocuments(options, changes)),
  );
  store.add(
    workspace.registerTextDocumentContentProvider(detailsScheme, {
      onDidChange: changes.event,
      provideTextDocumentContent: async (uri) => (await load()).contentOf(uri),
    }),
  );
  return {
    showServer: async (label) => (await load()).showServer(label),
    showItem: async (node) => (await load()).showItem(node),
    async active() {
      if (window.activeTextEditor?.document.uri.scheme !== detailsScheme) return undefined;
      return (await load()).active();
    },
    dispose: () => store.dispose(),
  };
}
