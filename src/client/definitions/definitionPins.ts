import { raceAbort } from '../../base/abort.ts';
import { sha256 } from '../../base/digest.ts';
import { CancelledError, PatchbayError } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import { limits } from '../../base/limits.ts';
import { getOrMake } from '../../base/memoize.ts';
import type { AuditLog } from '../auditLog.ts';
import { type Contents, type DefinedKind, definitionsOf } from '../contents.ts';
import type { ServerUse, UseGuard } from '../useDispatcher.ts';
import { compareDefinitions, type DefinitionSnapshot, snapshotOf } from './definitionSnapshot.ts';
import { type Pin, PinRecords } from './pinRecords.ts';
import type { AskAboutChange, ChangedDefinition, PinnedServer, PinStore } from './ports.ts';

interface ExaminedUse {
  readonly use: ServerUse;
  readonly key: string;
  readonly current: DefinitionSnapshot;
  readonly records: PinRecords;
}

/**
 * Compares every use of a tool, a prompt or a resource with the definition of its first use. After a change it is used only
 * when a person has approved the new definition; each definition is approved once.
 */
export class DefinitionPins implements UseGuard {
  readonly #store: PinStore;
  readonly #askAbout: AskAboutChange;
  readonly #audit: AuditLog;
  readonly #onDidChange = new Emitter<PinnedServer>();
  readonly #servers = new Map<string, PinRecords>();
  /** Open questions: uses of the same definition share one answer. */
  readonly #open = new Map<string, Promise<boolean>>();
  /** Declined definitions. Extensions cannot ask about them again. */
  readonly #refused = new Set<string>();

  /** A definition of the server was used for the first time, or approved. */
  readonly onDidChange = this.#onDidChange.event;

  constructor(store: PinStore, ask: AskAboutChange, audit: AuditLog) {
    this.#store = store;
    this.#askAbout = ask;
    this.#audit = audit;
  }

  check(use: ServerUse): Promise<void> | undefined {
    const records = this.#server(use);
    const checked = records.checkedUses.get(`${use.kind} ${use.key}`);
    return checked === use.definitions ? undefined : this.#examine(use, records);
  }

  /** The definitions in `contents` that were used before and have changed since. */
  async changesIn(server: PinnedServer, contents: Contents): Promise<readonly ChangedDefinition[]> {
    const records = this.#server(server);
    await this.#read(server, records);
    const changes: ChangedDefinition[] = [];
    for (const pin of records.pins) {
      const { kind, key } = pin;
      const definitions = definitionsOf(contents, kind, key);
      if (definitions.length === 0 || records.checkedUses.get(`${kind} ${key}`) === definitions) continue;
      const current = await snapshotOf(kind, definitions);
      if (current === undefined || pin.approved.includes(current.digest)) continue;
      changes.push(changedDefinition(server.server, kind, key, pin, current));
    }
    return changes;
  }

  async reset(): Promise<void> {
    const servers = [...this.#servers.keys()].map((id) => JSON.parse(id) as [server: string, identity: string]);
    this.#servers.clear();
    this.#refused.clear();
    await this.#store.clear();
    for (const [server, identity] of servers) this.#onDidChange.fire({ server, identity });
  }

  #server({ server, identity }: PinnedServer): PinRecords {
    return getOrMake(this.#servers, JSON.stringify([server, identity]), () => new PinRecords());
  }

  /** Reads what other windows have added to the store. */
  async #read(server: PinnedServer, records: PinRecords): Promise<void> {
    try {
      records.load(await this.#store.readNew(server));
    } catch {
      // Without the store, earlier uses are unknown: every definition is asked about.
      records.isIncomplete = true;
    }
    const entries = records.lines > 1_000 ? records.entries() : [];
    if (entries.length === 0 || entries.length * 2 >= records.lines) return;
    records.lines = entries.length;
    this.#store.replace(server, entries);
  }

  async #examine(use: ServerUse, records: PinRecords): Promise<void> {
    const { kind, definitions } = use;
    if (!isUnlistedResource(use)) {
      const current = await snapshotOf(kind, definitions);
      if (current === undefined) throw tooLong(use);
      const key = await boundedKey(use.key);
      if (records.get(kind, key) === undefined) await this.#read(use, records);
      await this.#compare({ use, key, current, records });
    }
    use.signal?.throwIfAborted();
    if (records.checkedUses.size >= limits.pins.definitions) records.checkedUses.clear();
    records.checkedUses.set(`${kind} ${use.key}`, definitions);
  }

