import { env, UIKind, Uri, type UriHandler, window } from 'vscode';
import { toDisposable } from '../../base/disposable.ts';
import { notificationText } from '../notificationText.ts';
import { callbackPath, lateReturn, type Redirect } from './redirect.ts';

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
      const query = env.uiKind === UIKind.Web ? uri.query : encodedAgain(uri.query);
      const state = new URLSearchParams(query).get('state') ?? '';
      const arrived = expected.get(state);
      if (expected.delete(state)) arrived?.(uri.path, query);
      else await window.showInformationMessage(notificationText(lateReturn));
    },
  };
}

/** The editor on a desktop has decoded the query as a whole, the one in a browser has not; what stands for itself must not be decoded a second time. */
function encodedAgain(query: string): string {
  return query.replaceAll('%', '%25').replaceAll('+', '%2B');
}
