import { type QuickPickItem, QuickPickItemKind, window } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { CancelledError, PatchbayError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { formatCount } from '../../base/shown.ts';
import type { ListOwner } from '../../client/server.ts';
import type { HostServer, ServerRegistry } from '../serverRegistry.ts';
import { type ContentChoice, contentRow, type ContentRow, startRows } from './contentRows.ts';
import type { RecentItems } from './recentItems.ts';
import { startServer } from './startServer.ts';

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
    await startServer(action.host, options.noun, options.clock);
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
