import { spawn } from 'node:child_process';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isRecord } from '../../../src/base/json.ts';
import { cacheFolder, repositoryRoot } from '../../tools/vscodeHost/paths.mjs';

/** One check of a scenario. */
export interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  readonly description: string;
  readonly errorMessage?: string;
  /** What was measured. */
  readonly details?: unknown;
}

export interface ListedScenario {
  readonly scenario: string;
  /** The revisions it applies to; `draft` or `extension` where it is on no timeline. */
  readonly tags: readonly string[];
}

export interface Outcome {
  /** Exit code of the suite; in a run of one scenario the exit code of the client and its timeout count too. */
  readonly exitCode: number | null;
  /** By scenario. */
  readonly checks: ReadonlyMap<string, readonly Check[]>;
  /** The output of the suite, with the output of the client if it failed. */
  readonly output: string;
}

/** One release of `@modelcontextprotocol/conformance`. */
export interface Suite {
  listScenarios(): Promise<readonly ListedScenario[]>;
  /**
   * Runs the client under test.
   * @param name of the folder for what the suite leaves behind: unique among runs at the same time
   * @param options of the suite's own command line
   */
  run(name: string, options: readonly string[]): Promise<Outcome>;
}

/** The suite splits it at spaces, so it stays relative to the root of the repository. */
const clientCommand = 'node dist/test/conformanceClient.mjs';
/** Timeout of one client: the default of 30 s is too short for a busy machine. */
const clientTimeoutMs = '150000';
const timeStamp = /-\d{4}-\d\d-\d\dT[\d-]+Z$/;

/**
 * @param packageName the release, as it is called in package.json
 * @param node an executable of Node 22 or newer, which the suite needs; the client runs in the Node of the PATH
 */
export function createSuite(packageName: string, node: string): Suite {
  const program = join('node_modules', packageName, 'dist', 'index.js');
  return {
    async listScenarios() {
      const { output } = await runToEnd(node, [program, 'list', '--client']);
      return [...output.matchAll(/^ +- (\S+) \[(.+)\]$/gm)].map(([, scenario = '', tags = '']) => ({
        scenario,
        tags: tags.split(','),
      }));
    },
    async run(name, options) {
      const folder = join(cacheFolder, 'conformance', packageName.replace('/', '-'), name.replaceAll('/', '-'));
      await rm(folder, { recursive: true, force: true });
      const common = ['client', '--command', clientCommand, '--output-dir', folder, '--timeout', clientTimeoutMs];
      const ended = await runToEnd(node, [program, ...common, ...options]);
      return { ...ended, checks: await readChecks(folder) };
    },
  };
}

function runToEnd(command: string, args: readonly string[]): Promise<{ exitCode: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: repositoryRoot, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    child.on('error', reject);
    child.on('close', (exitCode) => resolve({ exitCode, output }));
  });
}

/** Each scenario leaves a folder `<scenario>-<time>` with its checks. */
async function readChecks(folder: string): Promise<Outcome['checks']> {
  const found = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('checks.json'));
  const read = found.map(async (file) => {
    const checks: unknown = JSON.parse(await readFile(join(folder, file), 'utf8'));
    const scenario = file
      .replace(/[\\/]checks\.json$/, '')
      .replace(timeStamp, '')
      .replaceAll('\\', '/');
    return [scenario, (Array.isArray(checks) ? checks : []).filter(isRecord) as unknown as Check[]] as const;
  });
  return new Map(await Promise.all(read));
}
