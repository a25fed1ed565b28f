import { countOf, singleLine } from '../displayText.ts';
import type { HostServer } from '../serverRegistry.ts';
import { describeServer, needsAttention } from '../serverStatus.ts';

/** The status bar item, in plain data. */
export interface StatusSummary {
  readonly text: string;
  readonly isWarning: boolean;
  /** A server waits for an answer of the person. */
  readonly isAsking: boolean;
  /** One line each, plain text. */
  readonly lines: readonly string[];
  /** What a screen reader says. */
  readonly spoken: string;
}

/** @returns `undefined` without servers: then there is nothing to show */
export function summarise(servers: readonly HostServer[]): StatusSummary | undefined {
  if (servers.length === 0) return undefined;
  const running = servers.filter(({ server }) => server.state.kind === 'running').length;
  const attention = servers.filter(needsAttention).length;
  const isStarting = servers.some(({ server }) => server.state.kind === 'starting');
  const parts = [
    `$(${isStarting ? 'loading~spin' : 'plug'}) ${running}`,
    ...(attention > 0 ? [`$(warning) ${attention}`] : []),
  ];
  const counts = [
    `${countOf(running, 'MCP server')} running`,
    ...(attention > 0 ? [`${attention} ${attention === 1 ? 'needs' : 'need'} attention`] : []),
  ];
  return {
    text: parts.join(' '),
    isWarning: attention > 0,
    isAsking: servers.some(({ isAsking }) => isAsking),
    lines: servers.map((hostServer) => `${singleLine(hostServer.label, 60)}: ${describeServer(hostServer)}`),
    spoken: counts.join(', '),
  };
}
