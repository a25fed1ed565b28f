import { mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { CancelSignal } from '../../base/abort.ts';
import { messageOf, PatchbayError } from '../../base/errors.ts';
import { isRecord, parseJson } from '../../base/json.ts';
import type { EnvironmentVariables } from '../../transport/stdio/environment.ts';
import { findCommand } from '../../transport/stdio/findCommand.ts';
import { readOrdinaryFile } from '../../transport/stdio/ordinaryFile.ts';
import { runProgram } from './runProgram.ts';
import type { SuiteProgram } from './runSuite.ts';
import { suitePackage } from './suiteData.ts';

/** Where the suite is kept, and what runs it. */
export interface SuiteHome {
  /** Absolute; made by the installation. */
  readonly folder: string;
  /** The environment of a terminal, in which Node and npm are searched. */
  readonly environment: EnvironmentVariables;
  readonly platform: NodeJS.Platform;
}

export interface InstallOptions {
  readonly signal: CancelSignal;
  /** Another package than the suite, for tests. */
  readonly wanted?: { readonly name: string; readonly version: string; readonly integrity: string };
}

const nodeTimeoutMs = 10_000;
const npmTimeoutMs = 5 * 60_000;
const maximumLockBytes = 4 * 1024 * 1024;

const installCommand = 'Run the command Install the Official Test Suite.';

/**
 * @param advice how to install it, a sentence
 * @returns the installed suite; or why it cannot run, full sentences with what to do
 */
export async function findSuite(
  home: SuiteHome,
  signal: CancelSignal,
  advice = installCommand,
): Promise<SuiteProgram | { missing: string }> {
  const script = scriptIn(folderOf(home));
  if (!(await isFile(script))) return { missing: `The official suite is not installed. ${advice}` };
  return suiteOf(script, home, signal);
}

/** @param folder of the package, wherever it is. @returns see {@link findSuite} */
export async function suiteIn(
  folder: string,
  home: SuiteHome,
  signal: CancelSignal,
): Promise<SuiteProgram | { missing: string }> {
  const script = join(folder, 'dist', 'index.js');
  if (!(await isFile(script))) return { missing: `The official suite is not in ${folder}: there is no dist/index.js.` };
  return suiteOf(script, home, signal);
}

async function suiteOf(
  script: string,
  home: SuiteHome,
  signal: CancelSignal,
): Promise<SuiteProgram | { missing: string }> {
  try {
    return { node: await findNode(home, signal), script };
  } catch (error) {
    if (!(error instanceof PatchbayError)) throw error;
    return { missing: error.message };
  }
}

/**
 * Installs the exact version of the suite with npm, without its scripts, beside what is there, and takes it into use once its
 * integrity was checked. Two at once harm nothing: the second one's copy is dropped.
 * @throws {PatchbayError} `spawnFailed`: Node or npm is missing or too old, or npm failed; `notVerified`; or the signal's reason
 */
export async function installSuite(home: SuiteHome, options: InstallOptions): Promise<SuiteProgram> {
  const { signal, wanted = suitePackage } = options;
  const node = await findNode(home, signal);
  const npm = await find('npm', home, 'npm was not found in PATH. It is part of Node.js: install that, and try again.');
  const target = folderOf(home);
  if (await isFile(scriptIn(target))) return { node, script: scriptIn(target) };
  await mkdir(home.folder, { recursive: true, mode: 0o700 });
  const staging = await mkdtemp(join(home.folder, 'new-'));
  try {
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--save-exact', '--loglevel=error'];
    const args = ['install', ...flags, '--prefix', staging, `${wanted.name}@${wanted.version}`];
    const run = { env: home.environment, platform: home.platform, signal, timeoutMs: npmTimeoutMs };
    await runProgram({ ...run, file: npm, args, cwd: staging });
    await assertIntegrity(staging, wanted);
    // A window that was faster has the same.
    await rename(staging, target).catch(async (error: unknown) => {
      if (!(await isFile(scriptIn(target)))) throw error;
    });
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
  return { node, script: scriptIn(target) };
}

function folderOf({ folder }: SuiteHome): string {
  return join(folder, suitePackage.version);
}

function scriptIn(folder: string): string {
  return join(folder, 'node_modules', ...suitePackage.name.split('/'), 'dist', 'index.js');
}

/** @throws {PatchbayError} `spawnFailed`: it is missing or too old; a sentence with what to do */
export async function findNode(home: SuiteHome, signal: CancelSignal): Promise<string> {
  const advice = `Install Node.js ${suitePackage.minimumNode} or newer, and try again.`;
  const file = await find('node', home, `Node.js was not found in PATH. ${advice}`);
  const { environment: env, platform } = home;
  const run = { file, args: ['--version'], cwd: rootOf(platform), env, platform, signal, timeoutMs: nodeTimeoutMs };
  const version = (await runProgram(run)).trim();
  const major = Number(/^v(\d+)\./.exec(version)?.[1] ?? 0);
  if (major >= suitePackage.minimumNode) return file;
  const found = /^v[\d.]+$/.test(version) ? version : 'another version';
  throw new PatchbayError(
    'spawnFailed',
    `The official suite needs Node.js ${suitePackage.minimumNode}; ${file} is ${found}. ${advice}`,
  );
}

/** A folder that is there on every machine: nothing is searched in it. */
function rootOf(platform: NodeJS.Platform): string {
  return platform === 'win32' ? process.cwd() : '/';
}

async function find(command: string, { environment, platform }: SuiteHome, missing: string): Promise<string> {
  try {
    return await findCommand(command, rootOf(platform), environment, platform);
  } catch (error) {
    throw new PatchbayError('spawnFailed', missing, { cause: error });
  }
}

/** npm checks the package against what the registry says; this checks what the registry says. */
async function assertIntegrity(folder: string, { name, version, integrity }: NonNullable<InstallOptions['wanted']>) {
  const text = await readOrdinaryFile(join(folder, 'package-lock.json'), maximumLockBytes).catch((cause: unknown) => {
    const message = `The lock file of npm ${messageOf(cause)}. The suite was not installed.`;
    throw new PatchbayError('notVerified', message, { cause });
  });
  const lock = parseJson(text);
  const packages = isRecord(lock) && isRecord(lock['packages']) ? lock['packages'] : {};
  const found = packages[`node_modules/${name}`];
  if (isRecord(found) && found['version'] === version && found['integrity'] === integrity) return;
  throw new PatchbayError(
    'notVerified',
    `The registry of npm has another ${name} ${version} than the one that Patchbay knows. It was not installed.`,
  );
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() === true;
}
