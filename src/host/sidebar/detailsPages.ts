import type { Uri, WebviewPanel } from 'vscode';
import { Coalescer } from '../../base/coalescer.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { isRecord, isString } from '../../base/json.ts';
import type { Logger } from '../../base/logger.ts';
import { CommandIds } from '../commandIds.ts';
import type { TrustService } from '../configuration/trust.ts';
import type { ApprovalSources } from '../consent/approvals.ts';
import type { ChosenModelMemory } from '../consent/chosenModels.ts';
import { type Fact, singleLine } from '../platform/displayText.ts';
import { runForPerson } from '../platform/personArguments.ts';
import type { FactsAction, FactsView } from '../../shared/factsMessages.ts';
import { createFactsPanels, type FactsDocument, type FactsPanels } from '../results/factsPanel.ts';
import type { WholeValue } from '../results/wholeDocuments.ts';
import type { HostServer, ServerRegistry } from '../servers/serverRegistry.ts';
import { contentKinds, type Remembered, rememberedBy, shownList } from '../servers/serverStatus.ts';
import { createItemNodes, type ItemNode, itemKey } from '../servers/serverNodes.ts';
import { itemDetails, serverDetails, wholeItem, wholeServer } from './detailsView.ts';
import { itemTitle } from './serverRows.ts';

const filesMayChange = {
  name: 'Trust',
  text: 'You are not asked again when files in this folder change. Forget Trusted Servers… reverts this.',
};
const showInstructions: FactsAction = { id: 'showInstructions', label: 'Show Instructions', icon: 'book' };
const openWhole: FactsAction = { id: 'openWhole', label: 'Open Full Content', icon: 'go-to-file' };
/** One tab for all details, as for what is only looked at. */
const key = 'details';

interface DetailsHost extends Omit<ApprovalSources, 'apps' | 'chosenModels'> {
  readonly registry: ServerRegistry;
  readonly chosenModels: () => Promise<ChosenModelMemory>;
  readonly trust: Pick<TrustService, 'filesMayChange'>;
  readonly logger: Logger;
}

/** `remembered` is given where the server of the item was not running when it was asked for. */
type Subject =
  | { readonly server: string; readonly node?: undefined }
  | { readonly server: string; readonly node: ItemNode; readonly remembered: Remembered | undefined };

/** Without what the server said: that may be long, and is read again. */
function keptOf({ server, node }: Subject): unknown {
  return node === undefined
    ? { server }
    : { server, item: { kind: node.kind, key: itemKey(node), occurrence: node.occurrence } };
}

/** @param item as {@link keptOf} has kept it */
function itemOf({ label, server }: HostServer, item: unknown): ItemNode | undefined {
  if (!isRecord(item)) return undefined;
  const all = contentKinds.flatMap(({ kind: contents }) =>
    createItemNodes({ kind: 'group', server: label, contents }, shownList(server, contents)),
  );
  return all.find(
    (node) => node.kind === item['kind'] && itemKey(node) === item['key'] && node.occurrence === item['occurrence'],
  );
}

/** *Show Details*: a page about a server, or about something that it offers. */
export class DetailsPages implements Disposable {
  readonly #host: DetailsHost;
  readonly #apps: () => Promise<ApprovalSources['apps']>;
  readonly #store = new DisposableStore();
  readonly #panels: FactsPanels;
  #shown: Subject | undefined;

  constructor(extensionUri: Uri, host: DetailsHost, apps: () => Promise<ApprovalSources['apps']>) {
    const { registry, clock, approvals, sampling, logger } = host;
    this.#host = host;
    this.#apps = apps;
    this.#panels = this.#store.add(createFactsPanels(extensionUri, logger, 'details', () => (this.#shown = undefined)));
    const refresh = (labels: readonly string[]): void => {
      const shown = this.#shown;
      // An item stays as it was listed when it was asked for.
      if (shown === undefined || shown.node !== undefined || !labels.includes(shown.server)) return;
      void this.#documentOf(shown).then((document) => this.#shown === shown && this.#panels.update(document));
    };
    const refreshes = this.#store.add(new Coalescer<string>(clock, 500, refresh));
    this.#store.add(registry.onDidChangeAny(({ label }) => refreshes.request(label)));
    this.#store.add(approvals.onDidChange((label) => refreshes.request(label)));
    // What is allowed without a question stands there too.
    this.#store.add(sampling.onDidChange(() => this.#shown && refreshes.request(this.#shown.server)));
  }

