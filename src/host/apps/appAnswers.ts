import { canonicalJson, sha256 } from '../../base/digest.ts';
import { isString } from '../../base/json.ts';
import type { AppReach } from '../../client/apps/appReach.ts';

/** Keeps what the person allowed apps to reach. */
export interface AppAnswers {
  /** @returns `undefined` if this was not asked before; `isChanged`: the app was allowed something else */
  find(app: AskedApp): Promise<{ readonly isAllowed: boolean | undefined; readonly isChanged: boolean }>;
  keep(app: AskedApp, isAllowed: boolean): Promise<void>;
  forget(app: AskedApp): Promise<void>;
}

/** An app, and what it declares. */
export interface AskedApp {
  /** Identifies what was launched: another program under the same label is asked about again. */
  readonly identity: string;
  readonly uri: string;
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

type Entry = readonly [app: string, reach: string, answer: 'allowed' | 'refused'];

/** Keeps the answers in the state of the workspace, as digests. */
export function createAppAnswers(storage: Storage): AppAnswers {
  const read = (): readonly Entry[] => {
    const kept = storage.get(key);
    return Array.isArray(kept) ? kept.filter(isEntry) : [];
  };
  const others = (app: string): readonly Entry[] => read().filter(([other]) => other !== app);
  return {
    async find(asked) {
      const [app, reach] = await digestsOf(asked);
      const known = read().find(([other]) => other === app);
      if (known === undefined) return { isAllowed: undefined, isChanged: false };
      const isSame = known[1] === reach;
      return { isAllowed: isSame ? known[2] === 'allowed' : undefined, isChanged: !isSame };
    },
    async keep(asked, isAllowed) {
      const [app, reach] = await digestsOf(asked);
      const entry: Entry = [app, reach, isAllowed ? 'allowed' : 'refused'];
      await storage.update(key, [...others(app), entry].slice(-maximumAnswers));
    },
    async forget(asked) {
      const [app] = await digestsOf(asked);
      await storage.update(key, others(app));
    },
  };
}

function isEntry(value: unknown): value is Entry {
  return Array.isArray(value) && value.length === 3 && value.every(isString);
}

async function digestsOf({ identity, uri, reach }: AskedApp): Promise<readonly [string, string]> {
  return [await sha256(canonicalJson([identity, uri])), await sha256(canonicalJson(reach))];
}
