import { Diagnostic, DiagnosticSeverity, type Range, Uri, workspace } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { TrafficLog } from '../../client/trace/trafficLog.ts';
import type { CheckResult } from '../../workshop/checks/checkResult.ts';
import { lintFactsOf } from '../../workshop/lint/observeTraffic.ts';
import { singleLine } from '../platform/displayText.ts';
import { isSwitchedOn } from '../platform/settings.ts';
import { type FollowedServers, followToolLists, type LookAtTools } from './followToolLists.ts';
import { lintInSlices } from './lintInSlices.ts';
import { createServerProblems, type ShownConfiguration } from './serverProblems.ts';
import type { HostServer } from './serverRegistry.ts';

/** Findings of one server that are in the Problems view: the report has all. */
const maximumProblems = 20;

/**
 * Puts what other hosts would do with a server into the Problems view, at its entry in a file of the workspace: after its list of
 * tools has changed, in slices. Rules of low weight are left to the report.
 */
export function followLint(
  registry: FollowedServers,
  configuration: ShownConfiguration,
  loadTraffic: () => Promise<TrafficLog>,
  clock: Clock,
): Disposable {
  const store = new DisposableStore();
  const found = new Map<string, readonly CheckResult[]>();
  const problems = store.add(
    createServerProblems('patchbay-lint', registry, configuration, clock, (hostServer, range) => {
      const isShown = isSwitchedOn('lint.problems') && isOfWorkspace(hostServer);
      return isShown
        ? (found.get(hostServer.label) ?? []).map((result) => diagnosticOf(hostServer.label, result, range))
        : [];
    }),
  );
  const look: LookAtTools = async (hostServer, tools, isCurrent) => {
    const isLinted = tools.length > 0 && isOfWorkspace(hostServer);
    const report = isLinted
      ? await lintInSlices(lintFactsOf(hostServer.label, hostServer.server, await loadTraffic()), clock, isCurrent)
      : undefined;
    if (!isCurrent()) return;
    found.set(hostServer.label, (report?.results ?? []).filter(isProblem).slice(0, maximumProblems));
    problems.draw();
  };
  const forget = (label: string): void => {
    found.delete(label);
    problems.draw();
  };
  store.add(followToolLists(registry, clock, look, forget));
  store.add(
    workspace.onDidChangeConfiguration(
      (event) => event.affectsConfiguration('patchbay.lint.problems') && problems.draw(),
    ),
  );
  return store;
}

/** An invalid schema is a problem without the lint, see `followToolFaults`. */
function isProblem({ id, verdict }: CheckResult): boolean {
  return (verdict === 'failed' || verdict === 'warning') && id !== 'lint/schema-invalid';
}

function isOfWorkspace({ configured: { source } }: HostServer): boolean {
  return source.folder !== undefined;
}

function diagnosticOf(
  label: string,
  { id, title, subject, message = '', verdict, references }: CheckResult,
  range: Range,
) {
  const { failed, warning } = { failed: DiagnosticSeverity.Warning, warning: DiagnosticSeverity.Information };
  const tool = subject.name === undefined ? '' : `, “${singleLine(subject.name, 60)}”`;
  const text = `“${singleLine(label, 60)}”${tool}: ${singleLine(`${title}. ${message}`, 1_000)}`;
  const diagnostic = new Diagnostic(range, text, verdict === 'failed' ? failed : warning);
  const [source] = references;
  const code = source === undefined ? id : { value: id, target: Uri.parse(source.url) };
  return Object.assign(diagnostic, { source: 'Patchbay', code });
}
