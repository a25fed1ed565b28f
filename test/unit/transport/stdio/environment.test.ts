import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createSystemClock } from '../../../../src/base/clock.ts';
import { buildEnvironment, readVariable } from '../../../../src/transport/stdio/environment.ts';
import { createLoginEnvironment } from '../../../../src/transport/stdio/loginShell.ts';
import { createManualClock } from '../../../fixtures/manualClock.ts';
import { temporaryFolder } from '../../../fixtures/temporaryFolder.ts';

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

  it.each([
    ['linux', { PATH: '/a' }, { PATH: '/b', Path: 'c' }, { PATH: '/a:/b', Path: 'c' }],
    ['linux', {}, { PATH: '/b' }, { PATH: '/b' }],
    ['linux', { PATH: '/a' }, { PATH: null }, {}],
    ['win32', { Path: 'A' }, { PATH: 'B' }, { PATH: 'A;B', ...noCurrentFolder }],
  ] as const)(
    'adds a configured PATH to the inherited one on demand (%s)',
    (platform, inherited, configured, expected) => {
      expect(buildEnvironment(inherited, configured, platform, true)).toEqual(expected);
    },
  );
  it('makes empty on Windows what Node.js would restore', () => {
    const inherited = { Path: 'a', TEMP: 't', APPDATA: 'd' };
    const configured = { PATH: null, SystemRoot: null, APPDATA: null };
    const rest = { TEMP: 't', ...noCurrentFolder };
    expect(buildEnvironment(inherited, configured, 'win32')).toEqual({ PATH: '', SystemRoot: '', ...rest });
    expect(buildEnvironment({ PATH: 'a' }, { PATH: null }, 'linux')).toEqual({});
  });

  it('tells cases apart except on Windows', () => {
    expect(buildEnvironment({ PATH: 'a' }, { Path: 'b' }, 'linux')).toEqual({ PATH: 'a', Path: 'b' });
    expect(buildEnvironment({ Path: 'a', TMP: 't' }, { PATH: 'b', tmp: null }, 'win32')).toEqual({
      PATH: 'b',
      ...noCurrentFolder,
    });
  });
});

it('readVariable ignores case on Windows only', () => {
  expect(readVariable({ Path: 'a' }, 'PATH', 'win32')).toBe('a');
  expect(readVariable({ Path: 'a' }, 'PATH', 'linux')).toBeUndefined();
});

let folder: string;

beforeEach(async () => {
  folder = await temporaryFolder();
});

/** A shell that runs `profile` before the command it is given as the last of its two arguments. */
async function makeShell(name: string, profile: string, after = ''): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, `#!/bin/sh\n${profile}\neval "$2"\n${after}`);
  await chmod(path, 0o755);
  return path;
}

function ask(shell: string | undefined, notes: string[] = [], clock = createSystemClock()) {
  const present = { PATH: '/usr/bin:/bin', EDITOR_ONLY: 'kept', ...(shell === undefined ? {} : { SHELL: shell }) };
  return createLoginEnvironment(present, clock, 'linux', (text) => notes.push(text));
}

describe.runIf(process.platform !== 'win32')('createLoginEnvironment', () => {
  it('adds what the profile sets, whatever it prints', async () => {
    const shell = await makeShell(
      'talkative',
      'echo "PATH=/wrong"; PATH="/opt/bin:$PATH"; export PATH; echo hello >&2',
    );
    const environment = await ask(shell)();
    expect(environment['PATH']).toBe('/opt/bin:/usr/bin:/bin');
    expect(environment['EDITOR_ONLY']).toBe('kept');
  });

  it('keeps values of several lines and hides what it set itself', async () => {
    const shell = await makeShell('lines', 'export POEM="one\ntwo"');
    const environment = await ask(shell)();
    expect(environment['POEM']).toBe('one\ntwo');
    expect(environment['VSCODE_RESOLVING_ENVIRONMENT']).toBeUndefined();
  });

  it('asks a real shell as a login and interactive one', async () => {
    expect((await ask('/bin/sh')())['PATH']).toContain('/bin');
  });

  it('asks once, and only when needed', async () => {
    const shell = await makeShell('counting', `echo run >> "${folder}/count"`);
    const environment = ask(shell);
    await expect(readFile(join(folder, 'count'))).rejects.toThrow('ENOENT');
    expect(await environment()).toBe(await environment());
    expect(await readFile(join(folder, 'count'), 'utf8')).toBe('run\n');
  });

  it('does not wait for a shell that lingers after its answer', async () => {
    const shell = await makeShell('lingering', 'export LINGERED=yes', 'sleep 1000\n');
    expect((await ask(shell)())['LINGERED']).toBe('yes');
  });

  it.each([
    ['exits early', 'exit 1', /printed no variables/],
    ['prints without end', 'yes', /printed too much/],
  ])('falls back with a note when the shell %s', async (name, profile, message) => {
    const notes: string[] = [];
    const environment = await ask(await makeShell(name.replaceAll(' ', '-'), profile), notes)();
    expect(environment['PATH']).toBe('/usr/bin:/bin');
    expect(notes).toEqual([expect.stringMatching(message)]);
  });

  it('falls back when the shell does not exist', async () => {
    const notes: string[] = [];
    expect(await ask('/no/such/shell', notes)()).toMatchObject({ EDITOR_ONLY: 'kept' });
    expect(notes).toHaveLength(1);
  });

  it('falls back when the shell takes too long', async () => {
    const clock = createManualClock();
    const notes: string[] = [];
    const answer = ask(await makeShell('slow', 'sleep 1000'), notes, clock)();
    await clock.advance(10_000);
    expect((await answer)['PATH']).toBe('/usr/bin:/bin');
    expect(notes).toEqual([expect.stringContaining('did not answer within 10 seconds')]);
  });

  it('asks nobody on Windows', async () => {
    const present = { Path: 'C:\\' };
    const environment = createLoginEnvironment(present, createManualClock(), 'win32', () => {});
    expect(await environment()).toBe(present);
  });
});
