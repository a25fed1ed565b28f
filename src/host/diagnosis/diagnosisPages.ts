import { commands, type Uri, workspace } from 'vscode';
import { isCancellation } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { ServerState } from '../../client/server/server.ts';
import { CommandIds } from '../commandIds.ts';
import { singleLine } from '../platform/displayText.ts';
import { verifiesCertificates } from '../platform/httpClients.ts';
import { runForPerson } from '../platform/personArguments.ts';
import { createFactsPanels, type FactsDocument } from '../results/factsPanel.ts';
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
  /** The diagnoses in progress, by the labels of their servers. */
  const running = new Map<string, AbortController>();
  /** What draws the page of a label again, where its server is there or gone meanwhile. */
  const redraws = new Map<string, () => void>();
  const panels = createFactsPanels(extensionUri, logger, 'diagnosis', (label) => {
    running.get(label)?.abort();
    redraws.delete(label);
  });
  const following = registry.onDidChangeServers(() => redraws.forEach((redraw) => redraw()));

  /** Diagnoses the server, again if there is a diagnosis already. Resolves when it is finished or stopped. */
  async function diagnose(subject: DiagnosisSubject): Promise<void> {
    const { failure, startsServer, configured } = subject;
    const { label } = configured;
    running.get(label)?.abort();
    const stop = new AbortController();
    running.set(label, stop);
    const findings: Finding[] = [];
    let plan = ports.launched(label);
    const startedAt = ports.clock.now();
    const run = (id: string): unknown => (id === 'stop' ? stop.abort() : act(id, label));
    let isRemoved = false;
    let isFinished = false;
    const documentNow = (): FactsDocument => {
      isRemoved = registry.get(label) === undefined;
      const view = diagnosisView({ label, startsServer, startedAt, isFinished, isRemoved, findings, failure }, plan);
      return { key: label, tabTitle: `Diagnosis of ${singleLine(label, 60)}`, server: label, view, run };
    };
    // Another diagnosis of the server may have taken the page.
    const draw = (): void => {
      if (redraws.get(label) === redraw) panels.update(documentNow());
    };
    const redraw = (): void => {
      if (isRemoved !== (registry.get(label) === undefined)) draw();
    };
    redraws.set(label, redraw);
    panels.show(documentNow());
    const onFinding = (finding: Finding): void => {
      findings.push(finding);
      draw();
    };
    try {
      await diagnoseServer(subject, ports, onFinding, (launched) => (plan = launched), stop.signal);
    } catch (error) {
      if (!isCancellation(error)) throw error;
      findings.push({ title: 'Stopped', outcome: 'skipped', seen: ['You stopped the diagnosis'] });
    } finally {
      isFinished = true;
      draw();
      if (running.get(label) === stop) running.delete(label);
    }
  }

  const command = (startsServer: boolean) => async (argument: unknown) => {
    const hostServer = await pickServer(registry, argument, startsServer ? pick : whyPick);
    if (hostServer === undefined) return;
    const { configured, server } = hostServer;
    const known = { configured, problems: problemsIn(configured.source.uri), session: server.session };
    await diagnose({ ...known, failure: failureOf(server.state), startsServer });
  };
  return {
    /** *Diagnose MCP Server*, and *Show Why* at a server that failed, which starts nothing. */
    commands: { [CommandIds.diagnoseServer]: command(true), [CommandIds.showWhy]: command(false) },
    get active() {
      return panels.active;
    },
    dispose(): void {
      for (const stop of running.values()) stop.abort();
      following.dispose();
      panels.dispose();
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
