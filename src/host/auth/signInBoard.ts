import type { AuthorizationDescription } from '../../auth/authorizer.ts';
import type { MissingSignIn } from '../../auth/ports.ts';
import { type Disposable, toDisposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { Server } from '../../client/server.ts';

/** What the window knows of signing in, by label of the server. The code that signs in is elsewhere, and loaded late. */
export interface SignInBoard extends Disposable {
  /** A server that runs may need a sign-in for some of what it is asked. */
  missing(label: string): MissingSignIn | undefined;
  setMissing(label: string, missing: MissingSignIn | undefined): void;
  /** The sign-in a server was last used with in this window. */
  authorization(label: string): AuthorizationDescription | undefined;
  setAuthorization(label: string, authorization: AuthorizationDescription | undefined): void;
  /** Fires with the label. */
  readonly onDidChange: Event<string>;
  /**
   * Whether somebody waits for the server, so that a question does not come out of the blue: not when the window starts
   * it, not when it starts again after a crash, and not for what goes on behind a running one.
   */
  isAttended(server: Pick<Server, 'label' | 'state' | 'isInUse'>): boolean;
  /** Until disposed, somebody waits for the server, or nobody does, whatever it looks like. */
  mark(label: string, attendance: 'attended' | 'unattended'): Disposable;
}

export function createSignInBoard(): SignInBoard {
  const missing = new Map<string, MissingSignIn>();
  const authorizations = new Map<string, AuthorizationDescription>();
  const marks = new Set<{ readonly label: string; readonly attendance: 'attended' | 'unattended' }>();
  const didChange = new Emitter<string>();
  const set = <T>(map: Map<string, T>, label: string, value: T | undefined): void => {
    if (map.get(label) === value) return;
    if (value === undefined) map.delete(label);
    else map.set(label, value);
    didChange.fire(label);
  };
  return {
    missing: (label) => missing.get(label),
    setMissing: (label, value) => set(missing, label, value),
    authorization: (label) => authorizations.get(label),
    setAuthorization: (label, value) => set(authorizations, label, value),
    onDidChange: didChange.event,
    isAttended({ label, state, isInUse }) {
      const marked = [...marks].filter((mark) => mark.label === label).map(({ attendance }) => attendance);
      if (marked.includes('attended')) return true;
      if (state.kind === 'running') return isInUse;
      return state.kind === 'starting' && state.isRetry !== true && !marked.includes('unattended');
    },
    mark(label, attendance) {
      const mark = { label, attendance };
      marks.add(mark);
      return toDisposable(() => marks.delete(mark));
    },
    dispose: () => didChange.dispose(),
  };
}
