import { fileURLToPath } from 'node:url';
import { createSystemClock } from '../../../src/base/clock.ts';
import type { LaunchPlan } from '../../../src/base/launchPlan.ts';
import { createLogger } from '../../../src/base/logger.ts';
import type { HttpAuthorizer } from '../../../src/protocol/httpAuthorizer.ts';
import { createTransports } from '../../../src/transport/launch/createTransports.ts';
import { NodeHttpClient } from '../../../src/transport/network/nodeHttpClient.ts';
import type { CheckResult } from '../../../src/workshop/checks/checkResult.ts';
import type { CheckTarget } from '../../../src/workshop/own/wireProbe.ts';
import { type CheckOptions, checkServer } from '../../../src/workshop/suite/checkServer.ts';
import type { SuiteProgram } from '../../../src/workshop/suite/runSuite.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** A Node that the official suite runs on: this one, or the newer one beside the VS Code of the tests. */
export function suiteNode(): string {
  if (Number(process.versions.node.split('.')[0]) >= 22) return process.execPath;
  return `${root}.vscode-test/node-24.21.0/node_modules/.bin/node`;
}

export const suite: SuiteProgram = {
  node: suiteNode(),
  script: `${root}node_modules/@modelcontextprotocol/conformance/dist/index.js`,
};

function serverPath(path: string): string {
  return `${root}${path}`;
}

export function nodeServer(path: string, ...args: readonly string[]): LaunchPlan {
  const command = { command: process.execPath, args: [serverPath(path), ...args], cwd: root, env: {} };
  return { kind: 'stdio', ...command };
}

/** @param authorizer signs in where the server asks for it */
export function targetOf(plan: LaunchPlan, authorizer?: HttpAuthorizer): CheckTarget {
  const createTransport = createTransports({
    clock: createSystemClock(),
    random: Math.random,
    platform: process.platform,
    environment: async () => process.env,
    authorizerFor: async () => authorizer,
    loadHttp: async () => () => new NodeHttpClient({ userAgent: 'patchbay-test' }),
  });
  return { label: 'server', plan, createTransport };
}

export async function check(
  plan: LaunchPlan,
  options: Partial<CheckOptions> = {},
  authorizer?: HttpAuthorizer,
): Promise<readonly CheckResult[]> {
  const results: CheckResult[] = [];
  const logger = createLogger(
    () => {},
    () => 'error',
  );
  const { signal } = new AbortController();
  const given = { clock: createSystemClock(), logger, signal, suite, ...options };
  for await (const result of checkServer(targetOf(plan, authorizer), given)) results.push(result);
  return results;
}

/** The ids of the results that are neither passed nor without anything to check. */
export function faultsIn(results: readonly CheckResult[]): readonly string[] {
  return results.filter(({ verdict }) => verdict === 'failed' || verdict === 'warning').map(({ id }) => id);
}
