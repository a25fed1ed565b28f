import { canonicalJson, sha256 } from '../../base/digest.ts';
import { isRecord, isString, isStringArray } from '../../base/json.ts';
import type { Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import { type AppReach, codeLine, reachLines } from '../../client/apps/appReach.ts';
import type { AppReachAnswer } from '../consent/approvals.ts';
import type { Storage } from '../platform/storage.ts';

export interface AskedApp {
  /** Identifies what was launched: another program under the same label is asked about again. */
  readonly identity: string;
  readonly uri: string;
  readonly server: string;
  readonly title: string;
  readonly reach: AppReach;
  /** Its document, where the question is whether this one may run code that it makes: another one is asked about again. */
  readonly html?: string;
}

const key = 'patchbay.apps';
const maximumAnswers = 200;
const maximumLines = 20;

interface Entry extends AppReachAnswer {
  readonly asked: string;
}

/** Keeps what the person allowed apps: what they may reach, and whether they may run code that they make; in the state of the workspace. */
export class AppAnswers implements Disposable {
  readonly #storage: Storage;
  readonly #didChange = new Emitter<{ readonly id: string; readonly isRevoked: boolean }>();

  readonly onDidChange = this.#didChange.event;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** @returns `undefined` if this was not asked before; `isChanged`: the app was allowed something else */
  async find(app: AskedApp): Promise<{ readonly isAllowed: boolean | undefined; readonly isChanged: boolean }> {
    const id = await this.idOf(app);
    const known = this.#read().find((entry) => entry.id === id);
    if (known === undefined) return { isAllowed: undefined, isChanged: false };
    const isSame = known.asked === (await askedOf(app));
    return { isAllowed: isSame ? known.isAllowed : undefined, isChanged: !isSame };
  }

  async keep(app: AskedApp, isAllowed: boolean): Promise<void> {
    const [id, asked] = await Promise.all([this.idOf(app), askedOf(app)]);
    const lines = app.html === undefined ? reachLines(app.reach) : [codeLine];
    const shown = { server: app.server, app: app.title, count: lines.length, reach: lines.slice(0, maximumLines) };
    await this.#replace(id, { id, asked, isAllowed, ...shown });
  }

  /** @returns what the answers about an app are listed under */
  idOf({ identity, uri, html }: AskedApp): Promise<string> {
    return digestOf([identity, uri, ...(html === undefined ? [] : ['code'])]);
  }

  /** All answers, the oldest first. */
  get all(): readonly AppReachAnswer[] {
    return this.#read();
  }

  /** Forgets an answer: the app is asked about again. @param id of {@link all} */
  revoke(id: string): Promise<void> {
    return this.#replace(id);
  }

  dispose(): void {
    this.#didChange.dispose();
  }

  #read(): readonly Entry[] {
    const kept = this.#storage.get(key);
    return Array.isArray(kept) ? kept.filter(isEntry) : [];
  }

  async #replace(id: string, entry?: Entry): Promise<void> {
    const all = this.#read();
    const others = all.filter((other) => other.id !== id);
    if (entry === undefined && others.length === all.length) return;
    await this.#storage.update(key, entry === undefined ? others : [...others, entry].slice(-maximumAnswers));
    this.#didChange.fire({ id, isRevoked: entry === undefined });
  }
}

function askedOf({ reach, html }: AskedApp): Promise<string> {
  return digestOf(html === undefined ? reach : [reach, html]);
}

function digestOf(value: unknown): Promise<string> {
  return sha256(canonicalJson(value));
}

/** Written by another version, or by hand, an entry may be anything. */
function isEntry(value: unknown): value is Entry {
  if (!isRecord(value)) return false;
  const { id, asked, isAllowed, server, app, count, reach } = value;
  const isListed = Number.isSafeInteger(count) && isStringArray(reach);
  return [id, asked, server, app].every(isString) && typeof isAllowed === 'boolean' && isListed;
}
