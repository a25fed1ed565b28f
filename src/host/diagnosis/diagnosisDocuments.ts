import {
  CodeLens,
  type CodeLensProvider,
  env,
  EventEmitter,
  languages,
  ProgressLocation,
  Range,
  type Uri,
  window,
  workspace,
} from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { isCancellation } from '../../base/errors.ts';
import type { LaunchPlan } from '../../base/launchPlan.ts';
import { CommandIds } from '../commandIds.ts';
import { notificationText } from '../platform/displayText.ts';
import { withToken } from '../platform/cancellation.ts';
import { verifiesCertificates } from '../platform/httpClients.ts';
import { createTextDocuments, tabName } from '../platform/textDocuments.ts';
import { type DiagnosisText, type Finding, type FindingRemedy, renderDiagnosis } from './diagnosis.ts';
import { type DiagnosisPorts, type DiagnosisSubject, diagnoseServer } from './diagnoseServer.ts';
import type { NetworkSettings } from './networkFindings.ts';
import { byPerson } from '../platform/personArguments.ts';
import { pickServer } from '../servers/pickServer.ts';
import { labelFromArgument } from '../servers/serverArgument.ts';
import type { ServerRegistry } from '../servers/serverRegistry.ts';

const scheme = 'patchbay-diagnosis';
const pick = { placeholder: 'Diagnose which server?', whenNone: 'No MCP server is configured.', acts: true } as const;

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

/** Documents that show diagnoses in progress, with buttons at the findings. */
export class DiagnosisDocuments implements Disposable {
  readonly #ports: DiagnosisPorts;
  readonly #store = new DisposableStore();
  readonly #documents = this.#store.add(createTextDocuments({ scheme, missingText: 'Run Diagnose Server… again.\n' }));
  readonly #lensChanges = this.#store.add(new EventEmitter<void>());
  readonly #shown = new Map<string, DiagnosisText>();

  /** *Diagnose Server…*, and the button that copies a diagnosis. */
  readonly commands;

  constructor(
    ports: Omit<DiagnosisPorts, 'network'>,
    registry: ServerRegistry,
    problemsIn: (file: string | undefined) => DiagnosisSubject['problems'],
  ) {
    this.#ports = { ...ports, network: readNetworkSettings };
    this.commands = {
      [CommandIds.diagnoseServer]: async (argument: unknown) => {
        const host = await pickServer(registry, argument, pick);
        if (host === undefined) return;
        const { configured, server } = host;
        await this.#diagnose({ configured, problems: problemsIn(configured.source.uri), session: server.session });
      },
      [CommandIds.copyDiagnosis]: async (argument: unknown) => {
        const shown = this.#shown.get(labelFromArgument(argument) ?? '');
        if (shown === undefined) return;
        // It holds no secrets.
        await env.clipboard.writeText(shown.text);
        window.setStatusBarMessage('Copied the diagnosis', 3000);
      },
    };
    const lenses: CodeLensProvider = {
      onDidChangeCodeLenses: this.#lensChanges.event,
      provideCodeLenses: ({ uri: { query } }) => createLenses(query, this.#shown.get(query)),
    };
    this.#store.add(languages.registerCodeLensProvider({ scheme }, lenses));
    this.#store.add(this.#documents.onDidClose((label) => this.#shown.delete(label)));
  }

  /** Diagnoses the server, again if there is a diagnosis already. Resolves when it is finished or cancelled. */
  async #diagnose(subject: DiagnosisSubject): Promise<void> {
    const { label } = subject.configured;
    const findings: Finding[] = [];
    let plan: LaunchPlan | undefined;
    const startedAt = this.#ports.clock.now();
    const draw = (isFinished: boolean): Uri => {
      const shown = renderDiagnosis({ label, startedAt, isFinished, findings }, plan);
      this.#shown.set(label, shown);
      const document = this.#documents.set(`Diagnosis of ${tabName(label)}.txt`, label, shown.text);
      this.#lensChanges.fire();
      return document;
    };
    const onFinding = (finding: Finding): void => {
      findings.push(finding);
      draw(false);
    };
    await this.#documents.show(draw(false), { preview: false });
    const location = ProgressLocation.Notification;
    const progress = { location, title: `Diagnosing ${notificationText(label, 60)}`, cancellable: true };
    await window.withProgress(progress, async (_, token) => {
      const onPlan = (launched: LaunchPlan): void => void (plan = launched);
      try {
        await withToken(token, (signal) => diagnoseServer(subject, this.#ports, onFinding, onPlan, signal));
      } catch (error) {
        if (!isCancellation(error)) throw error;
        findings.push({ title: 'Stopped', outcome: 'skipped', seen: ['You ended the diagnosis'] });
      } finally {
        draw(true);
      }
    });
  }

  dispose(): void {
    this.#store.dispose();
  }
}

function createLenses(label: string, text: DiagnosisText | undefined): CodeLens[] {
  const lens = (line: number, { title, command, args }: Button): CodeLens => {
    const target = args ?? [byPerson({ server: label }, command)];
    return new CodeLens(new Range(line, 0, line, 0), { title, command, arguments: [...target] });
  };
  if (text === undefined) return [];
  return [
    lens(0, { title: '$(refresh) Diagnose Again', command: CommandIds.diagnoseServer }),
    lens(0, { title: '$(copy) Copy as Text', command: CommandIds.copyDiagnosis }),
    ...[...text.remedies].flatMap(([line, remedies]) => remedies.map((remedy) => lens(line, buttons[remedy]))),
  ];
}

interface Button {
  readonly title: string;
  readonly command: string;
  /** The label of the server if absent. */
  readonly args?: readonly unknown[];
}

const buttons: Readonly<Record<FindingRemedy, Button>> = {
  openConfiguration: { title: '$(go-to-file) Open Configuration', command: CommandIds.openConfiguration },
  manageTrust: { title: '$(shield) Manage Workspace Trust', command: 'workbench.trust.manage', args: [] },
  openSettings: {
    title: '$(gear) Open Proxy and Certificate Settings',
    command: 'workbench.action.openSettings',
    args: ['http.'],
  },
  showLog: { title: '$(output) Show Log', command: CommandIds.showServerLog },
  signIn: { title: '$(key) Sign In…', command: CommandIds.signIn },
  setIssuer: { title: '$(key) Set Authorization Server…', command: CommandIds.setIssuer },
  start: { title: '$(play) Start Server', command: CommandIds.startServer },
};
