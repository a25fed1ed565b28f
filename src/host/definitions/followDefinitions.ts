import type { Memento } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { Coalescer } from '../../base/coalescer.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import { type ContentKind, type Contents, definedKinds, definitionKey } from '../../client/contents.ts';
import type { ChangedDefinition } from '../../client/definitions/ports.ts';
import { createSeenContents } from './seenContents.ts';
import type { HostServer, ServerRegistry } from '../servers/serverRegistry.ts';
import { contentKinds } from '../servers/serverStatus.ts';
import { type ItemMarks, type ListMarks, noMarks, type ServerMarks } from './itemMarks.ts';
import type { Definitions } from './definitions.ts';

export interface FollowDefinitionsOptions {
  readonly registry: ServerRegistry;
  readonly definitions: Pick<Definitions, 'changesIn' | 'onDidChange'>;
  /** Stores what the person has seen. */
  readonly storage: Memento;
  readonly random: () => number;
  readonly marks: ItemMarks;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Marks the changed and new items in the lists of running servers, at most five times a second. */
export interface DefinitionFollower extends Disposable {
  /** The person sees a list. */
  markViewed(server: string, kind: ContentKind): void;
  /** No listed item is new any more. @param server all servers if absent */
  markAllSeen(server?: string): void;
}

export function followDefinitions(options: FollowDefinitionsOptions): DefinitionFollower {
  const { registry, definitions, storage, marks, clock, logger, random } = options;
  const store = new DisposableStore();
  const seen = store.add(createSeenContents(storage, clock, random));
  const looked = new WeakSet<readonly unknown[]>();
  let fresh = new WeakMap<readonly unknown[], ReadonlySet<string>>();

  async function refresh(label: string): Promise<void> {
    const host = registry.get(label);
    if (host === undefined || host.server.isRemembered) return updateMarks(label, new Map());
    const { contents, identity } = host.server;
    const changes = await definitions.changesIn({ server: label, identity }, contents);
    const found = marksOf(changes, (kind) => newIn(host, contents, kind));
    // If the server was listed again in the meantime, this runs again soon.
    updateMarks(label, found);
  }

  /** Checks each list once, however many changes are announced. */
  function newIn({ server }: HostServer, contents: Contents, kind: ContentKind): ReadonlySet<string> {
    const list = contents[kind];
    const known = fresh.get(list) ?? seen.newIn(server.identity, kind, keysOf(contents, kind));
    // All servers may share one empty list.
    if (list.length > 0) fresh.set(list, known);
    return known;
  }

  /** Updates the marks only if they differ, since the tree is refreshed then. */
  function updateMarks(server: string, found: ServerMarks): void {
    const isSame = contentKinds.every(({ kind }) =>
      areSameMarks(marks.list({ server, contents: kind }), found.get(kind) ?? noMarks),
    );
    if (!isSame) marks.set(server, found);
  }

  const refreshes = store.add(
    new Coalescer<string>(
      clock,
      () => 200,
      (labels) => {
        for (const label of labels)
          refresh(label).catch((error: unknown) => logger.warn(`Marks of ${label}: ${messageOf(error)}`));
      },
    ),
  );
  store.add(registry.onDidChangeAny(({ label }) => refreshes.request(label)));
  store.add(definitions.onDidChange(({ server }) => refreshes.request(server)));
  for (const { label } of registry.servers) refreshes.request(label);

  return {
    markViewed(label, kind) {
      const server = registry.get(label)?.server;
      if (server === undefined || server.isRemembered || server.listState(kind).isLoading) return;
      if (looked.has(server.contents[kind])) return;
      looked.add(server.contents[kind]);
      seen.recordViewed(server.identity, kind, keysOf(server.contents, kind));
    },
    markAllSeen(only) {
      fresh = new WeakMap();
      for (const { label, server } of registry.servers) {
        if (server.isRemembered || (only !== undefined && only !== label)) continue;
        const listed = contentKinds.filter(({ kind }) => !server.listState(kind).isLoading);
        for (const { kind } of listed) seen.markSeen(server.identity, kind, keysOf(server.contents, kind));
        refreshes.request(label);
      }
    },
    dispose: () => store.dispose(),
  };
}

function marksOf(
  changes: readonly ChangedDefinition[],
  newIn: (kind: ContentKind) => ReadonlySet<string>,
): ServerMarks {
  return new Map(
    contentKinds.map(({ kind }) => {
      const changed = changes.filter((change) => change.kind === kind).map((change) => [change.key, change] as const);
      return [kind, { changed: new Map(changed), fresh: newIn(kind) }];
    }),
  );
}

function keysOf(contents: Contents, kind: ContentKind): readonly string[] {
  const defined = definedKinds.find((candidate) => candidate === kind);
  if (defined === undefined) return contents.skills.map(({ uri }) => uri);
  return contents[defined].map((item) => definitionKey(defined, item));
}

function areSameMarks(before: ListMarks, after: ListMarks): boolean {
  return (
    before.changed.size === after.changed.size &&
    before.fresh.size === after.fresh.size &&
    [...after.fresh].every((key) => before.fresh.has(key)) &&
    [...after.changed].every(([key, change]) => {
      const known = before.changed.get(key);
      return known?.before === change.before && known?.after === change.after;
    })
  );
}
