import { EventEmitter, type TextDocument, Uri, window, workspace } from 'vscode';
import { Coalescer } from '../../base/coalescer.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { TrustService } from '../configuration/trust.ts';
import { type ApprovalSources, approvalTitle, readApprovals } from '../consent/approvals.ts';
import type { ChosenModelMemory } from '../consent/chosenModels.ts';
import type { ServerRegistry } from '../servers/serverRegistry.ts';
import type { WholeValue } from '../results/wholeDocuments.ts';
import { openOwnDocument, showOwnDocument } from '../platform/documents.ts';
import { ownFolder } from '../platform/ownLanguages.ts';
import { tabName } from '../platform/textDocuments.ts';
import { detailsScheme } from '../platform/uriSchemes.ts';
import type { Fact } from '../platform/displayText.ts';
import { type Remembered, rememberedBy } from '../servers/serverStatus.ts';
import { type ItemNode, itemKey } from '../servers/serverNodes.ts';
import { itemTitle } from './serverRows.ts';

const filesMayChange = {
  name: 'Trust',
  text: 'files of this folder may change without a question; Forget Trusted Servers… takes that back',
};

interface DetailsHost extends Omit<ApprovalSources, 'apps' | 'chosenModels'> {
  readonly registry: ServerRegistry;
  readonly chosenModels: () => Promise<ChosenModelMemory>;
  readonly trust: Pick<TrustService, 'filesMayChange'>;
}

const texts = () => import('./detailsText.ts');

export class DetailsDocuments implements Disposable {
  readonly #host: DetailsHost;
  readonly #apps: () => Promise<ApprovalSources['apps']>;
  readonly #store = new DisposableStore();
  readonly #changes = this.#store.add(new EventEmitter<Uri>());
  /** `remembered` is given where the server of the item was not running when it was asked for. */
  readonly #items = new Map<string, { readonly node: ItemNode; readonly remembered: Remembered | undefined }>();

  constructor(host: DetailsHost, apps: () => Promise<ApprovalSources['apps']>) {
    const { registry, clock, approvals } = host;
    this.#host = host;
    this.#apps = apps;
    const refresh = (labels: readonly string[]): void => {
      for (const label of labels) this.#changes.fire(serverUri(label));
    };
    const refreshes = this.#store.add(new Coalescer<string>(clock, 500, refresh));
    this.#store.add(registry.onDidChangeAny(({ label }) => refreshes.request(label)));
    this.#store.add(approvals.onDidChange((label) => refreshes.request(label)));
    // Those that are open show what is allowed without a question.
    const refreshAll = (): void => {
      for (const { uri } of workspace.textDocuments) if (uri.scheme === detailsScheme) refreshes.request(uri.query);
    };
    this.#store.add(host.sampling.onDidChange(refreshAll));
    const forget = ({ uri }: TextDocument): void => {
      if (uri.scheme === detailsScheme) this.#items.delete(uri.query);
    };
    this.#store.add(workspace.onDidCloseTextDocument(forget));
    const provideTextDocumentContent = (uri: Uri): Promise<string> => this.#contentOf(uri);
    const provider = { onDidChange: this.#changes.event, provideTextDocumentContent };
    this.#store.add(workspace.registerTextDocumentContentProvider(detailsScheme, provider));
  }

  /** Stays up to date while it is open. */
  showServer(label: string): Promise<void> {
    return show(serverUri(label));
  }

  /** The item as it was listed when asked for. @param keepsFocus where a click only previews it */
  async showItem(node: ItemNode, keepsFocus = false): Promise<void> {
    const query = JSON.stringify([node.server, node.kind, itemKey(node), node.occurrence]);
    this.#items.set(query, { node, remembered: rememberedBy(this.#host.registry.get(node.server)) });
    const uri = detailsUri(itemTitle(node), query);
    this.#changes.fire(uri);
    await show(uri, keepsFocus);
  }

  /** What the document in the active editor is about, whole. */
  async active(): Promise<WholeValue | undefined> {
    const uri = window.activeTextEditor?.document.uri;
    if (uri?.scheme !== detailsScheme) return undefined;
    const { wholeItem, wholeServer } = await texts();
    const item = this.#items.get(uri.query);
    if (item !== undefined) return { title: itemTitle(item.node), value: wholeItem(item.node, item.remembered) };
    const server = this.#host.registry.get(uri.query)?.server;
    return server && { title: uri.query, value: wholeServer(server) };
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #contentOf(uri: Uri): Promise<string> {
    const { registry, trust } = this.#host;
    const { itemDetails, serverDetails } = await texts();
    const item = this.#items.get(uri.query);
    if (item !== undefined) {
      const { node, remembered } = item;
      return itemDetails(node, remembered, registry.get(node.server)?.server.contents.tools);
    }
    const hostServer = registry.get(uri.query);
    if (hostServer === undefined) return 'This server is no longer configured.\n';
    const isFree = await trust.filesMayChange(hostServer.configured);
    const kept = await this.#allowed(uri.query);
    return serverDetails(hostServer, [...(isFree ? [filesMayChange] : []), ...kept]);
  }

  async #allowed(label: string): Promise<readonly Fact[]> {
    const [apps, chosenModels] = await Promise.all([this.#apps(), this.#host.chosenModels()]);
    const { approvals } = await readApprovals({ ...this.#host, apps, chosenModels });
    const standing = approvals.filter(({ server, revoke }) => server === label && revoke !== undefined);
    return standing.map((approval) => {
      return { name: approvalTitle(approval), text: `${approval.description}. The view Approvals ends that` };
    });
  }
}

async function show(uri: Uri, preserveFocus = false): Promise<void> {
  await showOwnDocument(await openOwnDocument(uri), { preview: true, preserveFocus });
}

function serverUri(label: string): Uri {
  return detailsUri(label, label);
}

function detailsUri(title: string, query: string): Uri {
  return Uri.from({ scheme: detailsScheme, path: `${ownFolder}/${tabName(title)}.md`, query });
}
