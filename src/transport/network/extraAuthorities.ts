import { readFileSync } from 'node:fs';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';

/**
 * The authorities of the file that `NODE_EXTRA_CA_CERTS` names, and Node's own. Node 20 forgets those of the file for each
 * connection to which VS Code adds the authorities of the system.
 * @returns what reads the file with its first call; `undefined` without a file, or where it cannot be read
 */
export function createExtraAuthorities(file: string | undefined): () => SecureContext | undefined {
  if (file === undefined || file === '') return () => undefined;
  let read: { readonly context: SecureContext | undefined } | undefined;
  return () => (read ??= { context: readAuthorities(file) }).context;
}

function readAuthorities(file: string): SecureContext | undefined {
  try {
    return createSecureContext({ ca: [...rootCertificates, readFileSync(file, 'utf8')] });
  } catch {
    // Node has warned of it at its start.
    return undefined;
  }
}
