import { canonicalHost, describeHostKind, hostKindOf, hostSpellings } from '../../base/hostKind.ts';
import { capitalized } from '../../base/truncate.ts';
import { type AppDomains, type AppMetadata, type AppPermission, appPermissions } from '../../protocol/mcp/apps.ts';

/** What an app may reach beyond its own document: sources of a content security policy, and permissions. */
export interface AppReach extends AppDomains {
  readonly permissions: readonly AppPermission[];
}

export interface DeclaredReach {
  readonly reach: AppReach;
  /** What was declared and is not given, one sentence each. */
  readonly refused: readonly string[];
}

/** An app that reaches nothing: the restrictive default (SEP-1865, "Host Behavior"). */
export const noReach: AppReach = { connect: [], resources: [], frames: [], baseUris: [], permissions: [] };

/** True if there is nothing to ask a person about. */
export function isNoReach(reach: AppReach): boolean {
  return Object.values(reach).every((list: readonly string[]) => list.length === 0);
}

/**
 * An origin, perhaps with a wildcard for subdomains. All else is refused: keywords, schemes alone, `*`, and whatever could end
 * the directive or the attribute that it is written into.
 */
const source = /^(?:(https?|wss?):\/\/)?(\*\.)?((?:[a-z0-9_-]+\.)*[a-z0-9_-]+|\[[0-9a-f:.]+\])(:\d{1,5}|:\*)?\/?$/i;

/**
 * Checks what an app declares.
 * @param blocked domains that no app may reach, with all of their subdomains
 */
