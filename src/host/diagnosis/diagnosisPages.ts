import { commands, type Uri, workspace } from 'vscode';
import { isCancellation } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { ServerState } from '../../client/server/server.ts';
import type { FactsView } from '../../shared/factsMessages.ts';
import { CommandIds } from '../commandIds.ts';
import { singleLine } from '../platform/displayText.ts';
import { verifiesCertificates } from '../platform/httpClients.ts';
import { runForPerson } from '../platform/personArguments.ts';
import { createFactsPanels, type FactsDocument, type FactsPanels } from '../results/factsPanel.ts';
import { pickServer } from '../servers/pickServer.ts';
import type { ServerRegistry } from '../servers/serverRegistry.ts';
import type { Finding, FindingRemedy } from './diagnosis.ts';
import { type DiagnosisPorts, type DiagnosisSubject, diagnoseServer } from './diagnoseServer.ts';
import { diagnosisView, remedies } from './diagnosisView.ts';
import type { NetworkSettings } from './networkFindings.ts';

const whyPick = {
  placeholder: 'Show why which server failed?',
  whenNone: 'No MCP server is configured.',
  acts: true,
} as const;
const pick = { ...whyPick, placeholder: 'Diagnose which server?', starts: true } as const;

function readNetworkSettings(): NetworkSettings {
  const http = workspace.getConfiguration('http');
  return {
    proxy: http.get('proxy', ''),
    support: http.get('proxySupport', ''),
    noProxy: http.get('noProxy', []),
    verifiesCertificates: verifiesCertificates(),
    environment: process.env,
  };
}

/** Pages that show diagnoses in progress, one for each server, with buttons for what can be done. */
export function createDiagnosisPages(
  extensionUri: Uri,
  logger: Logger,
  given: Omit<DiagnosisPorts, 'network'>,
  registry: ServerRegistry,
  problemsIn: (file: string | undefined) => DiagnosisSubject['problems'],
) {
  const ports: DiagnosisPorts = { ...given, network: readNetworkSettings };
  /** By the labels of their servers. */
  const pages = new Map<string, DiagnosisPage>();
  const panels = createFactsPanels(extensionUri, logger, 'diagnosis', (label) => {
    pages.get(label)?.dispose();
    pages.delete(label);
  });

  /** Diagnoses the server, again if there is a diagnosis already. Resolves when it is finished or stopped. */
  async function diagnose(subject: DiagnosisSubject): Promise<void> {
    const { failure, startsServer, configured } = subject;
    const isReplaced = failure !== undefined && subject.session !== undefined;
    const { label } = configured;
    pages.get(label)?.dispose();
    const stop = new AbortController();
    const findings: Finding[] = [];
    let plan = ports.launched(label);
    let isFinished = false;
    const startedAt = ports.clock.now();
    const viewNow = (isRemoved: boolean): FactsView =>
      diagnosisView({ label, startsServer, startedAt, isFinished, isRemoved, findings, failure, isReplaced }, plan);
    const page = openPage(panels, registry, label, viewNow, stop);
    pages.set(label, page);
    const onFinding = (finding: Finding): void => {
      findings.push(finding);
      page.draw();
    };
    try {
      await diagnoseServer(subject, ports, onFinding, (launched) => (plan = launched), stop.signal);
    } catch (error) {
      if (!isCancellation(error)) throw error;
      findings.push({ title: 'Stopped', outcome: 'skipped', seen: ['You stopped the diagnosis'] });
    } finally {
      isFinished = true;
      page.draw();
    }
  }

  const command = (startsServer: boolean) => async (argument: unknown) => {
    const hostServer = await pickServer(registry, argument, startsServer ? pick : whyPick);
    if (hostServer === undefined) return;
    const { configured, server, development } = hostServer;
    const known = { configured, problems: problemsIn(configured.source.uri), session: server.session };
    await diagnose({ ...known, failure: failureOf(server.state) ?? development?.failure, startsServer });
  };
  return {
    /** *Diagnose MCP Server*, and *Show Why* at a server that failed, which starts nothing. */
    commands: { [CommandIds.diagnoseServer]: command(true), [CommandIds.showWhy]: command(false) },
    get active() {
      return panels.active;
    },
    dispose(): void {
      for (const page of pages.values()) page.dispose();
      panels.dispose();
    },
  };
}

type DiagnosisPage = ReturnType<typeof openPage>;

/** The page of one diagnosis, which goes on until it is disposed: drawn again where its server is removed, or is back. */
function openPage(
  panels: FactsPanels,
  registry: ServerRegistry,
  label: string,
  viewNow: (isRemoved: boolean) => FactsView,
  stop: AbortController,
) {
  const isRemoved = (): boolean => registry.get(label) === undefined;
  const run = (id: string): unknown => (id === 'stop' ? stop.abort() : act(id, label));
  const documentNow = (): FactsDocument => {
    const tabTitle = `Diagnosis of ${singleLine(label, 60)}`;
    return { key: label, tabTitle, server: label, view: viewNow(isRemoved()), run };
  };
  let isDisposed = false;
  let wasRemoved = isRemoved();
  const draw = (): void => {
    if (!isDisposed) panels.update(documentNow());
  };
  const following = registry.onDidChangeServers(() => {
    if (wasRemoved === isRemoved()) return;
    wasRemoved = isRemoved();
    draw();
  });
  panels.show(documentNow());
  return {
    draw,
    /** The tab is closed, or another diagnosis of the server has taken it. */
    dispose(): void {
      isDisposed = true;
      stop.abort();
      following.dispose();
    },
  };
}

function failureOf(state: ServerState): unknown {
  return 'error' in state ? state.error : undefined;
}

/** @param id of a button, as the page has sent it */
async function act(id: string, label: string): Promise<void> {
  if (id === 'again') await runForPerson(CommandIds.diagnoseServer, label);
  else if (id === 'openSettings') await commands.executeCommand(remedies[id].command, 'http.');
  else if (isRemedy(id)) await runForPerson(remedies[id].command, label);
}

function isRemedy(id: string): id is FindingRemedy {
  return Object.hasOwn(remedies, id);
}
