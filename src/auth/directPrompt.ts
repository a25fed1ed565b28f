import { raceAbort } from '../base/abort.ts';
import type { AuthorizationPrompt, SignInCaution } from './ports.ts';

const defaultPort = 33_418;

/**
 * A prompt without a question: whoever gives `open` has agreed to sign in.
 * @param open goes through the browser, and returns the address it came back to without calling it; absent: nobody signs in
 * @param confirm agrees to what is unusual in a sign-in; absent: nothing unusual is done
 */
export function createDirectPrompt(
  open: ((url: URL) => Promise<URL>) | undefined,
  confirm: ((caution: SignInCaution) => Promise<boolean>) | undefined,
): AuthorizationPrompt {
  return {
    async begin({ redirectPort = defaultPort, redirectPath }) {
      if (open === undefined) return undefined;
      return {
        redirectUri: `http://127.0.0.1:${redirectPort}${redirectPath}`,
        follow: (url, signal) => raceAbort(open(url), signal),
        dispose: () => {},
      };
    },
    confirm: async (caution, signal) => confirm !== undefined && (await raceAbort(confirm(caution), signal)),
  };
}