export function readReach({ domains, permissions, domain }: AppMetadata, blocked: readonly string[]): DeclaredReach {
  const refused: string[] = [];
  const usable = (list: readonly string[]): readonly string[] => {
    const kept = new Set<string>();
    for (const entry of list) {
      const [whole, scheme = 'https', wildcard = '', written = '', port = ''] = source.exec(entry.trim()) ?? [];
      const host = whole === undefined ? undefined : canonicalHost(written);
      // A number has no subdomains.
      const isTooWide = wildcard !== '' && (!written.includes('.') || (host !== undefined && /^\[|\d$/.test(host)));
      if (host === undefined || isTooWide) refused.push(`${JSON.stringify(entry.slice(0, 200))} is not an origin.`);
      else if (isBlocked(host, wildcard !== '', blocked)) refused.push(`${written} is blocked by your settings.`);
      else kept.add(`${scheme.toLowerCase()}://${wildcard}${host}${port}`);
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

/**
 * A wildcard reaches subdomains: it is blocked too if one of them is. An entry for this computer blocks all of its names.
 * @param host in its one spelling
 */
function isBlocked(host: string, hasWildcard: boolean, blocked: readonly string[]): boolean {
  const isOwn = hostKindOf(host) === 'thisComputer';
  const spellings = hostSpellings(host);
  return blocked.some((entry) => {
    const other = hostIn(entry);
    if (other === undefined) return false;
    if (isOwn && hostKindOf(other) === 'thisComputer') return true;
    if (hostSpellings(other).some((spelling) => spellings.includes(spelling))) return true;
    return host.endsWith(`.${other}`) || (hasWildcard && other.endsWith(`.${host}`));
  });
}

/** The host of an entry that a person wrote, who may have written an address, a port or a wildcard. */
function hostIn(entry: string): string | undefined {
  const text = entry
    .trim()
    .replace(/^[a-z]+:\/\//i, '')
    .replace(/^\*?\./, '');
  const [whole = ''] = /^(?:\[[^\]]*\]|[^/]*)/.exec(text) ?? [];
  return canonicalHost(whole.replace(/:\*$/, ''));
}

/**
 * The content security policy of an app (SEP-1865, "Content Security Policy Enforcement"): what is declared and approved, and
 * nothing more. `'self'` is left out, as it means nothing in a frame without an origin.
 * @param evaluates the person lets the app run code that it makes: from text, as WebAssembly, in workers, as `data:` and `blob:`
 * scripts. It reaches no more
 * @param own source of the page around the app, whose policy the app's frame inherits: for its own script and styles
 */
export function policyOf({ connect, resources, frames, baseUris }: AppReach, evaluates: boolean, own = ''): string {
  const directive = (name: string, ...sources: readonly string[]): string => {
    const given = sources.filter((each) => each !== '');
    return `${name} ${given.length === 0 ? `'none'` : given.join(' ')}`;
  };
  // What the app has made itself, and keeps in its own memory. It is harmless where it is no code.
  const made = ['blob:', 'data:'];
  return [
    directive('default-src'),
    // The app alone gets the sample, with the event of what was blocked.
    directive(
      'script-src',
      `'unsafe-inline'`,
      `'report-sample'`,
      own,
      ...(evaluates ? [`'unsafe-eval'`, ...made] : []),
      ...resources,
    ),
    ...(evaluates ? [directive('worker-src', ...made)] : []),
    directive('style-src', `'unsafe-inline'`, own, ...resources),
    directive('img-src', ...made, ...resources),
    directive('media-src', ...made, ...resources),
    directive('font-src', own, ...resources),
    directive('connect-src', ...made, ...connect),
    directive('frame-src', ...frames),
    directive('object-src'),
    directive('base-uri', ...baseUris),
    directive('form-action'),
  ].join('; ');
}

/** Where a server declares the domains of a directive (SEP-1865, `McpUiResourceCsp`). */
const declarations: readonly (readonly [declaration: string, ...directives: readonly string[]])[] = [
  ['connectDomains', 'connect-src'],
  ['resourceDomains', 'script-src', 'style-src', 'img-src', 'media-src', 'font-src'],
  ['frameDomains', 'frame-src'],
  ['baseUriDomains', 'base-uri'],
];

/**
 * A sentence on what a policy has blocked, for those who build the app.
 * @param blocked a directive and an address, as the script in the app's frame says it; unchecked
 */
export function blockedSentence(blocked: string): string {
  const [directive = '', address = ''] = blocked.split(' ');
  const [declaration] = declarations.find((row) => row.includes(directive.replace(/-(elem|attr)$/, ''), 1)) ?? [];
  const canAsk = declaration !== undefined && /^(https?|wss?):/.test(address);
  const asked = canAsk ? ` Its server can ask for the domain in _meta.ui.csp.${declaration}.` : '';
  const advice = isEvaluation(blocked)
    ? " “Allow for This App…” in the app's tab allows it; after a no, use “Review Permissions…”."
    : asked;
  return `Its policy has blocked ${blocked}.${advice}`;
}

/** True for what {@link policyOf} allows where the app may run code that it makes. */
export function isEvaluation(blocked: string): boolean {
  return /^(?:script|worker)-src\S* (?:eval|wasm-eval|blob|data)$/.test(blocked);
}

const features: Readonly<Record<AppPermission, string>> = {
  camera: 'camera',
  microphone: 'microphone',
  geolocation: 'geolocation',
  clipboardWrite: 'clipboard-write',
};

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

const permissionWords: Readonly<Record<AppPermission, string>> = {
  camera: 'Use your camera',
  microphone: 'Use your microphone',
  geolocation: 'Learn where you are',
  clipboardWrite: 'Write to your clipboard',
};

/** What an app may do that the person has let run code that it makes. */
export const codeLine = 'Run generated code: from text, as WebAssembly, in workers';

/** What an app may do at a place, by the list that the place is in. */
const placeWords = {
  connect: (place: string) => `send to and get from ${place}`,
  resources: (place: string) => `load scripts, styles, pictures and sound from ${place}`,
  frames: (place: string) => `show pages of ${place} inside itself`,
  baseUris: (place: string) => `make addresses relative to ${place}`,
} as const;

/** What an app may reach, a line for each place and each permission. */
export function reachInWords(reach: AppReach) {
  const lists = Object.entries(placeWords) as [keyof typeof placeWords, (place: string) => string][];
  const places = new Set(lists.flatMap(([list]) => reach[list]));
  const placeLines = [...places].map((place) => {
    const [first, ...others] = lists.filter(([list]) => reach[list].includes(place)).map(([, words]) => words);
    const line = [first?.(placed(place)), ...others.map((words) => words('it'))].join('; ');
    return capitalized(line);
  });
  return { places: placeLines, permissions: reach.permissions.map((permission) => permissionWords[permission]) };
}

/** The same in one list; empty if nothing. */
export function reachLines(reach: AppReach): readonly string[] {
  return Object.values(reachInWords(reach)).flat();
}

/** A source of a policy, with where it is if that is no public host: "http://127.0.0.1:* (this computer)". */
function placed(from: string): string {
  const host = from.replace(/^[a-z]+:\/\/(?:\*\.)?/, '').replace(/:[\d*]+$/, '');
  const place = describeHostKind(host);
  return place === undefined ? from : `${from} (${place})`;
}
