import { canonicalJson, sha256 } from '../../base/digest.ts';
import { isRecord, isString, isStringArray } from '../../base/json.ts';
import type { Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { AppReach } from '../../client/apps/appReach.ts';
import type { AppReachAnswer } from '../consent/approvals.ts';
import { reachLines } from './appText.ts';

/** Keeps what the person allowed apps to reach. */
export interface AppAnswers extends Disposable {
  /** @returns `undefined` if this was not asked before; `isChanged`: the app was allowed something else */
  find(app: AskedApp): Promise<{ readonly isAllowed: boolean | undefined; readonly isChanged: boolean }>;
  keep(app: AskedApp, isAllowed: boolean): Promise<void>;
  /** @returns what the answers about an app are listed under */
  idOf(app: AskedApp): Promise<string>;
  /** All answers, the oldest first. */
  readonly all: readonly AppReachAnswer[];
  /** Forgets an answer: the app is asked about again. @param id of {@link all} */
  revoke(id: string): Promise<void>;
  /** An answer was kept, or revoked. */
  readonly onDidChange: Event<{ readonly id: string; readonly isRevoked: boolean }>;
}

/** An app, and what it declares. */
export interface AskedApp {
  /** Identifies what was launched: another program under the same label is asked about again. */
  readonly identity: string;
  readonly uri: string;
  /** What people know both by. */
  readonly server: string;
  readonly title: string;
  readonly reach: AppReach;
}

/** The part of VS Code's `Memento` that is used. */
interface Storage {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

const key = 'patchbay.apps';
/** The oldest answers are forgotten. */
const maximumAnswers = 200;
/** What is listed of one answer. */
const maximumLines = 20;

/** An answer as it is stored. */
interface Entry extends AppReachAnswer {
  /** A digest of what was asked for. */
  readonly asked: string;
}

/** Keeps the answers in the state of the workspace. */
export function createAppAnswers(storage: Storage): AppAnswers {
  const didChange = new Emitter<{ readonly id: string; readonly isRevoked: boolean }>();
  const read = (): readonly Entry[] => {
    const kept = storage.get(key);
    return Array.isArray(kept) ? kept.filter(isEntry) : [];
  };
  const replace = async (id: string, entry?: Entry): Promise<void> => {
    const others = read().filter((other) => other.id !== id);
    await storage.update(key, entry === undefined ? others : [...others, entry].slice(-maximumAnswers));
    didChange.fire({ id, isRevoked: entry === undefined });
  };
  return {
    idOf,
    async find(app) {
      const [id, asked] = await Promise.all([idOf(app), sha256(canonicalJson(app.reach))]);
      const known = read().find((entry) => entry.id === id);
      if (known === undefined) return { isAllowed: undefined, isChanged: false };
      const isSame = known.asked === asked;
      return { isAllowed: isSame ? known.isAllowed : undefined, isChanged: !isSame };
    },
    async keep(app, isAllowed) {
      const [id, asked] = await Promise.all([idOf(app), sha256(canonicalJson(app.reach))]);
      const { server, title, reach } = app;
      const lines = reachLines(reach);
      const kept = lines.slice(0, maximumLines);
      await replace(id, { id, asked, isAllowed, server, app: title, count: lines.length, reach: kept });
    },
    get all() {
      return read();
    },
    revoke: (id) => replace(id),
    onDidChange: didChange.event,
    dispose: () => didChange.dispose(),
  };
}

/** Written by another version, or by hand, an entry may be anything. */
function isEntry(value: unknown): value is Entry {
  if (!isRecord(value)) return false;
  const { id, asked, isAllowed, server, app, count, reach } = value;
  const isListed = Number.isSafeInteger(count) && isStringArray(reach);
  return [id, asked, server, app].every(isString) && typeof isAllowed === 'boolean' && isListed;
}

async function idOf({ identity, uri }: AskedApp): Promise<string> {
  return sha256(canonicalJson([identity, uri]));
}
