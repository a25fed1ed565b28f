import type { LaunchPlan } from '../../base/launchPlan.ts';
import { truncateWithEllipsis } from '../../base/truncate.ts';
import { visibleText } from '../../base/visibleText.ts';
import { secretsOfPlan } from '../../secrets/planSecrets.ts';
import { createRedactor } from '../../secrets/redactor.ts';
import type { FactsAction, FactsPart, FactsSection, FactsSummary, FactsView } from '../../shared/factsMessages.ts';
import { CommandIds } from '../commandIds.ts';
import { describeError } from '../platform/describeError.ts';
import { shortened } from '../platform/showError.ts';
import type { Finding, FindingRemedy } from './diagnosis.ts';

const maximumLength = 4_000;
const maximumSummary = 500;

export interface Diagnosis {
  readonly label: string;
  /** False for *Show Why*, which starts nothing. */
  readonly startsServer: boolean;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly isFinished: boolean;
  readonly findings: readonly Finding[];
  /** The server was removed since: only what needs no server is offered. */
  readonly isRemoved?: boolean;
  /** Why the server is not running. */
  readonly failure?: unknown;
  /** The failure is of new code, and the code before it runs. */
  readonly isReplaced?: boolean;
}

const again: FactsAction = { id: 'again', label: 'Diagnose Again', icon: 'refresh' };
const diagnose: FactsAction = { id: 'again', label: 'Diagnose', icon: 'debug-start' };
const stop: FactsAction = { id: 'stop', label: 'Stop', icon: 'debug-stop' };

/**
 * A diagnosis as a page: at its top the error in a sentence, and what can be done next. Hidden characters in the texts of
 * servers and files are written out.
 * @param plan the launch plan, if there is one yet: its secrets are hidden
 */
export function diagnosisView(diagnosis: Diagnosis, plan: LaunchPlan | undefined): FactsView {
  const { label, startsServer, isFinished, isRemoved = false, isReplaced = false, findings, failure } = diagnosis;
  const redactor = createRedactor(plan === undefined ? [] : secretsOfPlan(label, plan));
  const show = (text: string): string => shownLines(redactor.text(text, maximumLength));
  const problem = findings.find(({ outcome }) => outcome === 'problem');
  const isKnown = failure !== undefined && (problem === undefined || !startsServer);
  const error = isKnown ? describeError(failure) : undefined;
  const sections = findings.map((finding): FactsSection => {
    const isAbove = finding === problem && error === undefined;
    const actions = isAbove ? [] : (finding.remedies ?? []).map(remedyAction);
    return { title: finding.title, outcome: finding.outcome, parts: partsOf(finding, show), actions };
  });
  const last: readonly FactsSection[] = error?.message.includes('\n')
    ? [{ title: 'Last error', outcome: 'problem', parts: [textPart(show(error.message))] }]
    : [];
  const summary = startsServer
    ? summaryOf(diagnosis, problem, error, show)
    : failureSummary(problem, error, isReplaced, show);
  const isRunning = startsServer && !isFinished;
  const view: FactsView = {
    title: `Diagnosis of ${show(label)}`,
    lead: leadOf(diagnosis),
    summary,
    actions: [isRunning ? stop : startsServer ? again : diagnose],
    sections: [...last, ...sections],
  };
  return isRemoved ? withoutServer(view) : view;
}

const forNoServer: ReadonlySet<string> = new Set<FindingRemedy | 'stop'>(['stop', 'manageTrust', 'openSettings']);

function withoutServer({ summary, ...view }: FactsView): FactsView {
  const left = (actions: readonly FactsAction[]) => actions.filter(({ id }) => forNoServer.has(id));
  return {
    ...view,
    lead: 'This server is no longer configured.',
    ...(summary && { summary: { ...summary, actions: left(summary.actions) } }),
    actions: left(view.actions),
    sections: view.sections.map((section) => ({ ...section, actions: left(section.actions ?? []) })),
  };
}

function leadOf({ startsServer, startedAt, isFinished, isReplaced }: Diagnosis): string {
  if (!startsServer && isReplaced === true)
    return 'The code that was saved last does not start. The code before it still runs; the next save tries again.';
  if (!startsServer) return 'The server was not started again. Diagnose starts it and checks each step.';
  return isFinished ? new Date(startedAt).toLocaleString() : 'Checking each step…';
}

