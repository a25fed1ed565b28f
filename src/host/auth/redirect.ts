import type { Disposable } from '../../base/disposable.ts';

/** A place the browser comes back to after a sign-in. */
export interface Redirect extends Disposable {
  readonly redirectUri: string;
  /** Calls `arrived` with the address the browser came back to, once, when it carries `state`. Others are told to forget it. */
  expect(state: string, arrived: (url: URL) => void): Disposable;
}

/** Said to whoever comes back from a sign-in that nobody waits for. */
export const lateReturn =
  'This sign-in is not waited for any more, and nothing was changed. If you still need it, start it again in the editor.';
