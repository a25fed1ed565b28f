import { type QuickPickItem, QuickPickItemKind, window } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { CancelledError, PatchbayError } from '../../base/errors.ts';
import { isStringArray } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import type { Logger } from '../../base/logger.ts';
import { formatCount } from '../../base/truncate.ts';
import type { Contents, ListOwner } from '../../client/contents.ts';
import { toolDisplayName } from '../../protocol/mcp/displayName.ts';
import type { Tool } from '../../protocol/mcp/tools.ts';
import { escapeIcons, singleLine } from '../platform/displayText.ts';
import type { Storage } from '../platform/storage.ts';
import type { HostServer, ServerRegistry } from '../servers/serverRegistry.ts';
import { statusOf } from '../servers/serverStatus.ts';
import { type ContentTarget, ensureListed } from './contentTarget.ts';
import { Coalescer } from '../../base/coalescer.ts';
import { DisposableStore } from '../../base/disposable.ts';
import type { Event } from '../../base/event.ts';

/** What the commands about tools, prompts, resources and skills all need. */
export interface FeatureContext {
  readonly registry: ServerRegistry;
  readonly storage: Storage;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** What a picker of items shows, and where it remembers the items used. */
export interface ContentPickerOptions<T> extends Omit<FeatureContext, 'logger'> {
  readonly placeholder: string;
  readonly noun: ListOwner;
  readonly storageKey: string;
  readonly itemsOf: (contents: Contents) => readonly ContentItem<T>[];
  /** An item that is the only one is taken without a list. */
  readonly takesOnly?: boolean;
  /** A choice does something at once: the Enter with which the list was opened, held a little longer, is none. */
  readonly actsAtOnce?: boolean;
}

/** An item of a server's lists, ready to be shown. Texts are the server's own. */
export interface ContentItem<T> {
  readonly item: T;
  readonly icon: string;
  readonly label: string;
  readonly name: string;
  readonly about: string | undefined;
}

/** An item and its server, in two objects: one of both for each row of a long list would cost more than it is worth. */
interface Choice<T> {
  readonly content: ContentItem<T>;
  readonly host: HostServer;
}

/** @param start a server that the row starts, or waits for */
type Row<T> = QuickPickItem & { readonly choice?: Choice<T>; readonly start?: HostServer };

/** Lets a person choose an item of any server; the items used last come first. Nothing is read or shown until it is used. */
export function createContentPicker<T>(options: ContentPickerOptions<T>) {
  const { registry, noun, clock } = options;
  const recent = createRecentItems(options.storage, options.storageKey);

  function rowsOf(): Row<T>[] {
    // What can be used at once comes first.
    const hosts = registry.servers.toSorted((a, b) => Number(isRunning(b)) - Number(isRunning(a)));
    const choices = hosts.flatMap((host) =>
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
    /**
     * Shows the items of all servers, of stopped ones as far as they are remembered; what a server lists meanwhile is added. A
     * server of which no item is known can be started from the list, which then opens again.
     * @throws {CancelledError} when nothing is chosen
     * @throws {PatchbayError} `notFound` when there is nothing to choose
     */
    async pick(title: string): Promise<ContentItem<T> & { readonly host: HostServer }> {
      // In a later turn, as the rows come first: to read a long list again takes longer than to show it.
      setImmediate(() => {
        for (const { server } of registry.servers) server.refreshStale(noun);
      });
      for (;;) {
        const [only, ...others] = rowsOf();
        if (only === undefined) {
          if (registry.servers.length > 0) throw new PatchbayError('notFound', `None of the servers offers ${noun}.`);
          throw new PatchbayError('notFound', 'No servers are configured yet. Add one first.');
        }
        const isBusy = (): boolean => registry.servers.some((host) => isListing(host, noun));
        if (options.takesOnly === true && only.choice !== undefined && others.length === 0 && !isBusy())
          return { ...only.choice.content, host: only.choice.host };
        const { placeholder, actsAtOnce } = options;
        const shown = { title, placeholder, actsAtOnce, rowsOf, isBusy };
        const picked = await pickLive(shown, [registry.onDidChangeAny, registry.onDidChangeServers], clock);
        if (picked?.choice !== undefined) return { ...picked.choice.content, host: picked.choice.host };
        if (picked?.start === undefined) throw new CancelledError();
        await ensureListed(picked.start, noun, clock);
      }
    },
    /** Puts an item to the top of the list from now on. */
    markUsed({ server, name }: ContentTarget): void {
      const host = registry.get(server);
      if (host !== undefined) recent.touch(recentKey(host.server.identity, name));
    },
  };
}

/**
 * Lets a person choose a tool of any server.
 * @param shown what the list says, and where it remembers the tools that were used
 */
export function createToolPicker(
  context: FeatureContext,
  shown: Pick<ContentPickerOptions<Tool>, 'placeholder' | 'storageKey' | 'actsAtOnce'> & {
    readonly icon: 'tools' | 'window';
  },
  isOffered: (tool: Tool) => boolean = () => true,
) {
  const itemOf = (item: Tool): ContentItem<Tool> => {
    return { item, icon: shown.icon, label: toolDisplayName(item), name: item.name, about: item.description };
  };
  const itemsOf = ({ tools }: Contents) => tools.filter(isOffered).map(itemOf);
  return createContentPicker({ ...context, ...shown, noun: 'tools', itemsOf });
}

function isRunning({ server }: HostServer): boolean {
  return server.state.kind === 'running';
}

/** @param identity of the server: see `Server.identity` */
function recentKey(identity: string, name: string): string {
  return JSON.stringify([identity, name]);
}

function moreRows(left: number): Row<never>[] {
  if (left <= 0) return [];
  const label = `$(filter) ${formatCount(left)} more`;
  return [{ label, description: 'filter the sidebar to see them', alwaysShow: true }];
}

/** The row of an item. Texts of the server are cut, and cannot draw icons. */
export function contentRow<T>(choice: Choice<T>): Row<T> {
  const { host, content } = choice;
  const { icon, label: title, name, about = '' } = content;
  const label = `$(${icon}) ${escapeIcons(singleLine(title, 80))}`;
  const description = `${escapeIcons(singleLine(host.label, 60))}${isRunning(host) ? '' : ' (not running)'}`;
  const named = name === title ? '' : singleLine(name, 160);
  const described = singleLine(about, 160);
  const detail = named === '' || described === '' ? named + described : `${named} · ${described}`;
  if (detail === '') return { label, description, choice };
  return { label, description, detail: escapeIcons(detail), choice };
}

/** A row for each server of which no item is known yet: choosing it starts the server, or waits for its list. */
export function startRows(servers: readonly HostServer[], noun: ListOwner): Row<never>[] {
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

const maximumRecent = 50;

export function createRecentItems(storage: Storage, storageKey: string) {
  function load(): readonly string[] {
    const stored = storage.get(storageKey);
    return isStringArray(stored) ? stored : [];
  }
  return {
    touch(key: string): void {
      // A server chooses its names, and the window keeps them.
      if (key.length > limits.remembered.key) return;
      const keys = [key, ...load().filter((other) => other !== key)].slice(0, maximumRecent);
      void storage.update(storageKey, keys);
    },
    /** Recently used items first, most recent of all at the front; the others follow in the order they came. */
    sort<T>(items: readonly T[], keyOf: (item: T) => string): { recent: readonly T[]; others: readonly T[] } {
      const ranks = new Map(load().map((key, rank) => [key, rank]));
      if (ranks.size === 0) return { recent: [], others: items };
      const recent: { readonly item: T; readonly rank: number }[] = [];
      const others = items.filter((item) => {
        const rank = ranks.get(keyOf(item));
        if (rank !== undefined) recent.push({ item, rank });
        return rank === undefined;
      });
      return { recent: recent.toSorted((a, b) => a.rank - b.rank).map(({ item }) => item), others };
    },
  };
}

/** Milliseconds between two changes of the rows: a server can change its lists as often as it likes. */
const intervalMs = 250;

/** After the active row has gone, nothing else can be chosen for so many milliseconds: the key was meant for that row. */
export const guardMs = 700;

/**
 * Lets a person choose a row. What they have typed stays when the rows change, and so does the active row.
 * @param changes events after which the rows may be others
 * @returns `undefined` when it is closed
 */
export function pickLive<Shown extends QuickPickItem>(
  shown: {
    title: string;
    placeholder: string;
    actsAtOnce?: boolean | undefined;
    rowsOf: () => readonly Shown[];
    isBusy: () => boolean;
  },
  changes: readonly Event<unknown>[],
  clock: Clock,
): Promise<Shown | undefined> {
  const { title, placeholder, rowsOf, isBusy } = shown;
  const store = new DisposableStore();
  const pick = store.add(window.createQuickPick<Shown>());
  Object.assign(pick, { title, placeholder });
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.keepScrollPosition = true;
  pick.items = rowsOf();
  pick.busy = isBusy();
  let guardedUntil = 0;
  /** The row that the keyboard was on as others moved, and until when a click on another one may be meant for what was there. */
  let moved: { readonly active: Shown | undefined; readonly until: number } = { active: undefined, until: 0 };
  let openedUntil = shown.actsAtOnce === true ? clock.now() + guardMs : 0;

  /** Enter without a look at the list: nothing was typed, and the row is the first. A key that is held comes again and again. */
  function isOfOpening(chosen: Shown): boolean {
    const isFirst = chosen === pick.items.find(({ kind }) => kind !== QuickPickItemKind.Separator);
    if (clock.now() >= openedUntil || pick.value !== '' || !isFirst) return false;
    openedUntil = clock.now() + guardMs;
    return true;
  }

  function isOfMoved(chosen: Shown): boolean {
    return shown.actsAtOnce === true && clock.now() < moved.until && !looksLike(chosen, moved.active);
  }

  function update(): void {
    pick.busy = isBusy();
    const rows = rowsOf();
    if (rows.length === pick.items.length && rows.every((row, index) => looksLike(row, pick.items[index]))) return;
    const active = pick.activeItems[0];
    const kept = rows.find((row) => looksLike(row, active));
    const isMoved = pick.items.some((row, index) => !looksLike(row, rows[index]));
    if (isMoved) moved = { active, until: clock.now() + guardMs };
    pick.items = rows;
    if (kept === undefined) guardedUntil = clock.now() + guardMs;
    else pick.activeItems = [kept];
  }

  const updates = store.add(new Coalescer(clock, intervalMs, update));
  for (const event of changes) store.add(event(() => updates.request()));
  return new Promise<Shown | undefined>((resolve) => {
    store.add(
      pick.onDidAccept(() => {
        const [chosen] = pick.selectedItems;
        if (chosen === undefined) return;
        if (clock.now() >= guardedUntil && !isOfOpening(chosen) && !isOfMoved(chosen)) resolve(chosen);
        // VS Code reports no click on a row that is selected.
        else pick.selectedItems = [];
      }),
    );
    // Who types looks at what is left of the list.
    store.add(pick.onDidChangeValue(() => (moved = { active: undefined, until: 0 })));
    store.add(pick.onDidHide(() => resolve(undefined)));
    pick.show();
  }).finally(() => store.dispose());
}

function looksLike(row: QuickPickItem, other: QuickPickItem | undefined): boolean {
  return (
    other !== undefined &&
    row.label === other.label &&
    row.description === other.description &&
    row.detail === other.detail &&
    row.kind === other.kind
  );
}
