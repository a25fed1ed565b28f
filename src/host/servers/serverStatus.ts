import type { ContentKind, Contents } from '../../client/contents.ts';
import type { Server } from '../../client/server/managedServer.ts';
import type { ServerState } from '../../client/server/server.ts';
import { describeError } from '../platform/describeError.ts';
import { countOf, timeOfDay } from '../platform/displayText.ts';
import type { IconId } from '../platform/themeIcon.ts';
import type { HostServer } from './serverRegistry.ts';

export type ServerStatus = ServerState['kind'] | 'needsTrust' | 'needsSignIn';

export function statusOf(state: ServerState): ServerStatus {
  if (state.kind !== 'failed') return state.kind;
  const { code } = state.error;
  return code === 'needsTrust' || code === 'needsSignIn' ? code : 'failed';
}

export function needsApproval({ server }: Pick<HostServer, 'server'>): boolean {
  return statusOf(server.state) === 'needsTrust';
}

/** True when a server cannot be used, or may soon not be, until the person does something. */
export function needsAttention({ server, isStale, isAsking, missingSignIn }: HostServer): boolean {
  const { kind } = server.state;
  const isInTrouble = kind === 'failed' || kind === 'waiting' || !server.isResponsive;
  return isInTrouble || isStale || isAsking || missingSignIn !== undefined;
}

/** @returns whether the person has seen that the server failed: the rows were visible with this failure */
export function createSeenFailures(areRowsVisible: () => boolean) {
  const seen = new WeakSet<object>();
  return ({ server: { state } }: HostServer): boolean => {
    if (state.kind === 'failed' && areRowsVisible()) seen.add(state);
    return seen.has(state);
  };
}

/** The servers to warn of: of a failure until it was seen, of the rest for as long as it lasts. */
export function serversToWarnOf(
  servers: readonly HostServer[],
  isSeen: (host: HostServer) => boolean,
): readonly HostServer[] {
  return servers.filter((host) => needsAttention(host) && (!isSeen(host) || host.isAsking));
}

/** The server runs, but refuses some requests because the sign-in is missing. */
export function runsWithoutSignIn({ server, missingSignIn }: HostServer): boolean {
  return server.state.kind === 'running' && missingSignIn !== undefined;
}

/** One that is still stopping is shown as what it is. */
function isDisabled({ server, isDisabled: isUnwanted }: HostServer): boolean {
  return isUnwanted && server.state.kind === 'stopped';
}

const warning = 'problemsWarningIcon.foreground';

const statusIcons: Readonly<Record<ServerStatus, IconId>> = {
  stopped: { id: 'circle-outline' },
  starting: { id: 'loading~spin' },
  running: { id: 'circle-filled', color: 'testing.iconPassed' },
  waiting: { id: 'history', color: warning },
  failed: { id: 'error', color: 'problemsErrorIcon.foreground' },
  needsTrust: { id: 'shield', color: warning },
  needsSignIn: { id: 'key', color: warning },
};

export function serverIcon(hostServer: HostServer): IconId {
  const { server, isStale, isAsking, development } = hostServer;
  if (isDisabled(hostServer)) return { id: 'circle-slash' };
  if (isAsking) return { id: 'comment-unresolved', color: warning };
  if (runsWithoutSignIn(hostServer)) return statusIcons.needsSignIn;
  const icon = statusIcons[statusOf(server.state)];
  const isDoubtful = isStale || !server.isResponsive || development?.failure !== undefined;
  return isDoubtful && server.state.kind === 'running' ? { ...icon, color: warning } : icon;
}

/** A few words on the state of a server and on what the person wants of it: "disabled", "waiting for your answer". */
export function describeStatus(hostServer: HostServer): string {
  const { server, awaitsAnswer } = hostServer;
  if (isDisabled(hostServer)) return 'disabled';
  return server.state.kind === 'starting' && awaitsAnswer ? 'waiting for your answer' : describeState(server.state);
}

/** A few words on the state: "failed: took too long". */
function describeState(state: ServerState): string {
  if (state.kind !== 'waiting' && state.kind !== 'failed') return state.kind;
  const { summary } = describeError(state.error);
  if (state.kind === 'waiting') return `${summary}, retrying at ${timeOfDay(state.retryAt)}`;
  return statusOf(state) === 'failed' ? `failed: ${summary}` : summary;
}

