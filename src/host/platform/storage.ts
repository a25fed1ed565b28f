import { isRecord } from '../../base/json.ts';

/** Keeps values over restarts: the part of `vscode.Memento` needed here. */
export interface Storage {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

/** Of each kind of answer, those given longest ago are forgotten first. */
const maximumAnswers = 200;

/** Answers that are kept in a storage, by key. @param isAnswer false for what an older version, or a person, has written */
export class StoredAnswers<Answer extends string> {
  readonly #storage: Storage;
  readonly #storageKey: string;
  readonly #isAnswer: (value: unknown) => value is Answer;

  constructor(storage: Storage, storageKey: string, isAnswer: (value: unknown) => value is Answer) {
    this.#storage = storage;
    this.#storageKey = storageKey;
    this.#isAnswer = isAnswer;
  }

  get(key: string): Answer | undefined {
    return this.#read().get(key);
  }

  async set(key: string, answer: Answer): Promise<void> {
    const known = this.#read();
    if ([...known.keys()].at(-1) === key && known.get(key) === answer) return;
    known.delete(key);
    known.set(key, answer);
    await this.#storage.update(this.#storageKey, Object.fromEntries([...known].slice(-maximumAnswers)));
  }

  #read(): Map<string, Answer> {
    const stored = this.#storage.get(this.#storageKey);
    const entries = isRecord(stored) ? Object.entries(stored) : [];
    return new Map(entries.filter((entry): entry is [string, Answer] => this.#isAnswer(entry[1])));
  }
}
