import { Emitter, type Event } from '../../base/event.ts';
import type { ChangedDefinition } from '../../client/definitions/ports.ts';
import type { ContentKind } from '../../client/contents.ts';
import { contentKindOf, type GroupNode, type ItemNode, itemKey } from '../servers/serverNodes.ts';

/** A mark on the row of an item. */
export type ItemMark = 'changed' | 'new';

/** The marked items of one list. */
export interface ListMarks {
  /** Items that were used before and have changed since, by name, URI or URI template. */
  readonly changed: ReadonlyMap<string, ChangedDefinition>;
  /** Items that the person has not seen yet. */
  readonly fresh: ReadonlySet<string>;
}

/** The marks of one server, by kind of list. */
export type ServerMarks = ReadonlyMap<ContentKind, ListMarks>;

/** The marks on the rows of the tree. A follower sets them; the tree reads them for each row. */
export interface ItemMarks {
  of(node: ItemNode): ItemMark | undefined;
  changeOf(node: ItemNode): ChangedDefinition | undefined;
  list(group: Pick<GroupNode, 'server' | 'contents'>): ListMarks;
  /** All changed definitions, of all servers. */
  readonly changes: readonly ChangedDefinition[];
  set(server: string, marks: ServerMarks): void;
  /** Fires with the label of a server whose marks changed. */
  readonly onDidChange: Event<string>;
}

/** The marks of a list without marked items. */
export const noMarks: ListMarks = { changed: new Map(), fresh: new Set() };

/** Starts without marks. */
export function createItemMarks(): ItemMarks {
  const servers = new Map<string, ServerMarks>();
  const onDidChange = new Emitter<string>();
  const list: ItemMarks['list'] = ({ server, contents }) => servers.get(server)?.get(contents) ?? noMarks;
  const listOf = (node: ItemNode): ListMarks => list({ server: node.server, contents: contentKindOf(node) });
  return {
    of(node) {
      const { changed, fresh } = listOf(node);
      if (changed.size === 0 && fresh.size === 0) return undefined;
      const key = itemKey(node);
      if (changed.has(key)) return 'changed';
      return fresh.has(key) ? 'new' : undefined;
    },
    changeOf: (node) => listOf(node).changed.get(itemKey(node)),
    list,
    get changes() {
      return [...servers.values()].flatMap((lists) =>
        [...lists.values()].flatMap(({ changed }) => [...changed.values()]),
      );
    },
    set(server, marks) {
      servers.set(server, marks);
      onDidChange.fire(server);
    },
    onDidChange: onDidChange.event,
  };
}
