import { type AppMetadata, type AppPermission, appPermissions } from '../../protocol/mcp/appMetadata.ts';

/** What an app may reach beyond its own document: sources of a content security policy, and permissions. */
export interface AppReach {
  /** Where it may send requests. */
  readonly connect: readonly string[];
  /** Where scripts, styles, fonts, pictures and media may come from. */
  readonly resources: readonly string[];
  /** Which pages it may show inside itself. */
  readonly frames: readonly string[];
  /** What relative addresses may be relative to. */
  readonly baseUris: readonly string[];
  readonly permissions: readonly AppPermission[];
}

/** What an app declares, checked. */
export interface DeclaredReach {
  readonly reach: AppReach;
  /** What was declared and is not given, one sentence each. */
  readonly refused: readonly string[];
}

/** An app that reaches nothing: the restrictive default (SEP-1865, "Host Behavior"). */
export const noReach: AppReach = { connect: [], resources: [], frames: [], baseUris: [], permissions: [] };

/** True if there is nothing to ask a person about. */
export function isNoReach({ connect, resources, frames, baseUris, permissions }: AppReach): boolean {
  return [connect, resources, frames, baseUris, permissions].every((list) => list.length === 0);
}

/**
 * An origin, perhaps with a wildcard for subdomains. All else is refused: keywords, schemes alone, `*`, and whatever could end
 * the directive or the attribute that it is written into.
 */
const source = /^(?:(https?|wss?):\/\/)?(\*\.)?((?:[a-z0-9_-]+\.)*[a-z0-9_-]+|\[[0-9a-f:]+\])(:\d{1,5}|:\*)?\/?$/i;

/**
 * Checks what an app declares.
 * @param blocked domains that no app may reach, with all of their subdomains
 */
export function readReach({ domains, permissions, domain }: AppMetadata, blocked: readonly string[]): DeclaredReach {
  const refused: string[] = [];
  const usable = (list: readonly string[]): readonly string[] => {
    const kept = new Set<string>();
    for (const entry of list) {
      const [whole, scheme = 'https', wildcard = '', host = '', port = ''] = source.exec(entry.trim()) ?? [];
      const isTooWide = wildcard !== '' && !host.includes('.');
      if (whole === undefined || isTooWide) refused.push(`${JSON.stringify(entry.slice(0, 200))} is no origin.`);
      else if (isBlocked(host, wildcard !== '', blocked)) refused.push(`${host} is blocked by your settings.`);
      else kept.add(`${scheme.toLowerCase()}://${wildcard}${host.toLowerCase()}${port}`);
    }
    return [...kept].toSorted();
  };
  const reach = {
    connect: usable(domains.connect),
    resources: usable(domains.resources),
    frames: usable(domains.frames),
    baseUris: usable(domains.baseUris),
    permissions,
  };
  if (domain !== undefined) refused.push('It asks for an origin of its own, which it cannot have here.');
  return { reach, refused: refused.slice(0, 20) };
}

/** A wildcard reaches subdomains: it is blocked too if one of them is. */
function isBlocked(host: string, hasWildcard: boolean, blocked: readonly string[]): boolean {
  const name = host.toLowerCase();
  return blocked.some((entry) => {
    const other = hostIn(entry);
    if (other === '') return false;
    return name === other || name.endsWith(`.${other}`) || (hasWildcard && other.endsWith(`.${name}`));
  });
}

/** The host of an entry that a person wrote, who may have written an address or a wildcard. */
function hostIn(entry: string): string {
  const text = entry
    .trim()
    .toLowerCase()
    .replace(/^[a-z]+:\/\//, '')
    .replace(/^\*?\./, '');
  return /^(\[[0-9a-f:]*\]|[^/:]*)/.exec(text)?.[1] ?? '';
}

/**
 * The content security policy of an app (SEP-1865, "Content Security Policy Enforcement"): what is declared and approved, and
 * nothing more. `'self'` is left out, as it means nothing in a frame without an origin.
 */
export function policyOf(reach: AppReach): string {
  return toPolicy(reach, '');
}

/**
 * The policy of the page around the app, which the app's frame inherits: the same, and the page's own script and styles.
 * @param cspSource of the webview
 */
export function proxyPolicyOf(reach: AppReach, cspSource: string): string {
  return toPolicy(reach, cspSource);
}

function toPolicy({ connect, resources, frames, baseUris }: AppReach, own: string): string {
  const directive = (name: string, ...sources: readonly string[]): string => {
    const given = sources.filter((each) => each !== '');
    return `${name} ${given.length === 0 ? `'none'` : given.join(' ')}`;
  };
  return [
    directive('default-src'),
    directive('script-src', `'unsafe-inline'`, own, ...resources),
    directive('style-src', `'unsafe-inline'`, own, ...resources),
    directive('img-src', 'data:', ...resources),
    directive('media-src', 'data:', ...resources),
    directive('font-src', own, ...resources),
    directive('connect-src', ...connect),
    directive('frame-src', ...frames),
    directive('object-src'),
    directive('base-uri', ...baseUris),
    directive('form-action'),
  ].join('; ');
}

const features: Readonly<Record<AppPermission, string>> = {
  camera: 'camera',
  microphone: 'microphone',
  geolocation: 'geolocation',
  clipboardWrite: 'clipboard-write',
};

/** The `allow` attribute of the app's frame. */
export function allowOf({ permissions }: AppReach): string {
  return permissions.map((name) => features[name]).join('; ');
}

/** What was approved, as the app is told (SEP-1865, `HostCapabilities.sandbox`). */
export function describeReach({ connect, resources, frames, baseUris, permissions }: AppReach) {
  return {
    csp: {
      connectDomains: connect,
      resourceDomains: resources,
      frameDomains: frames,
      baseUriDomains: baseUris,
    },
    permissions: Object.fromEntries(
      appPermissions.filter((name) => permissions.includes(name)).map((name) => [name, {}]),
    ),
  };
}
