/** Variables by name. `undefined` counts as absent, as in `process.env`. */
export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

/**
 * What a server inherits on Linux and macOS. Each is a place, a locale or an identity, none grants anything by itself.
 * Left out on purpose, to be handed on by name with `env`: agents and sessions (`SSH_AUTH_SOCK`, `DISPLAY`, `DBUS_*`),
 * every token, and what changes how a runtime loads code (`NODE_OPTIONS`, `LD_PRELOAD`, `PYTHONPATH`).
 */
const posixNames: readonly string[] = [
  'HOME',
  'LANG',
  'LANGUAGE',
  'LOGNAME',
  'PATH',
  'SHELL',
  'TERM',
  'TMPDIR',
  'TZ',
  'USER',
  'XDG_CACHE_HOME',
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'XDG_RUNTIME_DIR',
  'XDG_STATE_HOME',
];

/** The same for Windows, where a process without `SYSTEMROOT` cannot even open a socket. */
const windowsNames: readonly string[] = [
  'APPDATA',
  'COMSPEC',
  'HOMEDRIVE',
  'HOMEPATH',
  'LOCALAPPDATA',
  'NUMBER_OF_PROCESSORS',
  'OS',
  'PATH',
  'PATHEXT',
  'PROCESSOR_ARCHITECTURE',
  'PROGRAMDATA',
  'PROGRAMFILES',
  'PROGRAMFILES(X86)',
  'PROGRAMW6432',
  'SYSTEMDRIVE',
  'SYSTEMROOT',
  'TEMP',
  'TMP',
  'USERDOMAIN',
  'USERNAME',
  'USERPROFILE',
  'WINDIR',
];

/** Files of trusted certificates: without them nothing can be fetched through a company's inspecting proxy. */
const certificateNames: readonly string[] = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_DIR', 'SSL_CERT_FILE'];

/** `npx` and `uvx` cannot fetch a server without them. One that holds a password stays out. */
const proxyNames: readonly string[] = ['ALL_PROXY', 'HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY'];

/**
 * The environment of a server: the safe part of `inherited`, then `configured` over it, where `null` takes a variable out.
 * On Windows names are compared without regard to case.
 */
export function buildEnvironment(
  inherited: EnvironmentVariables,
  configured: Readonly<Record<string, string | null>>,
  platform: NodeJS.Platform,
): Record<string, string> {
  const isInherited = createAllowList(platform);
  const result = new Map<string, string>();
  for (const [name, value] of Object.entries(inherited)) {
    if (value !== undefined && isInherited(name, value)) result.set(name, value);
  }
  for (const [name, value] of Object.entries(configured)) {
    if (platform === 'win32') deleteIgnoringCase(result, name);
    if (value === null) result.delete(name);
    else result.set(name, value);
  }
  return Object.fromEntries(result);
}

/** Looks a variable up as the platform does. */
export function readVariable(
  environment: EnvironmentVariables,
  name: string,
  platform: NodeJS.Platform,
): string | undefined {
  if (platform !== 'win32') return environment[name];
  const key = Object.keys(environment).find((other) => other.toUpperCase() === name.toUpperCase());
  return key === undefined ? undefined : environment[key];
}

function createAllowList(platform: NodeJS.Platform): (name: string, value: string) => boolean {
  const isWindows = platform === 'win32';
  const names = new Set([...(isWindows ? windowsNames : posixNames), ...certificateNames]);
  const proxies = new Set(proxyNames);
  return (name, value) => {
    // Old shells export functions as values that start like this, and run them on import ("Shellshock").
    if (value.startsWith('()')) return false;
    if (proxies.has(name.toUpperCase())) return !value.includes('@');
    return names.has(isWindows ? name.toUpperCase() : name) || (!isWindows && name.startsWith('LC_'));
  };
}

function deleteIgnoringCase(variables: Map<string, string>, name: string): void {
  for (const other of variables.keys()) {
    if (other.toUpperCase() === name.toUpperCase()) variables.delete(other);
  }
}
