import { isRecord } from '../../base/json.ts';

/** Keeps values over restarts: the part of `vscode.Memento` needed here. */
export interface Storage {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

/**
 * Answers that are kept in a storage, by key.
 * @param isAnswer false for what an older version, or a person, has written
 * @param maximum those given longest ago are forgotten first
 */
export function storedAnswers<Answer extends string>(
  storage: Storage,
  storageKey: string,
  isAnswer: (value: unknown) => value is Answer,
  maximum = 200,
) {
  function read(): Map<string, Answer> {
    const stored = storage.get(storageKey);
    const entries = isRecord(stored) ? Object.entries(stored) : [];
    return new Map(entries.filter((entry): entry is [string, Answer] => isAnswer(entry[1])));
  }

  return {
    get: (key: string): Answer | undefined => read().get(key),
    async set(key: string, answer: Answer): Promise<void> {
      const known = read();
      if ([...known.keys()].at(-1) === key && known.get(key) === answer) return;
      known.delete(key);
      known.set(key, answer);
      await storage.update(storageKey, Object.fromEntries([...known].slice(-maximum)));
    },
  };
}
