import { MarkdownString, StatusBarAlignment, ThemeColor, window } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { CommandIds } from '../commands/commandIds.ts';
import { markdownText } from '../markdownText.ts';
import type { ServerRegistry } from '../serverRegistry.ts';
import { createRefreshScheduler } from './refreshScheduler.ts';
import { type StatusSummary, summarise } from './statusSummary.ts';

const maximumLines = 30;

/** One item: how many servers run, and whether any needs somebody. A click lists them, or shows the question one asks. */
export function createStatusBar(registry: ServerRegistry, clock: Clock): Disposable {
  const store = new DisposableStore();
  const item = store.add(window.createStatusBarItem('patchbay.status', StatusBarAlignment.Right, 50));
  item.name = 'Patchbay: MCP Servers';

  function show(): void {
    const summary = summarise(registry.servers);
    if (summary === undefined) {
      item.hide();
      return;
    }
    item.text = summary.text;
    item.command = summary.isAsking ? CommandIds.showQuestion : CommandIds.showServers;
    item.tooltip = tooltipOf(summary);
    item.backgroundColor = summary.isWarning ? new ThemeColor('statusBarItem.warningBackground') : undefined;
    item.accessibilityInformation = { label: summary.spoken, role: 'button' };
    item.show();
  }

  const scheduler = store.add(createRefreshScheduler<'status'>(clock, () => 200, show));
  const request = (): void => scheduler.request('status');
  store.add(registry.onDidChangeServers(request));
  store.add(registry.onDidChangeAny(request));
  show();
  return store;
}

function tooltipOf({ lines, spoken }: StatusSummary): MarkdownString {
  const tooltip = new MarkdownString('', false);
  tooltip.appendMarkdown(`**${markdownText(spoken)}**`);
  for (const line of lines.slice(0, maximumLines)) tooltip.appendMarkdown(`\n\n${markdownText(line)}`);
  if (lines.length > maximumLines) tooltip.appendMarkdown(`\n\n… ${lines.length - maximumLines} more`);
  return tooltip;
}
