import { Emitter } from '../../base/event.ts';
import type { SharedStore } from '../../base/sharedStore.ts';

/** Calls of one tool that need no question. It ends when the server or the tool is another one. */
export interface ToolGrant {
  readonly server: string;
  /** Of what was launched under the label. */
  readonly identity: string;
  readonly tool: string;
  /** Of the tool's definition. */
  readonly digest: string;
  /** Whose calls it covers: those the person makes here, or those of every caller. It follows the caller that was asked about. */
  readonly reach: 'own' | 'everyone';
  /** The address of the app whose calls it covers, and no others. */
  readonly app?: string | undefined;
  /** It was given for arguments that could not be checked. */
  readonly coversUnchecked: boolean;
}

/** What a call must have in common with a grant. */
export type GrantSubject = Pick<ToolGrant, 'server' | 'identity' | 'tool' | 'digest' | 'app'>;

type Grants = readonly ToolGrant[];

/** Grants that can be kept; the oldest make room. */
export const maximumGrants = 200;

/** The grants that the windows of a workspace share: each use looks at what is stored at that moment. */
export class ToolGrants {
  readonly #store: SharedStore<Grants>;
  readonly #onDidChange = new Emitter<string>();
  /** Revoked here: a store that could not be written must not bring one back. */
  readonly #revoked = new Set<string>();
  #grants: Grants = [];

  /** Fires with the label of a server. */
  readonly onDidChange = this.#onDidChange.event;

  constructor(store: SharedStore<Grants>) {
    this.#store = store;
  }

  /** As they were last seen. */
  get all(): Grants {
    return this.#grants;
  }

  /** Looks at what is stored. What cannot be read allows nothing. */
  async load(): Promise<void> {
    await this.#change((grants) => grants).catch(() => this.#show([]));
  }

  async find(subject: GrantSubject): Promise<ToolGrant | undefined> {
    await this.load();
    return this.#grants.find((grant) => placeOf(grant) === placeOf(subject) && grant.digest === subject.digest);
  }

  /** Takes the place of one for the same tool and caller. @throws what the store throws: nothing is granted then */
  async add(grant: ToolGrant): Promise<void> {
    this.#revoked.delete(idOf(grant));
    await this.#change((grants) => {
      const known = grants.find((other) => placeOf(other) === placeOf(grant));
      // A yes to the person's own calls takes nothing from other callers, and gives them nothing.
      const isWider = grant.reach === 'own' && known?.digest === grant.digest && known.reach === 'everyone';
      return [...grants.filter((other) => other !== known), isWider ? known : grant].slice(-maximumGrants);
    });
  }

  /** @throws what the store throws: it has ended in this window, and is still stored */
  async revoke(grant: ToolGrant): Promise<void> {
    this.#revoked.add(idOf(grant));
    this.#show(this.#usable(this.#grants));
    await this.#change((grants) => grants);
    // Another window may grant the same again.
    this.#revoked.delete(idOf(grant));
  }

  /** The server has another name: what was granted to it follows. @throws what the store throws */
  async rename({ server, identity }: Pick<ToolGrant, 'server' | 'identity'>, name: string): Promise<void> {
    const isIts = (grant: ToolGrant): boolean => grant.server === server && grant.identity === identity;
    await this.#change((grants) => grants.map((grant) => (isIts(grant) ? { ...grant, server: name } : grant)));
  }

  #usable(grants: Grants): Grants {
    return grants.filter((grant) => !this.#revoked.has(idOf(grant)));
  }

  async #change(change: (grants: Grants) => Grants): Promise<void> {
    const stored = await this.#store.update((grants) => this.#usable(change(this.#usable(grants))));
    this.#show(stored);
  }

  #show(grants: Grants): void {
    const [before, after] = [this.#grants, grants].map((list) => new Map(list.map((grant) => [textOf(grant), grant])));
    this.#grants = grants;
    const changed = [...(before ?? []), ...(after ?? [])].filter(([id]) => before?.has(id) !== after?.has(id));
    for (const server of new Set(changed.map(([, grant]) => grant.server))) this.#onDidChange.fire(server);
  }
}

/** What there is one grant for. */
function placeOf({ server, identity, tool, app }: Omit<GrantSubject, 'digest'>): string {
  return JSON.stringify([server, identity, tool, app ?? null]);
}

function idOf(grant: GrantSubject): string {
  return JSON.stringify([placeOf(grant), grant.digest]);
}

function textOf(grant: ToolGrant): string {
  return JSON.stringify([idOf(grant), grant.reach, grant.coversUnchecked]);
}
