import type { Memento } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { Coalescer } from '../../base/coalescer.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { DefinitionPins } from '../../client/definitions/definitionPins.ts';
import { type ContentKind, type Contents, definedKinds, definitionKey } from '../../client/contents.ts';
import type { HostServer, ServerRegistry } from '../servers/serverRegistry.ts';
import { contentKinds } from '../servers/serverStatus.ts';
import { type ItemMarks, type ListMarks, noMarks, type ServerMarks } from './itemMarks.ts';
import { SeenContents } from './seenContents.ts';

export interface FollowDefinitionsOptions {
  readonly registry: ServerRegistry;
  readonly pins: Pick<DefinitionPins, 'changesIn' | 'onDidChange'>;
  /** Stores what the person has seen. */
  readonly storage: Memento;
  readonly random: () => number;
  readonly marks: ItemMarks;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Marks the changed and new items in the lists of running servers, at most five times a second. */
export class DefinitionFollower implements Disposable {
  readonly #options: FollowDefinitionsOptions;
  readonly #store = new DisposableStore();
  readonly #seen: SeenContents;
  readonly #refreshes: Coalescer<string>;
  readonly #looked = new WeakSet<readonly unknown[]>();
  #fresh = new WeakMap<readonly unknown[], ReadonlySet<string>>();

  constructor(options: FollowDefinitionsOptions) {
    const { registry, pins, storage, clock, logger, random } = options;
    this.#options = options;
    this.#seen = this.#store.add(new SeenContents(storage, clock, random));
    const refreshAll = (labels: readonly string[]): void => {
      for (const label of labels)
        this.#refresh(label).catch((error: unknown) => logger.warn(`Marks of ${label}: ${messageOf(error)}`));
    };
    this.#refreshes = this.#store.add(new Coalescer<string>(clock, 200, refreshAll));
    this.#store.add(registry.onDidChangeAny(({ label }) => this.#refreshes.request(label)));
    this.#store.add(pins.onDidChange(({ server }) => this.#refreshes.request(server)));
    for (const { label } of registry.servers) this.#refreshes.request(label);
  }

  markViewed(label: string, kind: ContentKind): void {
    const server = this.#options.registry.get(label)?.server;
    if (server === undefined || server.isRemembered || server.listState(kind).isLoading) return;
    if (this.#looked.has(server.contents[kind])) return;
    this.#looked.add(server.contents[kind]);
    this.#seen.recordViewed(server.identity, kind, keysOf(server.contents, kind));
  }

  /** No listed item is new any more. @param only a server; absent: all */
  markAllSeen(only?: string): void {
    this.#fresh = new WeakMap();
    for (const { label, server } of this.#options.registry.servers) {
      if (server.isRemembered || (only !== undefined && only !== label)) continue;
      const listed = contentKinds.filter(({ kind }) => !server.listState(kind).isLoading);
      for (const { kind } of listed) this.#seen.markSeen(server.identity, kind, keysOf(server.contents, kind));
      this.#refreshes.request(label);
    }
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** Updates the marks only if they differ, since the tree is refreshed then. */
  async #refresh(label: string): Promise<void> {
    const { registry, pins, marks } = this.#options;
    const host = registry.get(label);
    let found: ServerMarks = new Map();
    if (host !== undefined && !host.server.isRemembered) {
      const { contents, identity } = host.server;
      const changes = await pins.changesIn({ server: label, identity }, contents);
      // If the server was listed again in the meantime, this runs again soon.
      const marksOf = (kind: ContentKind): ListMarks => ({
        changed: new Map(changes.flatMap((change) => (change.kind === kind ? [[change.key, change] as const] : []))),
        fresh: this.#newIn(host, contents, kind),
      });
      found = new Map(contentKinds.map(({ kind }) => [kind, marksOf(kind)]));
    }
    const isSame = contentKinds.every(({ kind }) =>
      areSameMarks(marks.list({ server: label, contents: kind }), found.get(kind) ?? noMarks),
    );
    if (!isSame) marks.set(label, found);
  }

  /** Checks each list once, however many changes are announced. */
  #newIn({ server }: HostServer, contents: Contents, kind: ContentKind): ReadonlySet<string> {
    const list = contents[kind];
    const known = this.#fresh.get(list) ?? this.#seen.newIn(server.identity, kind, keysOf(contents, kind));
    // All servers may share one empty list.
    if (list.length > 0) this.#fresh.set(list, known);
    return known;
  }
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
