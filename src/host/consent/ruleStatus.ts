import { StatusBarAlignment, ThemeColor, window } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { RuleBook } from '../../client/sampling/ruleBook.ts';
import { CommandIds } from '../commandIds.ts';
import { countOf, escapeIcons } from '../platform/displayText.ts';
import type { ServerRegistry } from '../servers/serverRegistry.ts';
import type { LazySampling } from './consentServices.ts';
import { describeRule, nextChangeOf, requestsOf, ruleTitle } from './ruleText.ts';

interface RuleStatusOptions {
  readonly sampling: Pick<LazySampling, 'rules' | 'onDidChange'>;
  readonly registry: Pick<ServerRegistry, 'servers' | 'onDidChangeServers' | 'onDidChangeState'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * A warning in the status bar while a rule can let requests of a running server through. A click stops all rules. Nothing is
 * read before a server runs.
 */
export function createRuleStatus({ sampling, registry, clock, logger }: RuleStatusOptions): Disposable {
  const store = new DisposableStore();
  const item = store.add(window.createStatusBarItem('patchbay.rules', StatusBarAlignment.Right, 49));
  item.name = 'Patchbay: Rules for Models';
  item.command = CommandIds.stopRules;
  let timer: Disposable | undefined;
  store.add({ dispose: () => timer?.dispose() });

  function show(book: Pick<RuleBook, 'rules' | 'running'> | undefined): void {
    timer?.dispose();
    const now = clock.now();
    const running = new Set(
      registry.servers.filter(({ server }) => server.state.kind === 'running').map(({ label }) => label),
    );
    const summary = book && summarizeRules(book, (server) => running.has(server), now);
    const next = nextChangeOf(book?.rules ?? [], now);
    timer = next === undefined ? undefined : clock.after(next - now, refresh, { isBackground: true });
    if (summary === undefined) {
      item.hide();
      return;
    }
    item.text = summary.text;
    // A string is shown as plain text.
    item.tooltip = summary.lines.join('\n');
    item.backgroundColor = new ThemeColor('statusBarItem.warningBackground');
    item.accessibilityInformation = { label: summary.spoken, role: 'button' };
    item.show();
  }

  async function update(): Promise<void> {
    const isAnyRunning = registry.servers.some(({ server }) => server.state.kind === 'running');
    try {
      const book = isAnyRunning ? await sampling.rules() : undefined;
      if (!store.isDisposed) show(book);
    } catch (error) {
      logger.error(`The rules for models could not be read: ${messageOf(error)}`);
    }
  }

  const refresh = (): void => void update();
  for (const onDidChange of [sampling.onDidChange, registry.onDidChangeServers, registry.onDidChangeState])
    store.add(onDidChange(refresh));
  refresh();
  return store;
}

const maximumLines = 20;

/**
 * The status of rules: a text with icons of VS Code, plain lines for the tooltip, and what a screen reader says.
 * @returns `undefined` where no rule can let anything through, and none does
 */
export function summarizeRules(
  { rules, running }: Pick<RuleBook, 'rules' | 'running'>,
  isRunning: (server: string) => boolean,
  now: number,
) {
  const shown = rules.filter(({ server }) => isRunning(server));
  if (shown.length === 0 && running === 0) return undefined;
  const [first] = shown;
  // The time of a rule may be over before the model has answered.
  const count = shown.length === 0 ? countOf(running, 'request') : countOf(shown.length, 'rule');
  const one = shown.length === 1 && first !== undefined ? `: ${ruleTitle(first)} (${requestsOf(first, now)})` : '';
  const lets =
    running > 0
      ? `${countOf(running, 'request')} ${running === 1 ? 'is' : 'are'} being answered by a rule.`
      : undefined;
  const others = rules.length - shown.length;
  return {
    text: `${running > 0 ? '$(sync~spin)' : '$(shield)'} ${count}${escapeIcons(one)}`,
    lines: [
      'Requests for a model that go out without a question:',
      ...shown.slice(0, maximumLines).map((rule) => `${ruleTitle(rule)}: ${describeRule(rule, now)}`),
      ...(shown.length > maximumLines ? [`… ${shown.length - maximumLines} more`] : []),
      ...(others > 0 ? [`${countOf(others, 'rule')} of servers that do not run`] : []),
      ...(lets === undefined ? [] : [lets]),
      `Click to stop ${rules.length === 1 ? 'the rule' : 'all rules'}.`,
    ],
    spoken: `${count} for models without a question${one}. Press to stop.${lets === undefined ? '' : ` ${lets}`}`,
  };
}
