/** A redirect URI at this machine, in its parts as they are written. */
export interface LoopbackUri {
  readonly host: string;
  readonly port: number | undefined;
  /** With its first slash, or empty. */
  readonly path: string;
}

/**
 * Reads a redirect URI of a client on this machine (RFC 8252, section 7.3). Authorization servers compare it letter by letter, so it
 * is not normalized.
 * @returns `undefined` for one that could lead the browser to another machine, or has a query
 */
export function readLoopbackUri(text: string): LoopbackUri | undefined {
  const parts = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(?::([1-9]\d{0,4}))?((?:\/(?!\/)[\w./~-]*)?)$/.exec(text);
  if (parts === null || !URL.canParse(text)) return undefined;
  const [, host = '', port, path = ''] = parts;
  return { host, port: port === undefined ? undefined : Number(port), path };
}
