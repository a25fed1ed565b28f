import { EventEmitter, type TextDocumentContentProvider, Uri, window, workspace } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { WholeValue } from '../results/wholeDocuments.ts';
import type { TrustService } from '../configuration/trust.ts';
import type { ServerRegistry } from '../serverRegistry.ts';
import type { Remembered } from './itemFacts.ts';
import { createRefreshScheduler } from './refreshScheduler.ts';
import { type ItemNode, itemKey } from './serverNodes.ts';
import { itemTitle } from './serverRows.ts';

const filesMayChange = {
  name: 'Trust',
  text: 'files of this folder may change without a question; Forget Trusted Servers… takes that back',
};

const scheme = 'patchbay-details';

/** Read-only documents about servers and what they offer. */
export interface DetailsDocuments extends Disposable {
  /** Stays up to date while it is open. */
  showServer(label: string): Promise<void>;
  /** The item as it was listed when asked for. */
  showItem(node: ItemNode): Promise<void>;
  /** What the document in the active editor is about, whole. */
  active(): Promise<WholeValue | undefined>;
}

interface ShownItem {
  readonly node: ItemNode;
  /** Given where its server was not running when it was asked for. */
  readonly remembered: Remembered | undefined;
}

export function createDetailsDocuments(
  registry: ServerRegistry,
  clock: Clock,
  trust: Pick<TrustService, 'filesMayChange'>,
): DetailsDocuments {
  const store = new DisposableStore();
  const changes = store.add(new EventEmitter<Uri>());
  const items = new Map<string, ShownItem>();
  const scheduler = store.add(
    createRefreshScheduler<string>(
      clock,
      () => 500,
      (label) => changes.fire(serverUri(label)),
    ),
  );
  store.add(registry.onDidChangeAny(({ label }) => scheduler.request(label)));
  store.add(
    workspace.onDidCloseTextDocument(({ uri }) => {
      if (uri.scheme === scheme) items.delete(uri.query);
    }),
  );

  const provider: TextDocumentContentProvider = {
    onDidChange: changes.event,
    async provideTextDocumentContent(uri) {
      const { itemDetails, serverDetails } = await import('./detailsText.ts');
      const item = items.get(uri.query);
      if (item !== undefined) return itemDetails(item.node, item.remembered);
      const hostServer = registry.get(uri.query);
      if (hostServer === undefined) return 'This server is no longer configured.\n';
      const isFree = await trust.filesMayChange(hostServer.configured);
      return serverDetails(hostServer, isFree ? [filesMayChange] : []);
    },
  };
  store.add(workspace.registerTextDocumentContentProvider(scheme, provider));

  return {
    showServer: (label) => show(serverUri(label)),
    async showItem(node) {
      const query = JSON.stringify([node.server, node.kind, itemKey(node)]);
      const { rememberedBy } = await import('./itemFacts.ts');
      items.set(query, { node, remembered: rememberedBy(registry.get(node.server)) });
      const uri = detailsUri(itemTitle(node), query);
      changes.fire(uri);
      await show(uri);
    },
    async active() {
      const uri = window.activeTextEditor?.document.uri;
      if (uri?.scheme !== scheme) return undefined;
      const { wholeItem, wholeServer } = await import('./detailsText.ts');
      const item = items.get(uri.query);
      if (item !== undefined) return { title: itemTitle(item.node), value: wholeItem(item.node, item.remembered) };
      const server = registry.get(uri.query)?.server;
      return server && { title: uri.query, value: wholeServer(server) };
    },
    dispose: () => store.dispose(),
  };
}

function serverUri(label: string): Uri {
  return detailsUri(label, label);
}

/** @param title for the tab: whatever a path cannot hold is replaced */
function detailsUri(title: string, query: string): Uri {
  const name = title.replace(/[^\p{L}\p{N} ._-]/gu, '_').slice(0, 60);
  return Uri.from({ scheme, path: `/${name}.md`, query });
}

async function show(uri: Uri): Promise<void> {
  const document = await workspace.openTextDocument(uri);
  await window.showTextDocument(document, { preview: true });
}
