import { MarkdownString, StatusBarAlignment, ThemeColor, window } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { Coalescer } from '../../base/coalescer.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { CommandIds } from '../commandIds.ts';
import { countOf, markdownText, singleLine } from '../platform/displayText.ts';
import type { HostServer, ServerRegistry } from '../servers/serverRegistry.ts';
import { describeServer, needsAttention } from '../servers/serverStatus.ts';

const maximumLines = 30;

/**
 * One item: how many servers run, and whether any needs attention. A click lists them, or shows the open question of a
 * server.
 */
export function createStatusBar(registry: ServerRegistry, clock: Clock): Disposable {
  const store = new DisposableStore();
  const item = store.add(window.createStatusBarItem('patchbay.status', StatusBarAlignment.Right, 50));
  item.name = 'Patchbay: MCP Servers';

  function show(): void {
    const summary = summarizeStatus(registry.servers);
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

  const refreshes = store.add(new Coalescer(clock, () => 200, show));
  store.add(registry.onDidChangeServers(() => refreshes.request()));
  store.add(registry.onDidChangeAny(() => refreshes.request()));
  show();
  return store;
}

function tooltipOf(lines: readonly string[], spoken: string): MarkdownString {
  const tooltip = new MarkdownString('', false);
  tooltip.appendMarkdown(`**${markdownText(spoken)}**`);
  for (const line of lines.slice(0, maximumLines)) tooltip.appendMarkdown(`\n\n${markdownText(line)}`);
  if (lines.length > maximumLines) tooltip.appendMarkdown(`\n\n… ${lines.length - maximumLines} more`);
  return tooltip;
}

/** @returns `undefined` without servers: then there is nothing to show */
export function summarizeStatus(servers: readonly HostServer[]) {
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
    /** A server waits for an answer of the person. */
    isAsking: servers.some(({ isAsking }) => isAsking),
    /** One line each, plain text. */
    lines: servers.map((hostServer) => `${singleLine(hostServer.label, 60)}: ${describeServer(hostServer)}`),
    /** What a screen reader says. */
    spoken: counts.join(', '),
  };
}
