import type { Negotiation, SessionInfo } from '../../client/server/server.ts';
import { describeWithheld } from '../../config/mergeConfiguration.ts';
import { isStdio, type RootsChoice } from '../../config/serverDefinition.ts';
import { displayName } from '../../protocol/mcp/displayName.ts';
import { isAtLeast } from '../../protocol/session/revision.ts';
import type { ItemMarks } from '../definitions/itemMarks.ts';
import { describeError } from '../platform/describeError.ts';
import { countOf, type Fact, factsOf } from '../platform/displayText.ts';
import type { ItemNode } from '../servers/serverNodes.ts';
import type { HostServer } from '../servers/serverRegistry.ts';
import { describeStatus } from '../servers/serverStatus.ts';
import { authorizationFacts } from '../signIn/authorizationFacts.ts';
import { hiddenFacts, iconFacts, nameFacts } from './itemFacts.ts';

export function serverFacts(hostServer: HostServer): readonly Fact[] {
  const { configured, server, isStale, authorization, lookAlike, development } = hostServer;
  const { state, session } = server;
  const { withheld, source, shadows, options } = configured;
  return [
    ...factsOf({
      'Warning: this name': lookAlike,
      State: describeStatus(hostServer),
      Why: (state.kind === 'failed' || state.kind === 'waiting') && describeError(state.error).message,
      Changed: isStale && 'The configuration changed since the start. Restart the server to use it.',
      Stale: staleWords(development),
      'Restart on save': restartWords(development),
      'Options not used': withheld && describeWithheld(withheld),
    }),
    ...(session === undefined ? [] : sessionFacts(session)),
    ...factsOf({ Transport: describeTransport(hostServer) }),
    ...(session === undefined ? [] : deprecationFacts(session)),
    ...(authorization === undefined ? [] : authorizationFacts(authorization)),
    ...factsOf({
      'Configured in': source.title,
      'Hides the same name in': shadows.length > 0 && shadows.map(({ title }) => title).join(', '),
      'Starts with each window': options.autoStart === true && 'once you have approved it',
      'Workspace folders': describeRoots(options.roots ?? 'all'),
    }),
    ...hiddenFacts([hostServer.label, session?.server, session?.instructions]),
  ];
}

function staleWords(development: HostServer['development']): string | false {
  const { staleFile, failure } = development ?? {};
  if (staleFile === undefined) return false;
  if (failure === undefined) return `${staleFile} changed since the start. Restart the server to use it.`;
  const { message } = describeError(failure);
  return `${staleFile} changed, and the new code does not start. The code before it still runs; the next save tries again. ${message}`;
}

function restartWords(development: HostServer['development']): string | false {
  if (development === undefined) return false;
  const { restartsOnSave, pausedBecause, changes } = development;
  if (pausedBecause !== undefined) return pausedBecause;
  const last = changes === undefined ? '' : ` ${changes.lines.join(' ')}`;
  return restartsOnSave && `on.${last}`;
}

function describeRoots(choice: RootsChoice): string {
  if (choice === 'all') return 'all shared';
  return choice === 'none' || choice.length === 0 ? 'none shared' : choice.join(', ');
}

const origins: Readonly<Record<Negotiation, string>> = {
  pinned: 'set by the option "revision"',
  remembered: 'known from an earlier start',
  probed: 'found by asking the server',
};

function sessionFacts(session: SessionInfo): readonly Fact[] {
  const { server, protocolVersion, negotiation, handshakeMs, instructions } = session;
  return [
    ...factsOf({ Server: [displayName(server), server.version].filter((part) => part !== '').join(' ') }),
    ...nameFacts(server),
    ...factsOf({ Description: server.description }),
    ...factsOf({ Website: server.websiteUrl }).map((fact): Fact => ({ ...fact, isLink: true })),
    ...iconFacts(server.icons),
    ...factsOf({
      // They are Markdown for models, and have a document of their own.
      Instructions:
        instructions !== undefined && `${countOf(instructions.length, 'character')}; Show Instructions opens them`,
      Protocol: `${protocolVersion}, ${origins[negotiation]}; answered in ${Math.round(handshakeMs)} ms`,
    }),
  ];
}

/** How a server is reached, without arguments or headers: they may hold secrets. */
function describeTransport({ configured: { definition }, server: { session } }: HostServer): string {
  if (isStdio(definition)) return `stdio, ${definition.command}`;
  const isSse = (session?.transport ?? definition.type) === 'sse';
  const http = session === undefined ? 'HTTP' : 'Streamable HTTP';
  return `${isSse ? 'HTTP+SSE' : http}, ${withoutSecrets(definition.url)}`;
}

/** Deprecated parts of the protocol that the session uses, for authors of servers. */
function deprecationFacts({ protocolVersion, transport }: SessionInfo): readonly Fact[] {
  const texts = [
    ...(transport === 'sse' ? ['HTTP+SSE, replaced by Streamable HTTP in 2025-03-26'] : []),
    ...(isAtLeast(protocolVersion, '2026-07-28') ? ['roots, sampling and logging, since 2026-07-28'] : []),
  ];
  return texts.map((text) => ({ name: 'Deprecated, but supported', text }));
}

/** User, password and query of a URL may be secrets; variables are not expanded, so it need not parse. */
function withoutSecrets(url: string): string {
  return url.replace(/\/\/[^/@]*@/, '//').replace(/[?#].*$/s, '');
}

export function markFacts(node: ItemNode, marks: ItemMarks): readonly Fact[] {
  const mark = marks.of(node);
  if (mark === 'new') return [{ name: 'New', text: 'since you last looked at this list' }];
  const change = marks.changeOf(node);
  if (change === undefined) return [];
  const members = new Set(change.difference.changes.map(({ path }) => path.split(/[.[]/, 1)[0] ?? ''));
  const what = members.size === 0 ? 'its definition' : [...members].join(', ');
  return [{ name: 'Changed since you last used it', text: `${what}. You are asked before it is used again.` }];
}

/** Why a tool cannot be used as its server describes it. */
export function faultFacts(node: ItemNode, hostServer: HostServer | undefined): readonly Fact[] {
  return node.kind === 'tool' ? factsOf({ Problem: hostServer?.toolFaults.get(node.item) }) : [];
}
