import { escapeIcons, singleLine } from '../displayText.ts';
import type { HostServer } from '../serverRegistry.ts';
import { contentKinds, statusOf } from '../serverStatus.ts';

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
