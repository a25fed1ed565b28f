import { StatusBarAlignment, ThemeColor, type TreeView, window } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { Coalescer } from '../../base/coalescer.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { CommandIds } from '../commandIds.ts';
import { countOf, singleLine } from '../platform/displayText.ts';
import type { HostServer, ServerRegistry } from '../servers/serverRegistry.ts';
import { describeServer, needsAttention, serversToWarnOf } from '../servers/serverStatus.ts';

const maximumLines = 30;

/** Where the rows of the servers are: what fails there is seen. */
interface StatusView {
  readonly isSeen: (hostServer: HostServer) => boolean;
  readonly onDidChangeVisibility: TreeView<unknown>['onDidChangeVisibility'];
}

/**
 * One item: how many servers run, and whether any needs attention. A click lists them, or shows the open question of a
 * server. It warns of a failure until the view was shown with it.
 */
export function createStatusBar(
  registry: Pick<ServerRegistry, 'servers' | 'onDidChangeServers' | 'onDidChangeAny'>,
  clock: Clock,
  view: StatusView,
): Disposable {
  const store = new DisposableStore();
  const item = store.add(window.createStatusBarItem('patchbay.status', StatusBarAlignment.Right, 50));
  item.name = 'Patchbay: MCP Servers';

  function show(): void {
    const summary = summarizeStatus(registry.servers, view.isSeen);
    if (summary === undefined) {
      item.hide();
      return;
    }
    item.text = summary.text;
    item.command = summary.isAsking ? CommandIds.showQuestion : CommandIds.showServers;
    item.tooltip = tooltipOf(summary.lines, summary.spoken);
    item.backgroundColor = summary.isWarning ? new ThemeColor('statusBarItem.warningBackground') : undefined;
    item.accessibilityInformation = { label: summary.spoken, role: 'button' };
    item.show();
  }

  const refreshes = store.add(new Coalescer(clock, 200, show));
  store.add(registry.onDidChangeServers(() => refreshes.request()));
  store.add(registry.onDidChangeAny(() => refreshes.request()));
  store.add(view.onDidChangeVisibility(() => refreshes.request()));
  show();
  return store;
}

/** Plain text: VS Code parses Markdown with each change, and its patterns for that take 400 kB. */
function tooltipOf(lines: readonly string[], spoken: string): string {
  const shown = lines.slice(0, maximumLines);
  const left = lines.length > maximumLines ? [`… ${lines.length - maximumLines} more`] : [];
  return [spoken, '', ...shown, ...left].join('\n');
}

/**
 * @param isSeen the person has seen that the server failed: it is counted, without a warning
 * @returns `undefined` without servers: then there is nothing to show
 */
export function summarizeStatus(servers: readonly HostServer[], isSeen: (host: HostServer) => boolean = () => false) {
  if (servers.length === 0) return undefined;
  const running = servers.filter(({ server }) => server.state.kind === 'running').length;
  const attention = servers.filter(needsAttention).length;
  const isStarting = servers.some(({ server }) => server.state.kind === 'starting');
  const needs = `, ${attention} ${attention === 1 ? 'needs' : 'need'} attention`;
  return {
    text: `$(${isStarting ? 'loading~spin' : 'plug'}) ${running}${attention > 0 ? ` $(warning) ${attention}` : ''}`,
    isWarning: serversToWarnOf(servers, isSeen).length > 0,
    isAsking: servers.some(({ isAsking }) => isAsking),
    /** One line each, plain text. */
    lines: servers.map((hostServer) => `${singleLine(hostServer.label, 60)}: ${describeServer(hostServer)}`),
    spoken: `${countOf(running, 'MCP server')} running${attention > 0 ? needs : ''}`,
  };
}
