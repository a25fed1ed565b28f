import { type QuickPickItem, QuickPickItemKind } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { CancelledError, PatchbayError } from '../../base/errors.ts';
import { isStringArray } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import type { Logger } from '../../base/logger.ts';
import { formatCount } from '../../base/truncate.ts';
import type { Contents, ListOwner } from '../../client/contents.ts';
import { escapeIcons, singleLine } from '../platform/displayText.ts';
import type { Storage } from '../platform/storage.ts';
import type { HostServer, ServerRegistry } from '../servers/serverRegistry.ts';
import { statusOf } from '../servers/serverStatus.ts';
import { type ContentTarget, ensureListed } from './contentTarget.ts';
import { pickLive } from './livePick.ts';

/** What the commands about tools, prompts, resources and skills all need. */
export interface FeatureContext {
  readonly registry: ServerRegistry;
  /** Remembers which items were used. */
  readonly storage: Storage;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** What a picker of items shows, and where it remembers the items used. */
export interface ContentPickerOptions<T> extends Omit<FeatureContext, 'logger'> {
  readonly placeholder: string;
  /** The list to choose from. */
  readonly noun: ListOwner;
  /** The key in the storage under which the used items are remembered. */
  readonly storageKey: string;
  readonly itemsOf: (contents: Contents) => readonly ContentItem<T>[];
}

/** Lets a person choose an item of any server; the items used last come first. */
export interface ContentPicker<T> {
  /**
   * Shows the items of all servers, of stopped ones as far as they are remembered; what a server lists meanwhile is added. A
   * server of which no item is known can be started from the list, which then opens again.
   * @throws {CancelledError} when nothing is chosen
   * @throws {PatchbayError} `notFound` when there is nothing to choose
   */
  pick(title: string): Promise<ContentChoice<T>>;
  /** Puts an item to the top of the list from now on. */
  markUsed(target: ContentTarget): void;
}

type Row<T> = QuickPickItem & Partial<Pick<ContentRow<T>, 'choice'> & Pick<StartRow, 'start'>>;

/** Creates the picker of one feature. Nothing is read or shown until it is used. */
export function createContentPicker<T>(options: ContentPickerOptions<T>): ContentPicker<T> {
  const { registry, noun, clock } = options;
  const recent = createRecentItems(options.storage, options.storageKey);

  function rowsOf(): Row<T>[] {
    const choices = registry.servers.flatMap((host) =>
      options.itemsOf(host.server.contents).map((content) => ({ content, host })),
    );
    // Asked once for each server, and not for each row of a long list.
    const identities = new Map(registry.servers.map((host) => [host, host.server.identity]));
    const { recent: lately, others } = recent.sort(choices, ({ host, content }) =>
      recentKey(identities.get(host) ?? '', content.name),
    );
    const separator = (label: string): Row<T> => ({ label, kind: QuickPickItemKind.Separator });
    return [
      ...(lately.length === 0 ? [] : [separator('recently used')]),
      ...lately.map(contentRow),
      ...(lately.length === 0 || others.length === 0 ? [] : [separator(`other ${noun}`)]),
      ...others.slice(0, limits.shown.rows).map(contentRow),
      ...moreRows(others.length - limits.shown.rows),
      ...startRows(registry.servers, noun),
    ];
  }

  return {
    async pick(title) {
      // In a later turn, as the rows come first: to read a long list again takes longer than to show it.
      setImmediate(() => {
        for (const { server } of registry.servers) server.refreshStale(noun);
      });
      for (;;) {
        const rows = rowsOf();
        if (rows.length === 0) throw nothingToPick(options);
        const picked = await pickLive({
          title,
          placeholder: options.placeholder,
          rows,
          rowsOf,
          isBusy: () => registry.servers.some((host) => isListing(host, noun)),
          onDidChange: [registry.onDidChangeAny, registry.onDidChangeServers],
          clock,
        });
        if (picked?.choice !== undefined) return { ...picked.choice.content, host: picked.choice.host };
        if (picked?.start === undefined) throw new CancelledError();
        await ensureListed(picked.start, noun, clock);
      }
    },
    markUsed({ server, name }) {
      const host = registry.get(server);
      if (host !== undefined) recent.touch(recentKey(host.server.identity, name));
    },
  };
}

/** @param identity of the server: see `Server.identity` */
function recentKey(identity: string, name: string): string {
  return JSON.stringify([identity, name]);
}

function moreRows(left: number): Row<never>[] {
  if (left <= 0) return [];
  return [
    { label: `$(filter) ${formatCount(left)} more`, description: 'filter the sidebar to see them', alwaysShow: true },
  ];
}

function nothingToPick({ registry, noun }: Pick<ContentPickerOptions<unknown>, 'registry' | 'noun'>): PatchbayError {
  const isEmpty = registry.servers.length === 0;
  const reason = isEmpty ? 'No servers are configured yet. Add one first.' : `None of the servers offers ${noun}.`;
  return new PatchbayError('notFound', reason);
}

/** An item of a server's lists, ready to be shown. Texts are the server's own. */
export interface ContentItem<T> {
  readonly item: T;
  /** The name of one of VS Code's icons. */
  readonly icon: string;
  /** Title, where there is one. */
  readonly label: string;
  /** Name or URI. */
  readonly name: string;
  readonly about: string | undefined;
}

/** An item with the server that lists it. */
export interface ContentChoice<T> extends ContentItem<T> {
  readonly host: HostServer;
}

/** The row of an item in the quick pick. */
export interface ContentRow<T> {
  readonly label: string;
  readonly description: string;
  readonly detail?: string;
  readonly choice: Choice<T>;
}

/** An item and its server, in two objects: one of both for each row of a long list would cost more than it is worth. */
interface Choice<T> {
  readonly content: ContentItem<T>;
  readonly host: HostServer;
}

/** The row of an item. Texts of the server are cut, and cannot draw icons. */
export function contentRow<T>(choice: Choice<T>): ContentRow<T> {
  const { host } = choice;
  const { icon, label: title, name, about = '' } = choice.content;
  const label = `$(${icon}) ${escapeIcons(singleLine(title, 80))}`;
  const isRunning = host.server.state.kind === 'running';
  const description = `${escapeIcons(singleLine(host.label, 60))}${isRunning ? '' : ' (not running)'}`;
  const named = name === title ? '' : singleLine(name, 160);
  const described = singleLine(about, 160);
  const detail = named === '' || described === '' ? named + described : `${named} · ${described}`;
  if (detail === '') return { label, description, choice };
  return { label, description, detail: escapeIcons(detail), choice };
}

/** A row that starts a server, or waits for it. */
interface StartRow {
  readonly label: string;
  readonly description: string;
  readonly alwaysShow?: boolean;
  readonly start: HostServer;
}

/** A row for each server of which no item is known yet: choosing it starts the server, or waits for its list. */
export function startRows(servers: readonly HostServer[], noun: ListOwner): StartRow[] {
  return servers.flatMap((host) => {
    const name = escapeIcons(singleLine(host.label, 60));
    const row = { description: `to see its ${noun}`, start: host };
    // What a person has typed may be the name of an item that is not there yet.
    if (isListing(host, noun)) return { ...row, label: `$(watch) Wait for ${name}`, alwaysShow: true };
    return isUnknown(host) ? { ...row, label: `$(play) Start ${name}` } : [];
  });
}

function isListing({ server }: HostServer, noun: ListOwner): boolean {
  if (noun === 'resources' && server.listState('resourceTemplates').isLoading) return true;
  return server.listState(noun).isLoading;
}

function isUnknown({ server }: HostServer): boolean {
  if (statusOf(server.state) === 'running') return false;
  return Object.values(server.contents).every((list: readonly unknown[]) => list.length === 0);
}

/** Keys of what was used, most recent first. */
export interface RecentItems {
  /** Moves `key` to the front. */
  touch(key: string): void;
  /** Recently used items first, most recent of all at the front; the others follow in the order they came. */
  sort<T>(
    items: readonly T[],
    keyOf: (item: T) => string,
  ): { readonly recent: readonly T[]; readonly others: readonly T[] };
}

/** @param limit how many keys are remembered */
export function createRecentItems(storage: Storage, storageKey: string, limit = 50): RecentItems {
  const load = (): readonly string[] => {
    const stored = storage.get(storageKey);
    return isStringArray(stored) ? stored : [];
  };
  return {
    touch(key) {
      // A server chooses its names, and the window keeps them.
      if (key.length > limits.remembered.key) return;
      const keys = [key, ...load().filter((other) => other !== key)].slice(0, limit);
      void storage.update(storageKey, keys);
    },
    sort(items, keyOf) {
      const ranks = new Map(load().map((key, rank) => [key, rank]));
      if (ranks.size === 0) return { recent: [], others: items };
      const recent: { readonly item: (typeof items)[number]; readonly rank: number }[] = [];
      const others = items.filter((item) => {
        const rank = ranks.get(keyOf(item));
        if (rank !== undefined) recent.push({ item, rank });
        return rank === undefined;
      });
      return { recent: recent.toSorted((a, b) => a.rank - b.rank).map(({ item }) => item), others };
    },
  };
}
