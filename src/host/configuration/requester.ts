import { type Disposable, toDisposable } from '../../base/disposable.ts';
import { PatchbayError } from '../../base/errors.ts';
import type { Server } from '../../client/server/server.ts';

/** Who waits for a server: a person who has done something with it, another extension, or nobody. */
export type RequestedBy = 'person' | 'extension' | 'nobody';

/** Somebody who can be asked. */
export type Requester = Exclude<RequestedBy, 'nobody'>;

/**
 * Knows who waits for which server, so that no question comes out of the blue: not when the window starts a server by
 * itself, not when one starts again after a crash, and not for what goes on behind a running one.
 */
export interface Requesters {
  of(server: Pick<Server, 'label' | 'state' | 'isInUse'>): RequestedBy;
  /** Until disposed, somebody waits for the server of that label. */
  mark(label: string, requester: Requester): Disposable;
}

export function createRequesters(): Requesters {
  const marks = new Set<{ readonly label: string; readonly requester: RequestedBy }>();
  return {
    of({ label, state, isInUse }) {
      const marked = new Set([...marks].filter((mark) => mark.label === label).map(({ requester }) => requester));
      if (marked.has('person')) return 'person';
      if (marked.has('extension')) return 'extension';
      return state.kind === 'running' && isInUse ? 'person' : 'nobody';
    },
    mark(label, requester) {
      const mark = { label, requester };
      marks.add(mark);
      return toDisposable(() => marks.delete(mark));
    },
  };
}

/** A start that nobody waits for has come to a question. The next start that somebody waits for asks it. */
export class UnrequestedStartError extends PatchbayError {
  /** @param what completes "Server … has not started, because" */
  constructor(label: string, what: string) {
    super('needsTrust', `Server "${label}" has not started, because ${what}. Review and start it.`);
  }
}

/** Runs a start of the server of that label for somebody who waits for it, and may be asked. */
export async function startFor(
  requester: Requester,
  label: string,
  requesters: Pick<Requesters, 'mark'>,
  start: () => Promise<void>,
): Promise<void> {
  const mark = requesters.mark(label, requester);
  try {
    await start().catch((error: unknown) => {
      // It was starting by itself, and had come to its question before this.
      if (error instanceof UnrequestedStartError) return start();
      throw error;
    });
  } finally {
    mark.dispose();
  }
}
