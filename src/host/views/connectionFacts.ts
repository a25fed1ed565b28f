import { isStdio } from '../../config/serverDefinition.ts';
import { isAtLeast } from '../../protocol/revisions/revision.ts';
import type { Negotiation, SessionInfo } from '../../client/server.ts';
import { displayName } from '../../protocol/mcp/displayName.ts';
import { countOf } from '../displayText.ts';
import type { HostServer } from '../serverRegistry.ts';
import type { Fact } from './fact.ts';
import { iconFacts, nameFacts } from './itemFacts.ts';

const origins: Readonly<Record<Negotiation, string>> = {
  pinned: 'set by the option "revision"',
  remembered: 'known from an earlier start',
  probed: 'found by asking the server',
};

/** Who answers, in which revision, and how that was found out. */
export function sessionFacts(session: SessionInfo): readonly Fact[] {
  const { server, protocolVersion, negotiation, handshakeMs, instructions } = session;
  return [
    { name: 'Server', text: [displayName(server), server.version].filter((part) => part !== '').join(' ') },
    ...nameFacts(server),
    ...(server.description === undefined ? [] : [{ name: 'About itself', text: server.description }]),
    ...(server.websiteUrl === undefined ? [] : [{ name: 'Website', text: server.websiteUrl }]),
    ...iconFacts(server.icons),
    ...(instructions === undefined ? [] : [{ name: 'Instructions', text: describeInstructions(instructions) }]),
    {
      name: 'Protocol',
      text: `${protocolVersion}, ${origins[negotiation]}; answered in ${Math.round(handshakeMs)} ms`,
    },
  ];
}

/** They are Markdown for models, and have a document of their own. */
function describeInstructions(text: string): string {
  return `${countOf(text.length, 'character')}; Show Instructions opens them`;
}

/** How a server is reached, without arguments or headers: they may hold secrets. */
export function transportFact({ configured: { definition }, server: { session } }: HostServer): Fact {
  const name = 'Transport';
  if (isStdio(definition)) return { name, text: `stdio, ${definition.command}` };
  const configured = definition.type === 'sse' ? 'HTTP+SSE' : 'HTTP';
  const way = session === undefined ? configured : transportNames[session.transport];
  return { name, text: `${way}, ${withoutSecrets(definition.url)}` };
}

const transportNames: Readonly<Record<SessionInfo['transport'], string>> = {
  stdio: 'stdio',
  http: 'Streamable HTTP',
  sse: 'HTTP+SSE',
};

/** What works, but is on its way out of the protocol: of interest to whoever writes the server. */
export function deprecationFacts({ protocolVersion, transport }: SessionInfo): readonly Fact[] {
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
