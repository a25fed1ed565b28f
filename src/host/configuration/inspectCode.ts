import { open, realpath, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, relative, resolve, sep } from 'node:path';
import type { StdioLaunchPlan } from '../../base/launchPlan.ts';
import { limits } from '../../base/limits.ts';
import type { CodeFacts, FileFacts } from '../../config/codeFacts.ts';
import { launchCode } from '../../config/launchCode.ts';
import type { StdioLaunchView } from '../../config/launchView.ts';
import { buildEnvironment, type EnvironmentVariables, readVariable } from '../../transport/stdio/environment.ts';
import { findCommand } from '../../transport/stdio/findCommand.ts';
import type { FileDigests } from './fileDigests.ts';

export interface InspectionContext {
  /** Of the workspace: what they hold comes from elsewhere. */
  readonly folders: readonly string[];
  /** The environment servers inherit the safe part of. */
  readonly inherited: EnvironmentVariables;
  readonly platform: NodeJS.Platform;
  readonly digests: FileDigests;
}

/**
 * Finds what a launch would run now, and digests it. The program is looked for in the way the transport does, which then
 * starts this very path.
 *
 * Out of reach: a file that changes between the reading here and the reading by the system, what scripts load in turn, and
 * what package managers fetch. The question names the last two.
 */
export async function inspectCode(
  plan: StdioLaunchPlan,
  view: StdioLaunchView,
  context: InspectionContext,
): Promise<CodeFacts> {
  const { inherited, platform } = context;
  // The view: what stands for a secret in it is the name of no file, and no path shown may hold a secret.
  const code = launchCode([view.command, ...view.args]);
  const environment = buildEnvironment(inherited, plan.env, platform);
  const cwd = plan.cwd ?? process.cwd();
  const look = await createLook(context);
  const find = (command: string): Promise<string | undefined> =>
    findCommand({ command, cwd, environment, platform }).catch(() => undefined);
  const path = await find(plan.command);
  const program = path === undefined ? undefined : await look.file(path);
  const interpreter = path === undefined ? undefined : await findInterpreter(path, cwd, find);
  const candidates = code.folders.flatMap((folder) => code.files.map((file) => resolve(cwd, folder, file)));
  const files: FileFacts[] = [];
  for (const candidate of new Set(candidates.slice(0, limits.trust.files))) {
    const found = await look.file(candidate);
    if (found?.isInFolder === true) files.push(found);
  }
  return {
    code,
    program,
    interpreter: interpreter === undefined ? undefined : await look.file(interpreter),
    files,
    searched: await look.searched(readVariable(environment, 'PATH', platform), cwd),
  };
}

interface Look {
  file(path: string): Promise<FileFacts | undefined>;
  /** The entries of a search path that lead into the workspace. */
  searched(path: string | undefined, cwd: string): Promise<readonly string[]>;
}

async function createLook({ folders, digests }: InspectionContext): Promise<Look> {
  const real = await Promise.all(folders.map((folder) => realpath(folder).catch(() => folder)));
  // The real path has the spelling of the file system, also where that does not tell upper from lower case.
  const isIn = (path: string, places: readonly string[]): boolean => places.some((place) => isWithin(path, place));
  return {
    async file(path) {
      const realPath = await realpath(path).catch(() => undefined);
      const stats = realPath === undefined ? undefined : await stat(realPath).catch(() => undefined);
      // Devices, sockets and named pipes are never opened.
      if (realPath === undefined || stats?.isFile() !== true) return undefined;
      const isReallyIn = isIn(realPath, real);
      const isInFolder = isReallyIn || isIn(path, folders);
      const digest = await digests.digest(realPath).catch(() => '');
      return { path, realPath, size: stats.size, digest, isInFolder, leadsOut: isInFolder && !isReallyIn };
    },
    async searched(path = '', cwd) {
      const found: string[] = [];
      for (const entry of new Set(path.split(delimiter))) {
        const place = resolve(cwd, entry);
        const realPlace = await realpath(place).catch(() => place);
        if (entry !== '' && (isIn(place, folders) || isIn(realPlace, real))) found.push(entry);
      }
      return found;
    },
  };
}

function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/** The program that the system starts for a script, by the script's first line (execve(2), "Interpreter scripts"). */
async function findInterpreter(
  path: string,
  cwd: string,
  find: (command: string) => Promise<string | undefined>,
): Promise<string | undefined> {
  const handle = await open(path).catch(() => undefined);
  if (handle === undefined) return undefined;
  try {
    const { buffer, bytesRead } = await handle.read({ length: 256 });
    const [, named, words = ''] = /^#!\s*(\S+)[ \t]*([^\n]*)/.exec(buffer.toString('utf8', 0, bytesRead)) ?? [];
    if (named === undefined) return undefined;
    if (!/(?:^|\/)env$/.test(named)) return resolve(cwd, named);
    const program = words.split(/\s+/).find((word) => word !== '' && !word.startsWith('-') && !word.includes('='));
    return program === undefined ? undefined : await find(program);
  } finally {
    await handle.close();
  }
}