/**
 * The state in words with what a server offers: "4 tools", "stopped · 4 tools last seen".
 * @param startingFor seconds, where a start takes long
 */
export function describeServer(hostServer: HostServer, startingFor?: number): string {
  const { configured, server, isStale, isDebugged, isRecorded, isAsking, isMuted, lookAlike, development } = hostServer;
  const words = [
    lookAlike,
    isAsking && 'needs your answer',
    isMuted && 'questions muted',
    runsWithoutSignIn(hostServer) && 'needs you to sign in',
    !server.isResponsive && 'not answering',
    isStale && 'configuration changed',
    server.state.kind === 'running' && codeWords(development),
    development?.pausedBecause !== undefined && 'restart on save paused',
    development?.changes?.words,
    isDebugged && 'debugging',
    isRecorded && 'recording',
  ];
  const status = describeStatus(hostServer);
  if (isDisabled(hostServer)) return [lookAlike, status].filter(Boolean).join(' · ');
  const withheld = configured.withheld && 'without your options';
  const offer = countContents(server.contents);
  if (server.state.kind === 'running') {
    return [...words, offer ?? describeNothing(server), withheld].filter(Boolean).join(' · ');
  }
  const seen = server.isRemembered && offer !== undefined ? `${offer} last seen` : undefined;
  const since = startingFor === undefined ? '' : `, ${startingFor} s…`;
  return [...words, `${status}${since}`, seen, withheld].filter(Boolean).join(' · ');
}

function codeWords(development: HostServer['development']): string | undefined {
  if (development?.failure !== undefined) return 'new code does not start';
  return development?.staleFile === undefined ? undefined : 'stale';
}

export const contentKinds = [
  { kind: 'tools', title: 'Tools', noun: 'tool', icon: 'tools' },
  { kind: 'resources', title: 'Resources', noun: 'resource', icon: 'files' },
  { kind: 'resourceTemplates', title: 'Resource Templates', noun: 'resource template', icon: 'symbol-snippet' },
  { kind: 'prompts', title: 'Prompts', noun: 'prompt', icon: 'comment-discussion' },
  { kind: 'skills', title: 'Skills', noun: 'skill', icon: 'mortar-board' },
] as const satisfies readonly Readonly<Record<'kind' | 'title' | 'noun' | 'icon', string>>[];

function describeNothing(server: Server): string {
  const states = contentKinds.map(({ kind }) => server.listState(kind));
  if (states.some(({ isLoading }) => isLoading)) return 'listing…';
  return states.some(({ failure }) => failure !== undefined) ? 'could not be listed' : 'offers nothing';
}

/** What is shown of a list of a server: as long as it is still to come, what was seen last. */
export function shownList<Kind extends ContentKind>(
  server: Pick<Server, 'contents' | 'lastSeen' | 'listState'>,
  kind: Kind,
): Contents[Kind] {
  const list = server.contents[kind];
  // A list that is read again is still there.
  return list.length === 0 && server.listState(kind).isLoading ? server.lastSeen[kind] : list;
}

/** Where an item is remembered from: its server is not running. `at`: when it was listed, in milliseconds since the epoch. */
export interface Remembered {
  readonly at: number | undefined;
}

/** @returns `undefined` for a server that runs, of which everything is known */
export function rememberedBy(hostServer: HostServer | undefined): Remembered | undefined {
  return hostServer?.server.isRemembered === true ? { at: hostServer.server.rememberedAt } : undefined;
}

/** The number of tools, or of the first kind there is any of; `undefined` for nothing at all. */
function countContents(contents: Contents): string | undefined {
  const first = contentKinds.find(({ kind }) => contents[kind].length > 0);
  return first === undefined ? undefined : countOf(contents[first.kind].length, first.noun);
}

export function abilitiesOf({
  server: { state, session },
  isDisabled: isUnwanted,
}: Pick<HostServer, 'server' | 'isDisabled'>) {
  const isIdle = state.kind === 'stopped' || state.kind === 'failed';
  // What runs, or waits to be started again, is restarted; anything else is started.
  return {
    start: isIdle && !isUnwanted,
    stop: !isIdle,
    restart: !isIdle && state.kind !== 'starting' && !isUnwanted,
    setLogLevel: state.kind === 'running' && session?.capabilities.logging !== undefined,
  };
}
