import { env, UIKind, Uri, window } from 'vscode';
import { type Disposable, toDisposable } from '../../base/disposable.ts';
import { notificationText } from '../platform/displayText.ts';

/** A redirect URI that is open for one sign-in. */
export interface Redirect extends Disposable {
  readonly redirectUri: string;
  /** Calls `arrived` once, with the address that carries `state`. Its path may be another one: the sign-in refuses it then. */
  expect(state: string, arrived: (url: URL) => void): Disposable;
}

/** The paths of all redirect URIs begin with this. */
export const callbackPath = '/callback';

/** Shown in the browser when an answer arrives at the address of another issuer (RFC 9700, section 4.4.2.2). */
export const unexpectedRedirectText =
  'This answer came to the address of another authorization server and was not used. Return to the editor for details.';

/** Shown when the browser returns from a sign-in that is over. */
export const lateRedirectText =
  'This sign-in has ended and nothing was changed. To sign in, start again in the editor.';

/**
 * Redirects to the editor's own URIs, which work over Remote and in a browser. The URI handler of the window.
 * @param extensionId the authority of the URIs
 */
export function createEditorRedirects(extensionId: string) {
  const root = `${env.uriScheme}://${extensionId}`;
  const expected = new Map<string, (path: string, query: string) => void>();
  return {
    /**
     * Opens a redirect.
     * @param path the redirect path of this sign-in
     * @param isFixed the authorization server knows the address beforehand, so it must be the same in every window
     */
    async open(path: string, isFixed: boolean): Promise<Redirect> {
      const isSettled = isFixed && env.uiKind === UIKind.Desktop;
      const plain = `${root}${path}`;
      // Not encoded: the separators of the query must stay as they are.
      const external = isSettled ? plain : (await env.asExternalUri(Uri.parse(plain))).toString(true);
      const redirectUri = new URL(external).href;
      return {
        redirectUri,
        expect: (state, arrived) => {
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
    async handleUri(uri: Uri): Promise<void> {
      if (!uri.path.startsWith(callbackPath)) return;
      // Desktop editors have decoded the query as a whole, editors in a browser have not; escaped characters must not be decoded twice.
      const query = env.uiKind === UIKind.Web ? uri.query : uri.query.replaceAll('%', '%25').replaceAll('+', '%2B');
      const state = new URLSearchParams(query).get('state') ?? '';
      const arrived = expected.get(state);
      if (expected.delete(state)) arrived?.(uri.path, query);
      else await window.showInformationMessage(notificationText(lateRedirectText));
    },
  };
}

export type EditorRedirects = ReturnType<typeof createEditorRedirects>;
