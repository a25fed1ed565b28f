import type { DefinedKind } from '../../client/contents.ts';
import { type ListSource, listSources } from '../../client/lists/readList.ts';
import type { CheckSubject } from './checkResult.ts';

/** A list of a server that is checked and compared. */
export interface ServerList extends Pick<ListSource, 'method' | 'owner'> {
  /** The member of a page that has the entries. */
  readonly kind: DefinedKind;
  /** What a result about one of its entries is about. */
  readonly subject: CheckSubject['kind'];
  /** The member that names an entry. */
  readonly key: 'name' | 'uri' | 'uriTemplate';
}

const entries: Readonly<Record<DefinedKind, Pick<ServerList, 'subject' | 'key'>>> = {
  tools: { subject: 'tool', key: 'name' },
  resources: { subject: 'resource', key: 'uri' },
  resourceTemplates: { subject: 'resourceTemplate', key: 'uriTemplate' },
  prompts: { subject: 'prompt', key: 'name' },
};

export const serverLists: readonly ServerList[] = listSources.flatMap(({ kind, owner, method }) =>
  kind === 'skills' ? [] : [{ kind, owner, method, ...entries[kind] }],
);
