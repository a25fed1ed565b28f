import { type Disposable, toDisposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';

/** The questions of servers that wait for the person, whichever panel shows them. */
export interface OpenQuestions extends Disposable {
  /** Whether the server of that label has asked something. */
  isAsking(server: string): boolean;
  /** Fires with the label of the server. */
  readonly onDidChange: Event<string>;
  /** @param reveal brings the question to the front. Dispose when it is decided. */
  add(server: string, reveal: () => void): Disposable;
  /** Brings the oldest question to the front. @returns false when there is none */
  reveal(): boolean;
}

export function createOpenQuestions(): OpenQuestions {
  const open = new Set<{ readonly server: string; readonly reveal: () => void }>();
  const didChange = new Emitter<string>();
  return {
    isAsking: (server) => [...open].some((question) => question.server === server),
    onDidChange: didChange.event,
    add(server, reveal) {
      const question = { server, reveal };
      open.add(question);
      didChange.fire(server);
      return toDisposable(() => {
        if (open.delete(question)) didChange.fire(server);
      });
    },
    reveal() {
      const [oldest] = open;
      oldest?.reveal();
      return oldest !== undefined;
    },
    dispose: () => didChange.dispose(),
  };
}
