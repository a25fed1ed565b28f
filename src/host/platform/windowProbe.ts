import type { SecretStorage } from 'vscode';

/**
 * Reads any secret: the window has to answer that. An error is an answer too.
 * @returns resolves when the window has answered
 */
export function createWindowProbe(secrets: Pick<SecretStorage, 'get'>): () => Promise<void> {
  const ignore = (): void => {};
  return () => Promise.resolve(secrets.get('patchbay.reach')).then(ignore, ignore);
}
