import { EventEmitter, Uri, workspace } from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { lazyPattern } from '../../base/memoize.ts';
import { openOwnDocument, showOwnDocument } from './documents.ts';
import { ownFolder } from './ownLanguages.ts';

interface TextDocumentsOptions {
  /** No other provider may have this scheme: VS Code asks the latest one first, and takes any text it gives. */
  readonly scheme: string;
  /** The text of a document whose own text is not kept, for instance after the window was loaded again. */
  readonly missingText: string;
  /** Keeps the texts of closed documents, so that a closed editor can be opened again. */
  readonly keepsClosed?: boolean;
}

/** Registers the scheme; until disposed, VS Code reads its documents from here. */
export function createTextDocuments({ scheme, missingText, keepsClosed = false }: TextDocumentsOptions) {
  const store = new DisposableStore();
  const didChange = store.add(new EventEmitter<Uri>());
  const texts = new Map<string, string>();
  store.add(
    workspace.registerTextDocumentContentProvider(scheme, {
      onDidChange: didChange.event,
      provideTextDocumentContent: ({ query }) => texts.get(query) ?? missingText,
    }),
  );
  if (!keepsClosed) {
    store.add(
      workspace.onDidCloseTextDocument(({ uri: { scheme: closed, query } }) => {
        if (closed === scheme) texts.delete(query);
      }),
    );
  }
  return {
    /**
     * Sets the text of a document. An open document shows it at once.
     * @param path names the tab; see {@link tabName}
     * @param query identifies the document
     */
    set(path: string, query: string, text: string): Uri {
      const uri = Uri.from({ scheme, path: `${ownFolder}/${path}`, query });
      texts.set(query, text);
      didChange.fire(uri);
      return uri;
    },
    /** Opens a document in an editor: with `preview`, in place of another preview. */
    async show(uri: Uri, { preview }: { readonly preview: boolean }): Promise<void> {
      const document = await openOwnDocument(uri);
      // VS Code ignores a change of a document that it is still opening, though it has read the text already.
      didChange.fire(uri);
      await showOwnDocument(document, { preview });
    },
    dispose: (): void => store.dispose(),
  };
}

export type TextDocuments = ReturnType<typeof createTextDocuments>;

const unsafe = lazyPattern('[^\\p{L}\\p{N} ._-]', 'gu');

/** A name for the tab of a document: characters that a path cannot hold are replaced, and at most 60 are kept. */
export function tabName(text: string): string {
  return text.replace(unsafe(), '_').slice(0, 60);
}