/** The error that is known already and its next steps, which stay what they are while more is found out. */
function failureSummary(
  problem: Finding | undefined,
  error: ReturnType<typeof describeError> | undefined,
  isReplaced: boolean,
  show: (text: string) => string,
): FactsSummary {
  if (error === undefined) return { kind: 'info', text: 'The server has no error now.', actions: [] };
  const meaning = problem?.meaning === undefined ? [] : [show(problem.meaning)];
  const next: readonly FindingRemedy[] = [...error.remedies, ...(isReplaced ? [] : (['start'] as const))];
  return { kind: 'error', text: [short(error.message, show), ...meaning].join('\n'), actions: next.map(remedyAction) };
}

function summaryOf(
  { isFinished, findings }: Diagnosis,
  problem: Finding | undefined,
  error: ReturnType<typeof describeError> | undefined,
  show: (text: string) => string,
): FactsSummary {
  if (problem !== undefined) {
    const { seen, meaning, remedies = [] } = problem;
    const text = [short(seen[0] ?? problem.title, show), ...(meaning === undefined ? [] : [show(meaning)])].join('\n');
    return { kind: 'error', text, actions: remedies.map(remedyAction) };
  }
  if (error !== undefined) {
    const text = short(error.message, show);
    if (!isFinished) return { kind: 'error', text, actions: error.remedies.map(remedyAction) };
    const now = 'No problem was found now. Start the server again.';
    return { kind: 'info', text: `${text}\n${now}`, actions: (['start', 'showLog'] as const).map(remedyAction) };
  }
  if (!isFinished) return { kind: 'working', text: 'Checking the server…', actions: [] };
  const notices = findings.filter(({ outcome }) => outcome === 'notice').map(({ title }) => title);
  const more = notices.length === 0 ? '' : ` Worth a look: ${notices.join(', ')}.`;
  return { kind: 'info', text: `No problem was found.${more}`, actions: [] };
}

/** Hides secrets first: half of one would not be found. */
function short(text: string, show: (text: string) => string): string {
  return truncateWithEllipsis(shortened(show(text)), maximumSummary);
}

function partsOf({ seen, meaning, folded }: Finding, show: (text: string) => string): readonly FactsPart[] {
  const items = seen.map(show);
  const [only] = items;
  return [
    ...(only !== undefined && items.length === 1 ? [textPart(only)] : [{ kind: 'list', items } as const]),
    ...(meaning === undefined ? [] : [{ kind: 'text', text: show(meaning) } as const]),
    ...(folded === undefined ? [] : [{ kind: 'folded', title: folded.title, items: folded.items.map(show) } as const]),
  ];
}

/** Several lines are most often output of a program: a stack trace keeps its columns. */
function textPart(text: string): FactsPart {
  return { kind: text.includes('\n') ? 'code' : 'text', text };
}

function shownLines(text: string): string {
  const lines = text.replaceAll('\t', '    ').split(/\r?\n/);
  return lines
    .map((line) => visibleText(line))
    .join('\n')
    .trimEnd();
}

function remedyAction(id: FindingRemedy): FactsAction {
  const { label, icon } = remedies[id];
  return { id, label, icon };
}

/** The buttons of remedies, whose ids are their names, and what each runs for the server. */
export const remedies: Readonly<Record<FindingRemedy, Omit<FactsAction, 'id'> & { readonly command: string }>> = {
  openConfiguration: { label: 'Open Configuration', icon: 'go-to-file', command: CommandIds.openConfiguration },
  manageTrust: { label: 'Manage Workspace Trust', icon: 'shield', command: 'workbench.trust.manage' },
  openSettings: {
    label: 'Open Proxy and Certificate Settings',
    icon: 'gear',
    command: 'workbench.action.openSettings',
  },
  showLog: { label: 'Show Log', icon: 'output', command: CommandIds.showServerLog },
  signIn: { label: 'Sign In…', icon: 'key', command: CommandIds.signIn },
  enable: { label: 'Enable', icon: 'check', command: CommandIds.enableServer },
  setIssuer: { label: 'Set Authorization Server…', icon: 'key', command: CommandIds.setIssuer },
  start: { label: 'Start', icon: 'play', command: CommandIds.startServer },
};
