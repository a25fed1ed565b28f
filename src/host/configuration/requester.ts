import { type Disposable, toDisposable } from '../../base/disposable.ts';
import { PatchbayError } from '../../base/errors.ts';
import type { Server } from '../../client/server/managedServer.ts';
import { rememberFailedServer } from '../platform/failedUses.ts';

export type RequestedBy = 'person' | 'extension' | 'nobody';

/** A requester for whom the person can be asked. */
export type Requester = Exclude<RequestedBy, 'nobody'>;

/**
 * Knows who waits for which server. Questions are asked only for a requester: not when the window starts a server
 * automatically, restarts it after a crash, or uses a running one in the background.
 */
export class Requesters {
  readonly #marks = new Set<{ readonly label: string; readonly requester: RequestedBy }>();

  of({ label, state, isInUse }: Pick<Server, 'label' | 'state' | 'isInUse'>): RequestedBy {
    const marked = [...this.#marks].flatMap((mark) => (mark.label === label ? [mark.requester] : []));
    if (marked.includes('person')) return 'person';
    if (marked.includes('extension')) return 'extension';
    return state.kind === 'running' && isInUse ? 'person' : 'nobody';
  }

  /** The requester waits for the server with this label until the result is disposed. */
  mark(label: string, requester: Requester): Disposable {
    const mark = { label, requester };
    this.#marks.add(mark);
    return toDisposable(() => this.#marks.delete(mark));
  }
}

/** A start without a requester needs an answer of the person. The next start with a requester asks for it. */
export class UnrequestedStartError extends PatchbayError {
  /** @param what completes "Server … has not started, because" */
  constructor(label: string, what: string) {
    super('needsTrust', `Server "${label}" has not started, because ${what}. Review and start it.`);
  }
}

/**
 * Starts the server with this label for a requester.
 * @throws what starting throws; a notification of it names the server
 */
export async function startFor(
  requester: Requester,
  label: string,
  requesters: Pick<Requesters, 'mark'>,
  start: () => Promise<void>,
): Promise<void> {
  const mark = requesters.mark(label, requester);
  try {
    await start().catch((error: unknown) => {
      // The automatic start had failed with this error before the request.
      if (error instanceof UnrequestedStartError) return start();
      throw error;
    });
  } catch (error) {
    rememberFailedServer(error, label);
    throw error;
  } finally {
    mark.dispose();
  }
}
