import { AddressPolicy } from '../../auth/addressPolicy.ts';
import { AuthFetch } from '../../auth/authFetch.ts';
import { findResourceMetadata } from '../../auth/resourceMetadata.ts';
import { isCancellation, isPatchbayError, messageOf } from '../../base/errors.ts';
import type { HttpClient } from '../../base/httpClient.ts';
import type { LaunchPlan, RemoteLaunchPlan } from '../../base/launchPlan.ts';
import type { SessionInfo } from '../../client/server/server.ts';
import type { ConfigurationProblem } from '../../config/configurationProblem.ts';
import type { ConfiguredServer } from '../../config/configuredServer.ts';
import { isStdio } from '../../config/serverDefinition.ts';
import { describeError } from '../platform/describeError.ts';
import { type ConnectionPorts, diagnoseConnection } from './connectionFindings.ts';
import { check, type Finding } from './diagnosis.ts';
import { diagnoseLocalCommand, type Environments, locateCommand } from './localFindings.ts';
import { diagnoseNetwork, diagnoseSocket, type NetworkSettings } from './networkFindings.ts';

export interface DiagnosisSubject {
  readonly configured: ConfiguredServer;
  /** All problems of its configuration file, also those of other entries. */
  readonly problems: readonly ConfigurationProblem[];
  readonly session: SessionInfo | undefined;
  /** Why it is not running, where its last start or run failed. */
  readonly failure?: unknown;
  /** False for what can be found out without a question, a start, or a message to it. */
  readonly startsServer: boolean;
}

/** What a diagnosis needs. Independent of VS Code, so that it also runs in plain Node.js. */
export interface DiagnosisPorts extends ConnectionPorts {
  /** Replaces variables, then confirms trust. Rejects as a start does. */
  readonly prepare: (server: ConfiguredServer, signal: AbortSignal) => Promise<LaunchPlan>;
  /** What the server was last started with in this window. */
  readonly launched: (label: string) => LaunchPlan | undefined;
  readonly environments: () => Promise<Environments>;
  readonly network: () => NetworkSettings;
  readonly platform: NodeJS.Platform;
  readonly http: HttpClient;
}

/**
 * Checks each step from the definition of a server to its first answer. Runs nothing before the definition is trusted, and
 * does not start a running server again.
 * @param onFinding called with each finding, in order
 * @param onPlan called with the launch plan, whose secrets must not be shown
 * @throws the reason of the signal
 */
export async function diagnoseServer(
  { configured, problems, session, startsServer }: DiagnosisSubject,
  ports: DiagnosisPorts,
  onFinding: (finding: Finding) => void,
  onPlan: (plan: LaunchPlan) => void,
  signal: AbortSignal,
): Promise<void> {
  onFinding(definitionFinding(configured, problems));
  if (!startsServer) {
    for (const finding of await examineLaunch(ports.launched(configured.label), ports, signal)) onFinding(finding);
    return;
  }
  let plan: LaunchPlan;
  try {
    plan = await ports.prepare(configured, signal);
  } catch (error) {
    signal.throwIfAborted();
    return onFinding(preparationFailure(error));
  }
  const { warnings = [] } = plan;
  const seen = warnings.length > 0 ? warnings : ['Every variable has a value, and you trust what it runs'];
  onFinding({ title: 'Variables and trust', outcome: warnings.length > 0 ? 'notice' : 'fine', seen });
  onPlan(plan);
  const report = (findings: readonly Finding[]): boolean => {
    for (const finding of findings) onFinding(finding);
    return findings.every(({ outcome }) => outcome !== 'problem');
  };
  const way =
    plan.kind === 'stdio'
      ? await diagnoseLocalCommand(plan, await ports.environments(), ports.platform, signal)
      : await diagnoseRemote(plan, ports, signal);
  const isWayOpen = report(way);
  if (session !== undefined) return onFinding(runningFinding(session));
  if (!isWayOpen)
    return onFinding({ title: 'Connection', outcome: 'skipped', seen: ['Skipped because of the error above'] });
  report(await diagnoseConnection(plan, configured.options, ports, signal));
}

