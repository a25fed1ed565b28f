import { Emitter, type Event } from '../../base/event.ts';
import type { ChangedDefinition } from '../../client/definitions/ports.ts';
import type { ContentKind } from '../../client/contents.ts';
import { contentKindOf, type GroupNode, type ItemNode, itemKey } from '../servers/serverNodes.ts';

/** What a row says of an item beyond what the server says. */
export type ItemMark = 'changed' | 'new';

/** The marked items of one list. */
export interface ListMarks {
  /** Used before, and not what it was. By name, URI or URI template. */
  readonly changed: ReadonlyMap<string, ChangedDefinition>;
  /** Not there when somebody last looked. */
  readonly fresh: ReadonlySet<string>;
}

export type ServerMarks = ReadonlyMap<ContentKind, ListMarks>;

/** Which rows are marked. Whoever finds that out fills it in; the tree asks for each row. */
export interface ItemMarks {
  of(node: ItemNode): ItemMark | undefined;
  changeOf(node: ItemNode): ChangedDefinition | undefined;
  list(group: Pick<GroupNode, 'server' | 'contents'>): ListMarks;
  /** Everything that has changed, of all servers. */
  readonly changes: readonly ChangedDefinition[];
  set(server: string, marks: ServerMarks): void;
  /** Marks of that server are other ones. */
  readonly onDidChange: Event<string>;
}

export const noMarks: ListMarks = { changed: new Map(), fresh: new Set() };

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
