import { Emitter } from '../../base/event.ts';
import type { ChangedDefinition } from '../../client/definitions/ports.ts';
import type { ContentKind } from '../../client/contents.ts';
import { contentKindOf, type ItemNode, itemKey, type NodeOf } from '../servers/serverNodes.ts';

export type ItemMark = 'changed' | 'new';

export interface ListMarks {
  /** Items that were used before and have changed since, by name, URI or URI template. */
  readonly changed: ReadonlyMap<string, ChangedDefinition>;
  readonly fresh: ReadonlySet<string>;
}

export type ServerMarks = ReadonlyMap<ContentKind, ListMarks>;

export const noMarks: ListMarks = { changed: new Map(), fresh: new Set() };

/** The marks on the rows of the tree. A follower sets them; the tree reads them for each row. */
export class ItemMarks {
  readonly #servers = new Map<string, ServerMarks>();
  readonly #onDidChange = new Emitter<string>();

  readonly onDidChange = this.#onDidChange.event;

  of(node: ItemNode): ItemMark | undefined {
    const { changed, fresh } = this.#listOf(node);
    if (changed.size === 0 && fresh.size === 0) return undefined;
    const key = itemKey(node);
    if (changed.has(key)) return 'changed';
    return fresh.has(key) ? 'new' : undefined;
  }

  changeOf(node: ItemNode): ChangedDefinition | undefined {
    return this.#listOf(node).changed.get(itemKey(node));
  }

  list({ server, contents }: Pick<NodeOf<'group'>, 'server' | 'contents'>): ListMarks {
    return this.#servers.get(server)?.get(contents) ?? noMarks;
  }

  get hasAny(): boolean {
    const lists = [...this.#servers.values()].flatMap((marks) => [...marks.values()]);
    return lists.some(({ changed, fresh }) => changed.size > 0 || fresh.size > 0);
  }

  get changes(): readonly ChangedDefinition[] {
    const lists = [...this.#servers.values()].flatMap((marks) => [...marks.values()]);
    return lists.flatMap(({ changed }) => [...changed.values()]);
  }

  set(server: string, marks: ServerMarks): void {
    this.#servers.set(server, marks);
    this.#onDidChange.fire(server);
  }

  #listOf(node: ItemNode): ListMarks {
    return this.list({ server: node.server, contents: contentKindOf(node) });
  }
}