/** What can be found out about the command or the address of the last start by looking alone. */
async function examineLaunch(
  plan: LaunchPlan | undefined,
  ports: DiagnosisPorts,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  if (plan === undefined) return [];
  if (plan.kind !== 'stdio') return diagnoseWay(plan, ports, signal);
  const { finding } = await locateCommand(plan, await ports.environments(), ports.platform);
  signal.throwIfAborted();
  return [finding];
}

function definitionFinding(
  { label, definition, source, shadows }: ConfiguredServer,
  problems: DiagnosisSubject['problems'],
): Finding {
  const kind = isStdio(definition) ? `a program, ${definition.command}` : `a remote server, ${definition.url}`;
  const own = problems.filter(({ message, severity }) => severity !== 'information' && message.includes(`"${label}"`));
  const seen = [
    `Defined in ${source.title}: ${kind}`,
    ...shadows.map(({ title }) => `Also defined in ${title}, which is not used`),
    ...own.slice(0, 10).map(({ message }) => message),
  ];
  if (own.length === 0) return { title: 'Definition', outcome: 'fine', seen };
  const meaning = 'Part of the definition was not understood and is ignored.';
  return { title: 'Definition', outcome: 'notice', seen, meaning, remedies: ['openConfiguration'] };
}

function preparationFailure(error: unknown): Finding {
  const seen = [
    isCancellation(error)
      ? 'You closed a question that must be answered before the start'
      : describeError(error).message,
  ];
  if (isPatchbayError(error, 'needsTrust'))
    return { title: 'Trust', outcome: 'problem', seen, remedies: ['start', 'manageTrust'] };
  return { title: 'Variables', outcome: 'problem', seen, remedies: ['openConfiguration'] };
}

async function diagnoseRemote(
  plan: RemoteLaunchPlan,
  ports: DiagnosisPorts,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const way = await diagnoseWay(plan, ports, signal);
  // A socket has no sign-in.
  if (plan.socketPath !== undefined || way.some(({ outcome }) => outcome === 'problem')) return way;
  return [...way, await diagnoseSignIn(plan, ports, signal)];
}

/** Without a host there are no names, proxies and certificates. */
async function diagnoseWay(
  { socketPath, url }: RemoteLaunchPlan,
  { network, clock }: DiagnosisPorts,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  return socketPath === undefined
    ? diagnoseNetwork(url, network(), clock, signal)
    : [await diagnoseSocket(socketPath, signal)];
}

/** The authorization servers that the server names (RFC 9728). */
function diagnoseSignIn(
  { url, auth, headers }: RemoteLaunchPlan,
  { http, clock }: DiagnosisPorts,
  signal: AbortSignal,
): Promise<Finding> {
  const own = Object.keys(headers).some((name) => /^authorization$/i.test(name))
    ? ['The definition sends an Authorization header of its own']
    : [];
  const look = async (): Promise<string[]> => {
    const policy = new AddressPolicy(url, auth?.allowInsecure === true);
    const { found, failure } = await findResourceMetadata(url, undefined, new AuthFetch(http, clock, policy), signal);
    if (failure !== undefined) throw failure;
    const issuers = found?.authorizationServers.map((issuer) => `Signing in is at ${issuer}`);
    return [...own, ...(issuers ?? ['The server publishes no sign-in'])];
  };
  const meaning =
    'What the server publishes about signing in cannot be used. Contact its operator, unless it needs no sign-in.';
  return check('Sign-in (well-known)', signal, look, (error) => {
    return { outcome: 'notice', seen: [...own, messageOf(error)], meaning };
  });
}

function runningFinding({ protocolVersion, transport, server, handshakeMs }: SessionInfo): Finding {
  return {
    title: 'Connection',
    outcome: 'fine',
    seen: [
      `It runs: ${server.name} ${server.version}, ${protocolVersion} over ${transport}, agreed on in ${handshakeMs} ms`,
      'It was not started a second time',
    ],
    remedies: ['showLog'],
  };
}
