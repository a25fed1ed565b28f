import { isThisComputer } from '../../base/hostKind.ts';

interface Cookie {
  readonly value: string;
  readonly path: string;
  /** Milliseconds since the epoch. */
  readonly endsAt: number;
}

const maximumCookies = 50;
const maximumLength = 4_096;

/**
 * The cookies of one connection: load balancers keep a session on its node by one. They are sent to the origin that set them, are
 * in memory only, and end with the connection (RFC 6265, section 5). Not `tough-cookie`: the lists of domains, which are most of it,
 * serve jars that hold the cookies of several sites.
 */
export class Cookies {
  /** By name and path. */
  readonly #cookies = new Map<string, Cookie>();

  /** @param now milliseconds since the epoch */
  store(url: URL, headers: readonly string[], now: number): void {
    for (const header of headers) {
      const [pair = '', ...attributes] = header.split(';').map((part) => part.trim());
      const equals = pair.indexOf('=');
      if (equals <= 0 || pair.length > maximumLength || !/^[\x20-\x7e]*$/.test(pair)) continue;
      const of = (name: string): string | undefined =>
        attributes.find((attribute) => attribute.toLowerCase().startsWith(`${name}=`))?.slice(name.length + 1);
      const isSecure = attributes.some((attribute) => attribute.toLowerCase() === 'secure');
      if (isSecure && url.protocol !== 'https:' && !isThisComputer(url.hostname)) continue;
      const path = of('path');
      const cookie = {
        value: pair.slice(equals + 1),
        path: path?.startsWith('/') === true ? path : defaultPath(url),
        endsAt: endOf(of('max-age'), of('expires'), now),
      };
      const key = `${pair.slice(0, equals)}=${cookie.path}`;
      this.#cookies.delete(key);
      if (cookie.endsAt <= now) continue;
      this.#cookies.set(key, cookie);
      const [oldest] = this.#cookies.keys();
      if (oldest !== undefined && this.#cookies.size > maximumCookies) this.#cookies.delete(oldest);
    }
  }

  /** @returns the header for a request to the same origin; `undefined` without a cookie for it */
  header({ pathname }: URL, now: number): string | undefined {
    const sent: string[] = [];
    for (const [key, { value, path, endsAt }] of this.#cookies)
      if (endsAt > now && isBelow(pathname, path)) sent.push(`${key.slice(0, key.indexOf('='))}=${value}`);
    return sent.length === 0 ? undefined : sent.join('; ');
  }
}

function isBelow(pathname: string, path: string): boolean {
  return pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`);
}

function defaultPath({ pathname }: URL): string {
  return pathname.slice(0, Math.max(1, pathname.lastIndexOf('/')));
}

function endOf(maxAge: string | undefined, expires: string | undefined, now: number): number {
  if (maxAge !== undefined && /^-?\d{1,12}$/.test(maxAge)) return now + Number(maxAge) * 1_000;
  const date = expires === undefined ? NaN : Date.parse(expires);
  return Number.isNaN(date) ? Infinity : date;
}
