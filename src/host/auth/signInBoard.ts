import type { AuthorizationDescription } from '../../auth/authorizer.ts';
import type { MissingSignIn } from '../../auth/ports.ts';
import type { Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';

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
}

export function createSignInBoard(): SignInBoard {
  const missing = new Map<string, MissingSignIn>();
  const authorizations = new Map<string, AuthorizationDescription>();
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
    dispose: () => didChange.dispose(),
  };
}
