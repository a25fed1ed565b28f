import { type QuickPickItem, QuickPickItemKind, window } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { CancelledError, PatchbayError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { formatCount } from '../../base/truncate.ts';
import type { ListOwner } from '../../client/contents.ts';
import { escapeIcons, singleLine } from '../platform/displayText.ts';
import type { HostServer, ServerRegistry } from '../servers/serverRegistry.ts';
import { contentKinds, statusOf } from '../servers/serverStatus.ts';
import { ensureListed } from './ensureRunning.ts';
import type { RecentItems } from './recentItems.ts';

export interface ContentPickerOptions<T> {
  readonly title: string;
  readonly placeholder: string;
  /** What is looked for. */
  readonly noun: ListOwner;
  readonly registry: Pick<ServerRegistry, 'servers' | 'get'>;
  readonly choicesOf: (host: HostServer) => readonly ContentChoice<T>[];
  readonly recent: RecentItems;
  readonly clock: Clock;
}

type Row = QuickPickItem & Partial<Pick<ContentRow<unknown>, 'action'>>;

/**
 * Lets somebody choose among what all servers offer, stopped ones as far as they are remembered. A server nothing is
 * known of can be started from the list, which then opens again.
 * @throws {CancelledError} when nothing is chosen
 * @throws {PatchbayError} `notFound` when there is nothing to choose
 */
export async function pickContent<T>(options: ContentPickerOptions<T>): Promise<ContentChoice<T>> {
  for (const { server } of options.registry.servers) server.refreshStale(options.noun);
  for (;;) {
    const rows = rowsOf(options);
    if (rows.length === 0) throw nothingToPick(options);
    const picked = await window.showQuickPick<Row>(rows, {
      title: options.title,
      placeHolder: options.placeholder,
      matchOnDescription: true,
      matchOnDetail: true,
    });
    const action = picked?.action as ContentRow<T>['action'] | undefined;
    if (action === undefined) throw new CancelledError();
    if (action.kind === 'choose') return action.choice;
    await ensureListed(action.host, options.noun, options.clock);
  }
}

function rowsOf<T>({ registry, choicesOf, recent, noun }: ContentPickerOptions<T>): Row[] {
  const choices = registry.servers.flatMap(choicesOf);
  const { recent: lately, others } = recent.sort(choices, (choice) => choice.key);
  const separator = (label: string): Row => ({ label, kind: QuickPickItemKind.Separator });
  return [
    ...(lately.length === 0 ? [] : [separator('recently used')]),
    ...lately.map(contentRow),
    ...(lately.length === 0 || others.length === 0 ? [] : [separator(`other ${noun}`)]),
    ...others.slice(0, limits.shown.rows).map(contentRow),
    ...moreRows(others.length - limits.shown.rows),
    ...startRows(registry.servers, noun),
  ];
}

function moreRows(left: number): Row[] {
  if (left <= 0) return [];
  return [
    { label: `$(filter) ${formatCount(left)} more`, description: 'filter the sidebar to see them', alwaysShow: true },
  ];
}

function nothingToPick({ registry, noun }: ContentPickerOptions<unknown>): PatchbayError {
  const isEmpty = registry.servers.length === 0;
  const reason = isEmpty ? 'No servers are configured yet. Add one first.' : `None of the servers offers ${noun}.`;
  return new PatchbayError('notFound', reason);
}

/** Something a server offers, ready to be listed. Texts are the server's own. */
export interface ContentChoice<T> {
  readonly host: HostServer;
  readonly item: T;
  /** The same over restarts, different for everything else: for remembering what was used. */
  readonly key: string;
  /** The name of one of VS Code's icons. */
  readonly icon: string;
  /** Title, where there is one. */
  readonly label: string;
  /** Name or URI. */
  readonly name: string;
  readonly about: string | undefined;
}

export interface ContentRow<T> {
  readonly label: string;
  readonly description: string;
  readonly detail?: string;
  readonly action:
    | { readonly kind: 'choose'; readonly choice: ContentChoice<T> }
    | { readonly kind: 'start'; readonly host: HostServer };
}

/** Identifies what was used in the list of recent items. */
export function contentKey(server: string, name: string): string {
  return JSON.stringify([server, name]);
}

export function contentRow<T>(choice: ContentChoice<T>): ContentRow<T> {
  const { host, icon, label, name, about } = choice;
  const isRunning = host.server.state.kind === 'running';
  const detail = [...(name === label ? [] : [name]), ...(about === undefined || about === '' ? [] : [about])].map(
    (text) => singleLine(text, 160),
  );
  return {
    label: `$(${icon}) ${escapeIcons(singleLine(label, 80))}`,
    description: `${escapeIcons(singleLine(host.label, 60))}${isRunning ? '' : ' (not running)'}`,
    ...(detail.length > 0 && { detail: escapeIcons(detail.join(' · ')) }),
    action: { kind: 'choose', choice },
  };
}

/** A row for each server that nothing is known of yet. */
export function startRows(servers: readonly HostServer[], noun: string): ContentRow<never>[] {
  return servers.filter(isUnknown).map((host) => ({
    label: `${isListing(host) ? '$(watch) Wait for' : '$(play) Start'} ${escapeIcons(singleLine(host.label, 60))}`,
    description: `to see its ${noun}`,
    action: { kind: 'start', host },
  }));
}

function isListing({ server }: HostServer): boolean {
  return contentKinds.some(({ kind }) => server.listState(kind).isLoading);
}

function isUnknown(host: HostServer): boolean {
  if (statusOf(host.server.state) === 'running' && !isListing(host)) return false;
  return Object.values(host.server.contents).every((list: readonly unknown[]) => list.length === 0);
}
