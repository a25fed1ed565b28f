import { isRecord, isString } from '../../base/json.ts';
import type { Logger } from '../../base/logger.ts';
import type { ModelConnection } from '../../models/modelGateway.ts';
import { readModelEntries } from './modelEntries.ts';
import { saveSetting, settingItems } from '../platform/changeSettings.ts';
import { personalSetting } from '../platform/settings.ts';

/**
 * The models that a person has set up for all windows, in `patchbay.models`: a workspace could otherwise choose where requests go.
 * Writes leave all other entries as they are, also those that are left out.
 */
export function createModelSettings(logger: Pick<Logger, 'warn'>) {
  const logged = new Set<string>();
  return {
    /** Reads the setting; entries with a fault are left out, and logged once. */
    read() {
      const entries = readModelEntries(personalSetting('models'));
      for (const problem of entries.problems) if (!logged.has(problem)) logger.warn(problem);
      for (const problem of entries.problems) logged.add(problem);
      return entries;
    },
    /** The ids of all entries, also of those that are left out. */
    get ids() {
      return userEntries().flatMap((entry) => idOf(entry) ?? []);
    },
    add: (connection: ModelConnection) => write([...userEntries(), connection]),
    /** Replaces the entry with the same id; no-op if there is none any more. */
    replace: (connection: ModelConnection) =>
      write(userEntries().map((entry) => (idOf(entry) === connection.id ? connection : entry))),
    /** @returns what puts the entry back in its place; at the end where the setting has changed since, and not beside one of its id */
    async remove(id: string) {
      const before = userEntries();
      const after = before.filter((entry) => idOf(entry) !== id);
      await write(after);
      return async () => {
        const now = userEntries();
        const isUnchanged = JSON.stringify(now) === JSON.stringify(after);
        const removed = before.filter((entry) => idOf(entry) === id);
        if (!now.some((entry) => idOf(entry) === id)) await write(isUnchanged ? before : [...now, ...removed]);
      };
    },
  };
}

export type ModelSettings = ReturnType<typeof createModelSettings>;

const userEntries = (): readonly unknown[] => settingItems('models');
const write = (entries: readonly unknown[]): Promise<void> => saveSetting('models', entries);

function idOf(entry: unknown): string | undefined {
  const id = isRecord(entry) ? entry['id'] : undefined;
  return isString(id) ? id : undefined;
}
