import { type EventEmitter, Uri, window, workspace } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { Coalescer } from '../../base/coalescer.ts';
import { DisposableStore } from '../../base/disposable.ts';
import type { TrustService } from '../configuration/trust.ts';
import type { LazyApprovals } from '../consent/consentServices.ts';
import { type ApprovalSources, listStandingDecisions } from '../consent/manageApprovals.ts';
import type { ServerRegistry } from '../servers/serverRegistry.ts';
import { openOwnDocument, showOwnDocument } from '../platform/documents.ts';
import { ownFolder } from '../platform/ownLanguages.ts';
import { detailsScheme } from '../platform/uriSchemes.ts';
import { itemDetails, serverDetails, wholeItem, wholeServer } from './detailsText.ts';
import type { Fact } from '../platform/displayText.ts';
import { type Remembered, rememberedBy } from './itemFacts.ts';
import type { DetailsDocuments } from './lazyDetails.ts';
import { type ItemNode, itemKey } from '../servers/serverNodes.ts';
import { itemTitle } from './serverRows.ts';

const filesMayChange = {
  name: 'Trust',
  text: 'files of this folder may change without a question; Forget Trusted Servers… takes that back',
};

/** What the documents are made of, loaded when one is first shown. */
export interface LoadedDetails extends DetailsDocuments {
  /** The text of a document. */
  contentOf(uri: Uri): Promise<string>;
}

/** What the documents show besides the server's own data: trust, and what stays approved. */
export interface DetailsOptions extends Pick<ApprovalSources, 'sampling' | 'mutes' | 'appAnswers'> {
  readonly registry: ServerRegistry;
  readonly clock: Clock;
  readonly trust: Pick<TrustService, 'filesMayChange'>;
  readonly approvals: Pick<LazyApprovals, 'loaded' | 'onDidChange'>;
}

interface ShownItem {
  readonly node: ItemNode;
  /** Given where its server was not running when it was asked for. */
  readonly remembered: Remembered | undefined;
}

/** @param changes fires for each document whose text changed */
export function createDetailsDocuments(
  options: DetailsOptions,
  changes: Pick<EventEmitter<Uri>, 'fire'>,
): LoadedDetails {
  const { registry, clock, trust, approvals } = options;
  const store = new DisposableStore();
  const items = new Map<string, ShownItem>();
  const refreshes = store.add(
    new Coalescer<string>(
      clock,
      () => 500,
      (labels) => labels.forEach((label) => changes.fire(serverUri(label))),
    ),
  );
  store.add(registry.onDidChangeAny(({ label }) => refreshes.request(label)));
  store.add(approvals.onDidChange((label) => refreshes.request(label)));
  store.add(
    workspace.onDidCloseTextDocument(({ uri }) => {
      if (uri.scheme === detailsScheme) items.delete(uri.query);
    }),
  );

  return {
    async contentOf(uri) {
      const item = items.get(uri.query);
      if (item !== undefined) {
        const { node, remembered } = item;
        return itemDetails(node, remembered, registry.get(node.server)?.server.contents.tools);
      }
      const hostServer = registry.get(uri.query);
      if (hostServer === undefined) return 'This server is no longer configured.\n';
      const isFree = await trust.filesMayChange(hostServer.configured);
      return serverDetails(hostServer, [...(isFree ? [filesMayChange] : []), ...(await allowed(uri.query, options))]);
    },
    showServer: (label) => show(serverUri(label)),
    async showItem(node) {
      const query = JSON.stringify([node.server, node.kind, itemKey(node), node.occurrence]);
      items.set(query, { node, remembered: rememberedBy(registry.get(node.server)) });
      const uri = detailsUri(itemTitle(node), query);
      changes.fire(uri);
      await show(uri);
    },
    async active() {
      const uri = window.activeTextEditor?.document.uri;
      if (uri?.scheme !== detailsScheme) return undefined;
      const item = items.get(uri.query);
      if (item !== undefined) return { title: itemTitle(item.node), value: wholeItem(item.node, item.remembered) };
      const server = registry.get(uri.query)?.server;
      return server && { title: uri.query, value: wholeServer(server) };
    },
    dispose: () => store.dispose(),
  };
}

async function show(uri: Uri): Promise<void> {
  await showOwnDocument(await openOwnDocument(uri), { preview: true });
}

/** What the server may do without a question. */
async function allowed(label: string, sources: ApprovalSources): Promise<readonly Fact[]> {
  const answers = (await listStandingDecisions(sources)).filter(({ server }) => server === label);
  return answers.map(({ title, detail }) => ({ name: title, text: `${detail}. the view Approvals ends that` }));
}

function serverUri(label: string): Uri {
  return detailsUri(label, label);
}

/** @param title for the tab: characters that a path cannot hold are replaced */
function detailsUri(title: string, query: string): Uri {
  const name = title.replace(/[^\p{L}\p{N} ._-]/gu, '_').slice(0, 60);
  return Uri.from({ scheme: detailsScheme, path: `${ownFolder}/${name}.md`, query });
}
