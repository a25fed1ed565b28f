import { toJsonText } from '../../base/json.ts';
import { describeHiddenIn } from '../../base/hiddenCharacters.ts';
import { formatCount } from '../../base/shown.ts';
import { describeWithheld } from '../../config/effectiveOptions.ts';
import type { RootsChoice } from '../../config/serverDefinition.ts';
import type { ToolAnnotations } from '../../protocol/mcp/tools.ts';
import type { Skill } from '../../protocol/mcp/skills.ts';
import { authorizationFacts } from '../auth/authorizationFacts.ts';
import { describeError } from '../describeError.ts';
import type { HostServer } from '../serverRegistry.ts';
import { describeState } from '../serverStatus.ts';
import { deprecationFacts, sessionFacts, transportFact } from './connectionFacts.ts';
import type { Fact } from './fact.ts';
import type { ItemNode } from './serverNodes.ts';

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

/** What a server says of something it offers. */
export function itemFacts(node: ItemNode): readonly Fact[] {
  const { description } = node.item;
  return [
    ...(description === undefined ? [] : [{ text: description }]),
    ...ownFacts(node),
    ...hiddenFacts(node.item),
    { name: 'Server', text: node.server },
  ];
}

/** What of a server's text its reader cannot see. */
function hiddenFacts(value: unknown): readonly Fact[] {
  const found = describeHiddenIn(value);
  return found.length === 0 ? [] : [{ name: 'Contains characters that cannot be seen', text: found.join('; ') }];
}

function ownFacts(node: ItemNode): readonly Fact[] {
  switch (node.kind) {
    case 'tool':
      return [
        { name: 'Name', text: node.tool },
        ...annotationFacts(node.item.annotations ?? {}),
        ...omissionFacts(node.item.omittedSchemas ?? []),
      ];
    case 'resource':
      return [{ name: 'URI', text: node.uri }, ...mediaFacts(node.item.mimeType, node.item.size)];
    case 'template':
      return [{ name: 'URI template', text: node.uriTemplate }, ...mediaFacts(node.item.mimeType)];
    case 'prompt': {
      const names = (node.item.arguments ?? []).map(({ name, required }) =>
        required === true ? `${name} (required)` : name,
      );
      return [
        { name: 'Name', text: node.prompt },
        ...(names.length === 0 ? [] : [{ name: 'Arguments', text: names.join(', ') }]),
      ];
    }
    case 'skill':
      return skillFacts(node.item);
  }
}

function skillFacts({ uri, files, frontmatter }: Skill): readonly Fact[] {
  const asksForTools = frontmatter['allowed-tools'];
  return [
    { name: 'URI', text: uri },
    files === 'dynamic'
      ? { name: 'Files', text: 'made anew each time, so that nobody can check them' }
      : { name: 'Files', text: `${formatCount(files.length)}, checked when they are opened` },
    ...(asksForTools === undefined
      ? []
      : [{ name: 'Asks for tools, not granted', text: toJsonText(asksForTools, 1_000) }]),
  ];
}

function mediaFacts(mimeType: string | undefined, size?: number): readonly Fact[] {
  return [
    ...(mimeType === undefined ? [] : [{ name: 'Type', text: mimeType }]),
    ...(typeof size === 'number' ? [{ name: 'Size', text: `${formatCount(size)} bytes` }] : []),
  ];
}

function omissionFacts(omitted: readonly string[]): readonly Fact[] {
  return omitted.length === 0 ? [] : [{ name: 'Left out as too long', text: omitted.join(', ') }];
}

/** Hints in the server's words, marked as claims: nothing vouches for them (2025-03-26, tools). */
function annotationFacts(annotations: ToolAnnotations): readonly Fact[] {
  const claims = [
    annotations.readOnlyHint === true && 'only reads',
    annotations.destructiveHint === true && 'may destroy',
    annotations.idempotentHint === true && 'can be repeated without further effect',
    annotations.openWorldHint === true && 'reaches the outside world',
    annotations.openWorldHint === false && 'stays within a closed domain',
  ].filter((claim) => claim !== false);
  return claims.length === 0 ? [] : [{ name: 'The server claims', text: claims.join(', ') }];
}
