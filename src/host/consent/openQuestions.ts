import { toDisposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';

/** The questions of servers that wait for the person, of all panels. */
export function createOpenQuestions() {
  const open = new Set<{ readonly server: string; readonly reveal: () => void }>();
  const didChange = new Emitter<string>();
  return {
    isAsking: (server: string) => [...open].some((question) => question.server === server),
    /** Fires with the label of a server whose questions changed. */
    onDidChange: didChange.event,
    /** Adds a question. Dispose the result when it is decided. @param reveal shows the question and gives it the focus */
    add(server: string, reveal: () => void) {
      const question = { server, reveal };
      open.add(question);
      didChange.fire(server);
      return toDisposable(() => {
        if (open.delete(question)) didChange.fire(server);
      });
    },
    /** Shows the oldest question. @returns false if there is none */
    reveal() {
      const [oldest] = open;
      oldest?.reveal();
      return oldest !== undefined;
    },
    dispose: () => didChange.dispose(),
  };
}

export type OpenQuestions = ReturnType<typeof createOpenQuestions>;
