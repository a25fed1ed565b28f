import { type Disposable, toDisposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';

/** The questions of servers that wait for the person, of all panels. */
export interface OpenQuestions extends Disposable {
  /** Whether a question of the server with this label waits. */
  isAsking(server: string): boolean;
  /** Fires with the label of a server whose questions changed. */
  readonly onDidChange: Event<string>;
  /** Adds a question. Dispose the result when it is decided. @param reveal shows the question and gives it the focus */
  add(server: string, reveal: () => void): Disposable;
  /** Shows the oldest question. @returns false if there is none */
  reveal(): boolean;
}

/** Starts without questions. */
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
