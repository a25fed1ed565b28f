import { type CancelSignal, raceAbort, toAbortSignal } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { CancelledError, isCancellation, isPatchbayError } from '../../base/errors.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { LaunchPlan } from '../../base/launchPlan.ts';
import type { Logger } from '../../base/logger.ts';
import { followSecrets } from '../../client/trace/tappedChannel.ts';
import { type CheckResult, idPart } from '../../workshop/checks/checkResult.ts';
import { withoutSecrets } from '../../workshop/checks/withoutSecrets.ts';
import { idInEra, ownChecksOf } from '../../workshop/own/ownChecks.ts';
import type { CheckTarget } from '../../workshop/own/wireProbe.ts';
import type { CheckFamily } from '../../workshop/suite/checkServer.ts';
import type { SuiteProgram } from '../../workshop/suite/runSuite.ts';
import { checksOf, scenarios, suiteRevisions } from '../../workshop/suite/suiteData.ts';
import type { DiagnosisPorts } from '../diagnosis/diagnoseServer.ts';
import { describeError } from '../platform/describeError.ts';
import type { HostServer, ServerRegistry } from '../servers/serverRegistry.ts';
import { definitionKey } from '../servers/restartChoices.ts';
import { needsApproval } from '../servers/serverStatus.ts';
import type { WindowSecrets } from '../servers/windowSecrets.ts';
import type { RunOrigin, TestEntry, TestGroup, TestSource } from './testSource.ts';

export interface ServerCheckPorts {
  readonly registry: Pick<ServerRegistry, 'servers' | 'get' | 'onDidChangeServers'>;
  /** Confirms trust, as a start does. */
  readonly prepare: DiagnosisPorts['prepare'];
  /** Asks whether a server is to be checked. */
  readonly confirm: (label: string) => Promise<boolean>;
  readonly createTransport: CheckTarget['createTransport'];
  readonly knownSecrets: Pick<WindowSecrets, 'collector' | 'current'>;
  readonly suite: (signal: CancelSignal) => Promise<SuiteProgram | { readonly missing: string }>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The checks of each server in Test Explorer: server → family → check. Ids have the label of their server before them. */
export class ServerChecks implements TestSource {
  readonly id = 'checks';
  readonly label = 'Checks of MCP Servers';
  readonly #ports: ServerCheckPorts;
  readonly #didChange = new Emitter<void>();
  readonly onDidChange: Event<void> = this.#didChange.event;
  /** Definitions of servers whose checks the person wants, in this window. */
  readonly #agreed = new Set<string>();
  /** What a run has found beside what is known before it. */
  readonly #found = new Map<string, TestEntry>();

