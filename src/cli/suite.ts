import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { PatchbayError } from '../base/errors.ts';
import { absoluteOr } from '../config/variables.ts';
import { findSuite, installSuite, suiteIn, type SuiteHome } from '../workshop/suite/installSuite.ts';
import type { CheckOptions } from '../workshop/suite/checkServer.ts';
import type { Options } from './arguments.ts';
import { UsageError } from './exitCodes.ts';
import type { Surroundings } from './targets.ts';

const advice = 'Run "patchbay check --install-suite", or name the folder of the package with --suite.';

/**
 * Finds the official suite, and installs it first where the options ask for it.
 * @throws {UsageError} for a suite that the options ask for, and that cannot run
 */
export async function findSuiteFor(
  { suite, flags }: Options,
  { cwd, environment, output }: Surroundings,
  signal: AbortSignal,
): Promise<CheckOptions['suite']> {
  const { platform } = process;
  const home: SuiteHome = {
    folder: join(cacheFolder(environment, platform), 'patchbay', 'suite'),
    environment,
    platform,
  };
  if (suite === undefined && !flags.has('install-suite')) return findSuite(home, signal, advice);
  if (suite === undefined) output.note(`Installing the official suite into ${home.folder}, where it is missing.`);
  const found = suite === undefined ? await install(home, signal) : await suiteIn(resolve(cwd, suite), home, signal);
  // A report without the suite that was asked for would look complete.
  if ('missing' in found) throw new UsageError(found.missing);
  return found;
}

async function install(home: SuiteHome, signal: AbortSignal): Promise<CheckOptions['suite']> {
  try {
    return await installSuite(home, { signal });
  } catch (error) {
    if (error instanceof PatchbayError) return { missing: error.message };
    throw error;
  }
}

/** Where programs of the person keep what they can have again. */
function cacheFolder(environment: SuiteHome['environment'], platform: NodeJS.Platform): string {
  if (platform === 'win32') return absoluteOr(environment['LOCALAPPDATA'], join(homedir(), 'AppData', 'Local'));
  if (platform === 'darwin') return join(homedir(), 'Library', 'Caches');
  return absoluteOr(environment['XDG_CACHE_HOME'], join(homedir(), '.cache'));
}
