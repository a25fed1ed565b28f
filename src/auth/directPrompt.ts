import { raceAbort } from '../base/abort.ts';
import type { AuthorizationPrompt } from './ports.ts';

const defaultPort = 33_418;

/**
 * A prompt that asks nobody: whoever gives `open` has agreed.
 * @param open goes through the browser, and returns the address it came back to without calling it; absent: nobody signs in
 */
export function createDirectPrompt(open: ((url: URL) => Promise<URL>) | undefined): AuthorizationPrompt {
  return {
    async begin({ redirectPort = defaultPort }) {
      if (open === undefined) return undefined;
      return {
        redirectUri: `http://127.0.0.1:${redirectPort}/callback`,
        follow: (url, signal) => raceAbort(open(url), signal),
        dispose: () => {},
      };
    },
  };
}
