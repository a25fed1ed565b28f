import { env, UIKind, Uri, type UriHandler, window } from 'vscode';
import { type Disposable, toDisposable } from '../../base/disposable.ts';
import { notificationText } from '../platform/displayText.ts';

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
export const unexpectedRedirectText =
  'This answer came to the address of another authorization server, so it is not used. Go on in the editor, which says more.';

/** Said to whoever comes back from a sign-in that nobody waits for. */
export const lateRedirectText =
  'This sign-in is not waited for any more, and nothing was changed. If you still need it, start it again in the editor.';

/** Sign-ins that come back through the editor's own addresses, which works over Remote and in a browser. */
export interface EditorRedirects extends UriHandler {
  /**
   * @param path of this sign-in
   * @param isFixed the authorization server knows the address beforehand, so it must be the same in every window
   */
  open(path: string, isFixed: boolean): Promise<Redirect>;
}

/** @param extensionId whose addresses they are */
export function createEditorRedirects(extensionId: string): EditorRedirects {
  const expected = new Map<string, (path: string, query: string) => void>();
  return {
    async open(path, isFixed) {
      const root = `${env.uriScheme}://${extensionId}`;
      const plain = `${root}${path}`;
      const isSettled = isFixed && env.uiKind === UIKind.Desktop;
      // Unencoded: the letters of its query have their meaning.
      const external = isSettled ? plain : (await env.asExternalUri(Uri.parse(plain))).toString(true);
      const redirectUri = new URL(external).href;
      return {
        redirectUri,
        expect(state, arrived) {
          expected.set(state, (arrivedPath, query) => {
            const url = new URL(arrivedPath === path ? redirectUri : `${root}${arrivedPath}`);
            for (const [name, value] of new URLSearchParams(query)) url.searchParams.append(name, value);
            arrived(url);
          });
          return toDisposable(() => expected.delete(state));
        },
        dispose: () => {},
      };
    },
    async handleUri(uri) {
      if (!uri.path.startsWith(callbackPath)) return;
      const query = env.uiKind === UIKind.Web ? uri.query : reencodeQuery(uri.query);
      const state = new URLSearchParams(query).get('state') ?? '';
      const arrived = expected.get(state);
      if (expected.delete(state)) arrived?.(uri.path, query);
      else await window.showInformationMessage(notificationText(lateRedirectText));
    },
  };
}

/** The editor on a desktop has decoded the query as a whole, the one in a browser has not; what stands for itself must not be decoded a second time. */
function reencodeQuery(query: string): string {
  return query.replaceAll('%', '%25').replaceAll('+', '%2B');
}
