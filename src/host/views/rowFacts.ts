import { describeWithheld } from '../../config/effectiveOptions.ts';
import type { RootsChoice } from '../../config/serverDefinition.ts';
import { authorizationFacts } from '../auth/authorizationFacts.ts';
import { describeError } from '../describeError.ts';
import type { HostServer } from '../serverRegistry.ts';
import { describeState } from '../serverStatus.ts';
import { deprecationFacts, sessionFacts, transportFact } from './connectionFacts.ts';
import type { Fact } from './fact.ts';
import { hiddenFacts } from './itemFacts.ts';

/** What is known of a server, most telling first. */
export function serverFacts(hostServer: HostServer): readonly Fact[] {
  const { configured, server, isStale, isTraced, authorization, lookAlike } = hostServer;
  const { state, session } = server;
  return [
    ...(lookAlike === undefined ? [] : [{ name: 'Take care: this label', text: lookAlike }]),
    { name: 'State', text: describeState(state) },
    ...(state.kind === 'failed' || state.kind === 'waiting'
      ? [{ name: 'Why', text: describeError(state.error).message }]
      : []),
    ...(isStale
      ? [{ name: 'Changed', text: 'The configuration changed since the start. Restart the server to use it.' }]
      : []),
    ...(configured.withheld === undefined
      ? []
      : [{ name: 'Options not used', text: describeWithheld(configured.withheld) }]),
    ...(session === undefined ? [] : sessionFacts(session)),
    transportFact(hostServer),
    ...(session === undefined ? [] : deprecationFacts(session)),
    ...(authorization === undefined ? [] : authorizationFacts(authorization)),
    ...(isTraced ? [{ name: 'Messages', text: 'traced, both ways, in an output channel of their own' }] : []),
    { name: 'Configured in', text: configured.source.title },
    ...(configured.shadows.length === 0
      ? []
      : [{ name: 'Hides the same label in', text: configured.shadows.map(({ title }) => title).join(', ') }]),
    { name: 'Workspace folders', text: describeRoots(configured.options.roots ?? 'all') },
    ...hiddenFacts([hostServer.label, session?.server, session?.instructions]),
  ];
}

/** The folders a server is told about, in words. */
function describeRoots(choice: RootsChoice): string {
  if (typeof choice === 'string') return choice === 'all' ? 'all are made known' : 'none is made known';
  return choice.length === 0 ? 'none is made known' : choice.join(', ');
}
