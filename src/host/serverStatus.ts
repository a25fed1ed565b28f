import type { ContentKind, Contents, Server } from '../client/server.ts';
import type { ServerState } from '../client/serverState.ts';
import { describeError } from './describeError.ts';
import { countOf, timeOfDay } from './displayText.ts';
import type { HostServer } from './serverRegistry.ts';

/** The state as people see it: a refused or missing trust is no failure but a question still open. */
export type ServerStatus = ServerState['kind'] | 'needsTrust';

export function statusOf(state: ServerState): ServerStatus {
  return state.kind === 'failed' && state.error.code === 'needsTrust' ? 'needsTrust' : state.kind;
}

/** True when a server will not be usable without somebody doing something, or may not be. */
export function needsAttention({ server, isStale }: HostServer): boolean {
  const status = statusOf(server.state);
  return status === 'failed' || status === 'waiting' || status === 'needsTrust' || isStale;
}

/** A few words on the state: "failed: took too long". */
export function describeState(state: ServerState): string {
  switch (state.kind) {
    case 'stopped':
    case 'starting':
    case 'running':
      return state.kind;
    case 'waiting':
      return `${describeError(state.error).summary}, tries again at ${timeOfDay(state.retryAt)}`;
    case 'failed':
      return statusOf(state) === 'needsTrust' ? 'needs your trust' : `failed: ${describeError(state.error).summary}`;
  }
}

/** The state in words with what a server offers: "4 tools · 2025-11-25", "stopped · 4 tools last seen". */
export function describeServer({ server, isStale, isTraced }: HostServer): string {
  const words = [...(isStale ? ['configuration changed'] : []), ...(isTraced ? ['traced'] : [])];
  const offer = countContents(server.contents);
  if (server.state.kind === 'running') {
    return [...words, offer ?? 'offers nothing', server.session?.protocolVersion].filter(Boolean).join(' · ');
  }
  const seen = server.isRemembered && offer !== undefined ? `${offer} last seen` : undefined;
  return [...words, describeState(server.state), seen].filter(Boolean).join(' · ');
}

/** Every kind of contents, in the order they are shown, in words. */
export const contentKinds: readonly { readonly kind: ContentKind; readonly title: string; readonly noun: string }[] = [
  { kind: 'tools', title: 'Tools', noun: 'tool' },
  { kind: 'resources', title: 'Resources', noun: 'resource' },
  { kind: 'resourceTemplates', title: 'Resource Templates', noun: 'resource template' },
  { kind: 'prompts', title: 'Prompts', noun: 'prompt' },
];

/** The number of tools, or of the first kind there is any of; `undefined` for nothing at all. */
function countContents(contents: Contents): string | undefined {
  const first = contentKinds.find(({ kind }) => contents[kind].length > 0);
  return first === undefined ? undefined : countOf(contents[first.kind].length, first.noun);
}

/** What a person can do with a server in its present state. */
export interface ServerAbilities {
  readonly start: boolean;
  readonly stop: boolean;
  readonly restart: boolean;
  readonly setLogLevel: boolean;
}

export function abilitiesOf({ state, session }: Pick<Server, 'state' | 'session'>): ServerAbilities {
  const status = statusOf(state);
  const isIdle = status === 'stopped' || status === 'failed' || status === 'needsTrust';
  return {
    start: isIdle,
    stop: !isIdle,
    restart: status === 'running' || status === 'waiting' || status === 'failed',
    setLogLevel: status === 'running' && session?.capabilities.logging !== undefined,
  };
}
