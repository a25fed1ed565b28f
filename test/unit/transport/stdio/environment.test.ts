import { describe, expect, it } from 'vitest';
import { buildEnvironment, readVariable } from '../../../../src/transport/stdio/environment.ts';

/** An environment with the given variables, each with its name as the value. */
function named(names: string): Record<string, string> {
  return Object.fromEntries(names.split(' ').map((name) => [name, name]));
}

const secrets = named(
  'AWS_SECRET_ACCESS_KEY DISPLAY ELECTRON_RUN_AS_NODE GITHUB_TOKEN LD_PRELOAD NODE_OPTIONS PYTHONPATH ' +
    'SSH_AUTH_SOCK VSCODE_IPC_HOOK_CLI',
);

// The list decides which variables every server receives. The literals here make every change of it visible.
const posix = named(
  'HOME LANG LANGUAGE LC_ALL LC_CTYPE LOGNAME PATH SHELL TERM TMPDIR TZ USER XDG_CACHE_HOME XDG_CONFIG_HOME ' +
    'XDG_DATA_HOME XDG_RUNTIME_DIR XDG_STATE_HOME NODE_EXTRA_CA_CERTS SSL_CERT_DIR SSL_CERT_FILE ALL_PROXY ' +
    'HTTPS_PROXY HTTP_PROXY NO_PROXY all_proxy https_proxy http_proxy no_proxy',
);

const windows = named(
  'APPDATA ComSpec HOMEDRIVE HOMEPATH LOCALAPPDATA NUMBER_OF_PROCESSORS OS Path PATHEXT ' +
    'PROCESSOR_ARCHITECTURE ProgramData ProgramFiles ProgramFiles(x86) ProgramW6432 SystemDrive SystemRoot ' +
    'TEMP TMP USERDOMAIN USERNAME USERPROFILE windir NODE_EXTRA_CA_CERTS SSL_CERT_DIR SSL_CERT_FILE ALL_PROXY ' +
    'HTTPS_PROXY HTTP_PROXY NO_PROXY',
);

const noCurrentFolder = { NoDefaultCurrentDirectoryInExePath: '1' };

describe('buildEnvironment', () => {
  it('hands on exactly the safe variables of Linux and macOS', () => {
    for (const platform of ['linux', 'darwin'] as const) {
      expect(buildEnvironment({ ...posix, ...secrets, Path: 'x', APPDATA: 'x' }, {}, platform)).toEqual(posix);
    }
  });

  it('hands on exactly the safe variables of Windows, under the names they have', () => {
    expect(buildEnvironment({ ...windows, ...secrets, LC_ALL: 'x', SHELL: 'x' }, {}, 'win32')).toEqual({
      ...windows,
      ...noCurrentFolder,
    });
  });

  it('leaves out exported functions, proxies with a password and absent values', () => {
    const inherited = { HOME: '() { :; }; echo', HTTPS_PROXY: 'http://me:secret@proxy:8080', PATH: undefined };
    expect(buildEnvironment(inherited, {}, 'linux')).toEqual({});
  });

  it('lets configured variables replace, add and remove', () => {
    const result = buildEnvironment({ HOME: '/h', LANG: 'C' }, { HOME: '/other', TOKEN: 't', LANG: null }, 'linux');
    expect(result).toEqual({ HOME: '/other', TOKEN: 't' });
  });

  it('lets cmd.exe find no program in the working folder, whatever is configured', () => {
    const configured = { NODEFAULTCURRENTDIRECTORYINEXEPATH: null, NoDefaultCurrentDirectoryInExePath: '' };
    expect(buildEnvironment({}, configured, 'win32')).toEqual(noCurrentFolder);
    expect(buildEnvironment({}, {}, 'linux')).toEqual({});
  });

  it('tells cases apart except on Windows', () => {
    expect(buildEnvironment({ PATH: 'a' }, { Path: 'b' }, 'linux')).toEqual({ PATH: 'a', Path: 'b' });
    expect(buildEnvironment({ Path: 'a', TEMP: 't' }, { PATH: 'b', temp: null }, 'win32')).toEqual({
      PATH: 'b',
      ...noCurrentFolder,
    });
  });
});

describe('readVariable', () => {
  it('ignores case on Windows only', () => {
    expect(readVariable({ Path: 'a' }, 'PATH', 'win32')).toBe('a');
    expect(readVariable({ Path: 'a' }, 'PATH', 'linux')).toBeUndefined();
  });
});
