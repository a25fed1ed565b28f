import type { CancelSignal } from '../../base/abort.ts';
import type { CheckResult } from '../checks/checkResult.ts';
import { failed, type Finding, nothing, type OwnEra, ownChecksOf, ownResult, passed, warning } from './ownChecks.ts';
import { listChecks } from './listChecks.ts';
import { type Check, requestChecks } from './requestChecks.ts';
import { readFacts, type ServerFacts } from './serverFacts.ts';
import { wireChecks } from './wireChecks.ts';
import { type CheckTarget, type Outcome, type ProbePorts, WireProbe } from './wireProbe.ts';

const checks: Readonly<Record<string, Check>> = { ...requestChecks, ...listChecks, ...wireChecks };

/** After this time without an exit, a client sends SIGTERM: that of Patchbay's transports. */
const graceMs = 2_000;

/** What the suite needs to know of the server, too. */
export interface OpenedEra {
  readonly era: OwnEra;
  readonly probe: WireProbe;
  readonly facts: ServerFacts;
}

/** @returns `undefined` for a server that does not speak the era. @throws why it could not be started or reached */
export async function openEra(
  target: CheckTarget,
  era: OwnEra,
  revision: string,
  ports: ProbePorts,
  openSignal: CancelSignal,
): Promise<OpenedEra | undefined> {
  const { probe, opening } = await WireProbe.open(target, revision, ports, openSignal);
  if (era === 'stateless' && !names(opening, revision)) {
    await probe.close();
    return undefined;
  }
  const facts = await readFacts(probe, opening).catch(async (error: unknown) => {
    await probe.close();
    throw error;
  });
  return { era, probe, facts };
}

function names(opening: Outcome, revision: string): boolean {
  const versions = opening.kind === 'result' ? opening.result['supportedVersions'] : undefined;
  return Array.isArray(versions) && versions.includes(revision);
}

/** Runs the checks of an open era one after the other, and closes it. A caller that leaves the loop early closes the probe. */
export async function* runOwnChecks(
  { plan }: CheckTarget,
  { era, probe, facts }: OpenedEra,
  ports: ProbePorts,
): AsyncGenerator<CheckResult, void> {
  const { revision } = probe;
  try {
    for (const check of ownChecksOf(era)) {
      if (check.id === 'stop') continue;
      ports.signal.throwIfAborted();
      const from = ports.clock.now();
      const finding = await judge(check, probe, facts, plan.kind === 'stdio');
      yield ownResult(check, revision, finding, ports.clock.now() - from);
    }
  } catch (error) {
    await probe.close();
    throw error;
  }
  const tookMs = await probe.close();
  const stop = ownChecksOf(era).find(({ id }) => id === 'stop');
  if (stop === undefined) return;
  const finding =
    plan.kind === 'stdio' ? judgeStop(tookMs) : nothing('Patchbay has not started this server: it is at an address.');
  yield ownResult(stop, revision, finding, tookMs);
}

async function judge(
  { id, capability }: { readonly id: string; readonly capability?: string },
  probe: WireProbe,
  facts: ServerFacts,
  isStdio: boolean,
): Promise<Finding> {
  if (capability !== undefined && !(capability in facts.capabilities))
    return nothing(`The server does not declare "${capability}".`);
  if (id === 'stdout' && !isStdio) return nothing('Patchbay has not started this server: it is at an address.');
  const check = checks[id];
  if (check === undefined) return nothing('There is no such check.');
  const finding = await check(probe, facts);
  // What follows an exit says nothing about the server.
  if (probe.ended !== undefined && finding.verdict !== 'passed')
    return failed(finding.message === probe.ended ? probe.ended : `${finding.message ?? ''} ${probe.ended}`.trim());
  return finding;
}

function judgeStop(tookMs: number): Finding {
  return tookMs < graceMs
    ? passed
    : warning(
        `It did not exit within ${graceMs / 1_000} s after its input was closed, and was stopped by a signal. End the process when stdin ends.`,
      );
}