  /** Stays up to date while it is open. */
  showServer(label: string): Promise<void> {
    return this.#show({ server: label });
  }

  /** The item as it was listed when asked for. @param keepsFocus where a click only previews it */
  showItem(node: ItemNode, keepsFocus = false): Promise<void> {
    const { server } = node;
    return this.#show({ server, node, remembered: rememberedBy(this.#host.registry.get(server)) }, keepsFocus);
  }

  /** Shows in a tab of before a reload what it showed, as far as it is there; else closes the tab. @param state of its page */
  async restore(panel: WebviewPanel, state: unknown): Promise<void> {
    const subject = this.#shown === undefined ? this.#subjectOf(state) : undefined;
    if (subject === undefined) {
      panel.dispose();
      return;
    }
    this.#shown = subject;
    this.#panels.restore(panel, await this.#documentOf(subject));
  }

  /** What the tab in front is about, whole. */
  get active(): WholeValue | undefined {
    return this.#panels.active;
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #show(subject: Subject, keepsFocus = false): Promise<void> {
    this.#shown = subject;
    const document = await this.#documentOf(subject);
    if (this.#shown === subject) this.#panels.show(document, keepsFocus);
  }

  #subjectOf(state: unknown): Subject | undefined {
    if (!isRecord(state) || !isString(state['server'])) return undefined;
    const hostServer = this.#host.registry.get(state['server']);
    if (hostServer === undefined) return undefined;
    const server = hostServer.label;
    if (state['item'] === undefined) return { server };
    const node = itemOf(hostServer, state['item']);
    return node && { server, node, remembered: rememberedBy(hostServer) };
  }

  async #documentOf(subject: Subject): Promise<FactsDocument> {
    const { server } = subject;
    const view = await this.#viewOf(subject);
    const run = (id: string): Promise<void> =>
      id === showInstructions.id
        ? runForPerson(CommandIds.showInstructions, server)
        : runForPerson(CommandIds.openWhole, this.#wholeOf(subject));
    const session = subject.node === undefined ? this.#host.registry.get(server)?.server.session : undefined;
    const actions = session?.instructions === undefined ? [openWhole] : [showInstructions, openWhole];
    const title = singleLine(subject.node === undefined ? server : itemTitle(subject.node), 60);
    return {
      key,
      tabTitle: `Details of ${title}`,
      server,
      kept: keptOf(subject),
      view: { ...view, actions },
      run,
      whole: () => this.#wholeOf(subject),
    };
  }

  #wholeOf(subject: Subject): WholeValue {
    const { server, node } = subject;
    if (node !== undefined) return { title: itemTitle(node), value: wholeItem(node, subject.remembered) };
    const found = this.#host.registry.get(server)?.server;
    return { title: server, value: found === undefined ? {} : wholeServer(found) };
  }

  async #viewOf(subject: Subject): Promise<FactsView> {
    const { registry, trust } = this.#host;
    const hostServer = registry.get(subject.server);
    if (subject.node !== undefined)
      return itemDetails(subject.node, subject.remembered, hostServer?.server.contents.tools);
    const title = singleLine(subject.server, 1_000);
    const gone = { kind: 'info', text: 'This server is no longer configured.', actions: [] } as const;
    if (hostServer === undefined) return { title, summary: gone, actions: [], sections: [] };
    const isFree = await trust.filesMayChange(hostServer.configured);
    return serverDetails(hostServer, [...(isFree ? [filesMayChange] : []), ...(await this.#allowed(subject.server))]);
  }

  async #allowed(label: string): Promise<readonly Fact[]> {
    const [apps, chosenModels] = await Promise.all([this.#apps(), this.#host.chosenModels()]);
    const { approvalTitle, readApprovals } = await import('../consent/approvals.ts');
    const { approvals } = await readApprovals({ ...this.#host, apps, chosenModels });
    const standing = approvals.filter(({ server, revoke }) => server === label && revoke !== undefined);
    return standing.map((approval) => {
      return { name: approvalTitle(approval), text: `${approval.description}. Revoke it in the Approvals view.` };
    });
  }
}
