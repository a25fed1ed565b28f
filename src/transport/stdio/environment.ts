/** Environment variables by name; `undefined` means absent, as in `process.env`. */
export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

/** Files of trusted certificates, needed behind a company proxy that inspects TLS. */
const certificateNames = 'NODE_EXTRA_CA_CERTS SSL_CERT_DIR SSL_CERT_FILE';

/**
 * Variables that a server inherits on Linux and macOS: folders, locale and user, none of which grants access. Excluded, and
 * only passed if configured in `env`: agents and sessions (`SSH_AUTH_SOCK`, `DISPLAY`, `DBUS_*`), all tokens, and variables
 * that change how a runtime loads code (`NODE_OPTIONS`, `LD_PRELOAD`, `PYTHONPATH`).
 */
const posixNames: ReadonlySet<string> = new Set(
  (
    'HOME LANG LANGUAGE LOGNAME PATH SHELL TERM TMPDIR TZ USER XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME ' +
    `XDG_RUNTIME_DIR XDG_STATE_HOME ${certificateNames}`
  ).split(' '),
);

/** The same for Windows, where a process needs `SYSTEMROOT` to open a socket. */
const windowsNames: ReadonlySet<string> = new Set(
  (
    'APPDATA COMSPEC HOMEDRIVE HOMEPATH LOCALAPPDATA NUMBER_OF_PROCESSORS OS PATH PATHEXT PROCESSOR_ARCHITECTURE ' +
    'PROGRAMDATA PROGRAMFILES PROGRAMFILES(X86) PROGRAMW6432 SYSTEMDRIVE SYSTEMROOT TEMP TMP USERDOMAIN USERNAME ' +
    `USERPROFILE WINDIR ${certificateNames}`
  ).split(' '),
);

/** What Node.js takes from its own environment where a variable of that name is missing; an empty one stays. */
const restoredNames: ReadonlySet<string> = new Set(
  'HOMEDRIVE HOMEPATH LOGONSERVER PATH SYSTEMDRIVE SYSTEMROOT TEMP USERDOMAIN USERNAME USERPROFILE WINDIR'.split(' '),
);

/** Keeps `cmd.exe`, and what it starts, from taking a program of the working folder for one of PATH. */
const noCurrentFolder = 'NoDefaultCurrentDirectoryInExePath';

/** Needed by `npx` and `uvx` to download a server. A value with a password is excluded. */
const proxyNames: readonly string[] = ['ALL_PROXY', 'HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY'];

/**
 * The environment of a server: the safe part of `inherited`, overridden by `configured`, where `null` removes a variable, or
 * makes it empty where Windows needs one. On Windows names are case-insensitive, and no program is searched in the working folder.
 * @param addsToPath a configured PATH is appended to the inherited one
 */
export function buildEnvironment(
  inherited: EnvironmentVariables,
  configured: Readonly<Record<string, string | null>>,
  platform: NodeJS.Platform,
  addsToPath = false,
): Record<string, string> {
  const result = new Map<string, string>();
  for (const [name, value] of Object.entries(inherited)) {
    if (value !== undefined && isInherited(name, value, platform)) result.set(name, value);
  }
  for (const [name, value] of Object.entries(configured)) {
    const isPath = addsToPath && (platform === 'win32' ? name.toUpperCase() : name) === 'PATH';
    const before = isPath ? (readVariable(inherited, name, platform) ?? '') : '';
    if (platform === 'win32') deleteIgnoringCase(result, name);
    if (value !== null)
      result.set(name, before === '' ? value : `${before}${platform === 'win32' ? ';' : ':'}${value}`);
    else if (platform === 'win32' && restoredNames.has(name.toUpperCase())) result.set(name, '');
    else result.delete(name);
  }
  if (platform === 'win32') {
    deleteIgnoringCase(result, noCurrentFolder);
    result.set(noCurrentFolder, '1');
  }
  return Object.fromEntries(result);
}

/** Reads a variable; on Windows its name is case-insensitive. */
export function readVariable(
  environment: EnvironmentVariables,
  name: string,
  platform: NodeJS.Platform,
): string | undefined {
  if (platform !== 'win32') return environment[name];
  const key = Object.keys(environment).find((other) => other.toUpperCase() === name.toUpperCase());
  return key === undefined ? undefined : environment[key];
}

/** The Windows folder. Read from the inherited environment, never from a configured one. */
export function systemRootOf(inherited: EnvironmentVariables): string {
  return readVariable(inherited, 'SYSTEMROOT', 'win32') ?? 'C:\\Windows';
}

function isInherited(name: string, value: string, platform: NodeJS.Platform): boolean {
  // Old versions of bash run such values as functions ("Shellshock").
  if (value.startsWith('()')) return false;
  if (proxyNames.includes(name.toUpperCase())) return !value.includes('@');
  if (platform === 'win32') return windowsNames.has(name.toUpperCase());
  return posixNames.has(name) || name.startsWith('LC_');
}

function deleteIgnoringCase(variables: Map<string, string>, name: string): void {
  for (const other of variables.keys()) {
    if (other.toUpperCase() === name.toUpperCase()) variables.delete(other);
  }
}