  constructor(ports: ServerCheckPorts) {
    this.#ports = ports;
    ports.registry.onDidChangeServers(() => this.#didChange.fire());
  }

  items(): Promise<readonly TestEntry[]> {
    const { servers } = this.#ports.registry;
    const labels = new Set(servers.map(({ label }) => label));
    for (const [id, { groups }] of this.#found) if (!labels.has(groups[0]?.id ?? '')) this.#found.delete(id);
    const known = servers.flatMap(({ label }) => entriesOf(label));
    const ids = new Set(known.map(({ id }) => id));
    return Promise.resolve([...known, ...[...this.#found.values()].filter(({ id }) => !ids.has(id))]);
  }

  /** The ids of all that can be known of a server before a run. */
  idsOf(label: string): readonly string[] {
    return entriesOf(label).map(({ id }) => id);
  }

  entryFor({ id, title }: CheckResult): TestEntry | undefined {
    const { server, check } = splitId(id);
    if (this.#ports.registry.get(server) === undefined) return undefined;
    const entry = entryOf(server, check, title);
    this.#found.set(id, entry);
    return entry;
  }

  async *run(ids: readonly string[], given: CancelSignal, origin: RunOrigin): AsyncGenerator<CheckResult, void> {
    const signal = toAbortSignal(given);
    const wanted = new Map<string, Set<CheckFamily>>();
    for (const id of ids) {
      const { server, check } = splitId(id);
      const families = wanted.get(server) ?? new Set();
      wanted.set(server, families.add(check.startsWith('own/') ? 'own' : 'suite'));
    }
    for (const [label, families] of wanted) {
      const server = this.#ports.registry.get(label);
      if (server !== undefined) yield* this.#check(server, [...families], signal, origin);
    }
  }

  async *#check(
    server: HostServer,
    families: readonly CheckFamily[],
    signal: AbortSignal,
    origin: RunOrigin,
  ): AsyncGenerator<CheckResult, void> {
    const { clock, logger, createTransport, suite, knownSecrets } = this.#ports;
    const { label } = server;
    const prefixed = (result: CheckResult): CheckResult => ({ ...result, id: idOf(label, result.id) });
    let plan: LaunchPlan;
    try {
      plan = await this.#prepare(server, signal, origin);
    } catch (error) {
      signal.throwIfAborted();
      yield prefixed(notStarted(error));
      return;
    }
    // Also the tokens of a sign-in, which the plan does not have.
    await knownSecrets.collector();
    const redactor = followSecrets(plan, () => undefined, knownSecrets.current);
    // Loaded with the first run: the items need none of it.
    const { checkServer } = await import('../../workshop/suite/checkServer.ts');
    const options = { clock, logger, signal, families, suite: await suite(signal) };
    for await (const result of checkServer({ label, plan, createTransport }, options)) {
      yield prefixed(withoutSecrets(result, redactor()));
    }
  }

  /** What the person has not begun themselves asks them, once for each server; a run of all tests asks nothing. */
  async #prepare(host: HostServer, signal: AbortSignal, origin: RunOrigin): Promise<LaunchPlan> {
    const { label, configured, server } = host;
    const key = definitionKey(host);
    const isAgreed = this.#agreed.has(key);
    if (origin === 'all' && (!isAgreed || host.isStale || server.state.kind !== 'running')) throw new NotChosenError();
    // The question of its start is enough.
    const isAsked = origin === 'command' || isAgreed || needsApproval(host);
    if (!isAsked && !(await raceAbort(this.#ports.confirm(label), signal))) throw new CancelledError();
    const plan = await this.#ports.prepare(configured, signal);
    this.#agreed.add(key);
    return plan;
  }
}

class NotChosenError extends Error {}

/** What is known before a run: both eras are found by it. */
function entriesOf(label: string): readonly TestEntry[] {
  const [revision] = suiteRevisions;
  const own = ownChecksOf('handshake').map(({ id, title }) => entryOf(label, idInEra(`own/${id}`, revision), title));
  const generic = scenarios.filter(
    ({ revisions, needs, leftOut }) => revisions.includes(revision) && needs === undefined && leftOut === undefined,
  );
  const suite = generic.flatMap(({ name }) =>
    checksOf(name)
      .filter(({ isFault }) => isFault !== true)
      .map(({ id, title }) => entryOf(label, idInEra(`suite/${name}/${id}`, revision), title)),
  );
  return [...own, ...suite];
}

function entryOf(server: string, check: string, label: string): TestEntry {
  const [path = '', revision] = check.split('@');
  const isOwn = path.startsWith('own/');
  const name = isOwn ? 'Protocol (own checks)' : 'Official suite';
  const more = revision === undefined ? '' : `, ${revision}`;
  const groups: readonly TestGroup[] = [
    { id: server, label: server },
    { id: `${isOwn ? 'own' : 'suite'}${more}`, label: `${name}${more}` },
  ];
  return { id: idOf(server, check), label: isOwn ? label : labelOf(path, label), groups };
}

/** The name of the scenario, and of its check where there is one. */
function labelOf(path: string, title: string): string {
  const [, scenario = '', check] = path.split('/');
  return check === undefined ? title : `${scenario}: ${title}`;
}

function idOf(server: string, check: string): string {
  return `${idPart(server)}/${check}`;
}

function splitId(id: string): { readonly server: string; readonly check: string } {
  const at = id.indexOf('/');
  return { server: id.slice(0, at).replaceAll('%2F', '/').replaceAll('%25', '%'), check: id.slice(at + 1) };
}

/** One result for a server that may not be started. */
function notStarted(error: unknown): CheckResult {
  const start = ownChecksOf('handshake')[0];
  const isNotChosen = error instanceof NotChosenError;
  const message = isNotChosen
    ? 'All tests were run, which checks only servers that run, and that you have checked in this window. Run the tests of this server alone.'
    : isCancellation(error)
      ? 'You did not agree to the check.'
      : describeError(error).message;
  const isRefused = isNotChosen || isCancellation(error) || isPatchbayError(error, 'needsTrust', 'disabled');
  return {
    id: 'own/start',
    title: (isRefused ? start?.title : start?.fault) ?? '',
    verdict: isRefused ? 'notRun' : 'failed',
    subject: { kind: 'server' },
    message,
    references: [],
  };
}
