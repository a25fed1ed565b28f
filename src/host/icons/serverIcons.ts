import type { Clock } from '../../base/clock.ts';
import { Emitter } from '../../base/event.ts';
import type { HttpClient, HttpResponse } from '../../base/httpClient.ts';
import { limits } from '../../base/limits.ts';
import { getOrMake } from '../../base/memoize.ts';
import { isSwitchedOn } from '../platform/settings.ts';
import type { ServerRegistry } from '../servers/serverRegistry.ts';
import { type FetchedIcon, type ItemImage, itemImage, readImageSize } from './itemImage.ts';

export interface ServerIconsOptions {
  readonly registry: Pick<ServerRegistry, 'get'>;
  readonly http: HttpClient;
  readonly clock: Clock;
}

export type ServerIcons = ReturnType<typeof createServerIcons>;

/**
 * The pictures of servers and what they list. Those at https addresses of the server are fetched once in a window, when a row
 * first shows them; a bounded number at once, and per server.
 */
export function createServerIcons(options: ServerIconsOptions) {
  const didArrive = new Emitter<string>();
  /** By server and origin, then by address. */
  const known = new Map<string, Map<string, FetchedIcon>>();
  let waiting: (() => Promise<void>)[] = [];
  let running = 0;

  function fetched(server: string, src: string): FetchedIcon {
    const origin = options.registry.get(server)?.server.session?.origin;
    if (origin === undefined || !src.startsWith(`${origin}/`) || !origin.startsWith('https:')) return undefined;
    const icons = getOrMake(known, `${server} ${origin}`, () => new Map<string, FetchedIcon>());
    if (icons.has(src)) return icons.get(src);
    if (icons.size >= limits.icon.perServer || !isSwitchedOn('icons.fetch')) return undefined;
    icons.set(src, null);
    waiting.push(async () => {
      const icon = await fetchIcon(src, origin, options);
      icons.set(src, icon);
      if (icon !== undefined) didArrive.fire(server);
    });
    next();
    return null;
  }

  function next(): void {
    const task = running < limits.icon.concurrentRequests ? waiting.shift() : undefined;
    if (task === undefined) return;
    running += 1;
    void task().finally(() => {
      running -= 1;
      next();
    });
  }

  return {
    onDidArrive: didArrive.event,
    /** @param icons unchecked. @returns `undefined` while the picture is not at hand */
    of: (server: string, icons: unknown): ItemImage | undefined => itemImage(icons, (src) => fetched(server, src)),
    dispose(): void {
      waiting = [];
      didArrive.dispose();
    },
  };
}

const { bytes: maximumBytes, side: maximumSide, redirects: maximumRedirects, milliseconds: timeoutMs } = limits.icon;

const headers = { accept: 'image/png, image/jpeg, image/webp, image/gif, image/svg+xml;q=0.9' };

/**
 * Fetches an icon of a server from the server's own origin, without credentials, and leads nowhere else (2025-11-25,
 * basic, "Icons").
 * @param origin of the server's address
 * @returns a `data:` URI made by Patchbay; `undefined` for anything that is not an icon, too large, at another origin,
 *   or too late
 */
export async function fetchIcon(
  src: string,
  origin: string,
  { http, clock }: Pick<ServerIconsOptions, 'http' | 'clock'>,
): Promise<string | undefined> {
  const timeout = new AbortController();
  const timer = clock.after(timeoutMs, () => timeout.abort());
  try {
    const response = await follow(src, origin, (url) =>
      http.send({ method: 'GET', url, headers, signal: timeout.signal }),
    );
    const bytes = response && (await readBytes(response));
    const mimeType = bytes && typeOf(bytes);
    return mimeType === undefined
      ? undefined
      : `data:${mimeType};base64,${Buffer.from(bytes ?? []).toString('base64')}`;
  } catch {
    // A missing icon is not worth a message: the row keeps its default icon.
    return undefined;
  } finally {
    timer.dispose();
  }
}

/** @returns the answer that may be an icon, after redirects within the origin */
async function follow(
  src: string,
  origin: string,
  get: (url: URL) => Promise<HttpResponse>,
): Promise<HttpResponse | undefined> {
  let url = ownAddress(src, undefined, origin);
  for (let redirects = 0; url !== undefined && redirects <= maximumRedirects; redirects += 1) {
    const response = await get(url);
    if (response.ok) return response;
    response.body.cancel();
    const isRedirect = response.status >= 300 && response.status <= 399;
    url = ownAddress(isRedirect ? response.headers.get('location') : undefined, url, origin);
  }
  return undefined;
}

/** @returns the address where it is https, of the server's own origin, and without user name and password */
function ownAddress(text: string | undefined, base: URL | undefined, origin: string): URL | undefined {
  if (text === undefined || !URL.canParse(text, base)) return undefined;
  const url = new URL(text, base);
  url.hash = '';
  const isOwn = url.protocol === 'https:' && url.origin === origin && url.username === '' && url.password === '';
  return isOwn ? url : undefined;
}

/** @returns `undefined` for a body that is too long, of which no more is read */
async function readBytes({ body }: HttpResponse): Promise<Uint8Array | undefined> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const piece = await body.read();
    if (piece === undefined) return new Uint8Array(Buffer.concat(pieces));
    pieces.push(piece);
    length += piece.length;
    if (length <= maximumBytes) continue;
    body.cancel();
    return undefined;
  }
}

/** The media type by the bytes, not by what the response says. */
function typeOf(bytes: Uint8Array): string | undefined {
  const size = readImageSize(bytes);
  if (size !== undefined) return Math.max(size.width, size.height) <= maximumSide ? size.mimeType : undefined;
  return isSvg(bytes) ? 'image/svg+xml' : undefined;
}

/** One that defines entities can grow without end as it is read. It is only ever shown as an image, where no script runs. */
function isSvg(bytes: Uint8Array): boolean {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const root = text.replace(
      /^\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--(?:[^-]|-(?!->))*-->\s*)*(?:<!DOCTYPE svg[^[>]*>\s*)?/,
      '',
    );
    return /^<svg[\s>]/.test(root) && !text.includes('<!ENTITY');
  } catch {
    // Not text.
    return false;
  }
}
