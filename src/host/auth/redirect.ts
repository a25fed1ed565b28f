import type { Disposable } from '../../base/disposable.ts';

/** A place the browser comes back to after a sign-in. */
export interface Redirect extends Disposable {
  readonly redirectUri: string;
  /**
   * Calls `arrived` with the address the browser came back to, once, when it carries `state`: also an address that is not
   * `redirectUri`, for the sign-in to refuse. Others are told to forget it.
   */
  expect(state: string, arrived: (url: URL) => void): Disposable;
}

/** What the paths of all addresses to come back to begin with. */
export const callbackPath = '/callback';

/** Said in the browser where an answer came to the address of another issuer (RFC 9700, section 4.4.2.2). */
export const strangeReturn =
  'This answer came to the address of another authorization server, so it is not used. Go on in the editor, which says more.';

/** Said to whoever comes back from a sign-in that nobody waits for. */
export const lateReturn =
  'This sign-in is not waited for any more, and nothing was changed. If you still need it, start it again in the editor.';