  async #compare(examined: ExaminedUse): Promise<void> {
    const { use, key, current, records } = examined;
    const pin = records.get(use.kind, key);
    if (pin === undefined && use.definitions.length === 0) return;
    if (pin === undefined && !records.isIncomplete) this.#approve(examined);
    else if (pin?.approved.includes(current.digest) === true) records.approve(use.kind, key, current);
    else await this.#ask(examined, pin);
  }

  #approve({ use, key, current, records }: ExaminedUse): void {
    this.#store.append(use, records.approve(use.kind, key, current));
    this.#onDidChange.fire({ server: use.server, identity: use.identity });
  }

  async #ask(examined: ExaminedUse, pin: Pin | undefined): Promise<void> {
    const { use, key, current } = examined;
    const { server, kind, origin } = use;
    const id = JSON.stringify([server, use.identity, kind, key, current.digest]);
    if (origin === 'background') throw declinedError(use, 'Use it from the Patchbay view to be asked about it.');
    if (origin === 'extension' && this.#refused.has(id)) throw declinedError(use, 'The change was declined.');
    let open = this.#open.get(id);
    if (open === undefined) {
      const changed = changedDefinition(server, kind, use.key, pin, current);
      open = this.#askAbout(changed, origin)
        .catch(() => false)
        .then((isAgreed) => {
          this.#open.delete(id);
          this.#record(use, current, pin, isAgreed);
          if (isAgreed) this.#approve(examined);
          else this.#refused.add(id);
          return isAgreed;
        });
      this.#open.set(id, open);
    }
    use.onQuestion?.();
    if (await raceAbort(open, use.signal)) return;
    throw origin === 'person' ? new CancelledError() : declinedError(use, 'The change was declined.');
  }

  #record(use: ServerUse, current: DefinitionSnapshot, pin: Pin | undefined, isAgreed: boolean): void {
    const { server, kind, key, origin } = use;
    const before = pin?.approved.at(-1) ?? 'no longer known';
    const named = { [kindNames[kind]]: key.slice(0, maximumKeyLength) };
    const detail = { ...named, before, after: current.digest, wantedBy: origin };
    const outcome = isAgreed ? 'change approved' : 'change declined';
    this.#audit.record({ server, action: 'definition', outcome, detail });
  }
}

export const kindNames = {
  tools: 'tool',
  prompts: 'prompt',
  resources: 'resource',
  resourceTemplates: 'resource template',
} as const satisfies Record<DefinedKind, string>;

const maximumKeyLength = 500;

/** A long key is replaced by its digest, because URIs of servers have no maximum length. */
async function boundedKey(key: string): Promise<string> {
  return key.length <= maximumKeyLength ? key : `sha256 ${await sha256(key)}`;
}

/** For instance one from a template. It has no definition that could mislead a person, and reading it changes nothing. */
function isUnlistedResource({ kind, definitions }: ServerUse): boolean {
  return definitions.length === 0 && (kind === 'resources' || kind === 'resourceTemplates');
}

function changedDefinition(
  server: string,
  kind: DefinedKind,
  key: string,
  pin: Pin | undefined,
  current: DefinitionSnapshot,
): ChangedDefinition {
  const before = pin?.text;
  return { server, kind, key, before, after: current.text, difference: compareDefinitions(before, current.text) };
}

function declinedError({ server, kind, key }: ServerUse, then: string): PatchbayError {
  return new PatchbayError(
    'declined',
    `The ${kindNames[kind]} "${key}" of "${server}" has changed since it was last used. ${then} Nothing was sent to it.`,
  );
}

function tooLong({ server, kind, key }: ServerUse): PatchbayError {
  const maximum = limits.definition.characters.toLocaleString('en');
  return new PatchbayError(
    'messageTooLarge',
    `The definition of the ${kindNames[kind]} "${key}" of "${server}" is longer than ${maximum} characters, so that a change of it could not be seen. Nothing was sent to it.`,
  );
}
