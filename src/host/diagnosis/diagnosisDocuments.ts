import { CodeLens, env, EventEmitter, languages, ProgressLocation, Range, Uri, window, workspace } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { isCancellation } from '../../base/errors.ts';
import type { LaunchPlan } from '../../base/launchPlan.ts';
import { CommandIds } from '../commandIds.ts';
import { singleLine } from '../platform/displayText.ts';
import { abortOn } from '../platform/cancellation.ts';
import { type DiagnosisText, type Finding, type FindingRemedy, renderDiagnosis } from './diagnosis.ts';
import { type DiagnosisPorts, type DiagnosisSubject, diagnoseServer } from './diagnoseServer.ts';

const scheme = 'patchbay-diagnosis';

/** Documents that show diagnoses in progress, with buttons at the findings. */
export interface DiagnosisDocuments extends Disposable {
  /** Diagnoses the server, again if there is a diagnosis already. Resolves when it is finished or cancelled. */
  diagnose(subject: DiagnosisSubject): Promise<void>;
  /** Copies the text of the diagnosis, which holds no secrets, to the clipboard. */
  copy(label: string): Promise<void>;
}

/** Registers the documents and their buttons. */
export function createDiagnosisDocuments(ports: DiagnosisPorts): DiagnosisDocuments {
  return new DiagnosisDocumentProvider(ports);
}

class DiagnosisDocumentProvider implements DiagnosisDocuments {
  readonly #ports: DiagnosisPorts;
  readonly #store = new DisposableStore();
  readonly #changes = this.#store.add(new EventEmitter<Uri>());
  readonly #lensChanges = this.#store.add(new EventEmitter<void>());
  /** By label; what was closed is forgotten. */
  readonly #shown = new Map<string, DiagnosisText>();

  constructor(ports: DiagnosisPorts) {
    this.#ports = ports;
    this.#store.add(
      workspace.registerTextDocumentContentProvider(scheme, {
        onDidChange: this.#changes.event,
        provideTextDocumentContent: ({ query }) => this.#shown.get(query)?.text ?? 'Run Diagnose Server… again.\n',
      }),
    );
    this.#store.add(
      languages.registerCodeLensProvider(
        { scheme },
        {
          onDidChangeCodeLenses: this.#lensChanges.event,
          provideCodeLenses: ({ uri: { query } }) => createLenses(query, this.#shown.get(query)),
        },
      ),
    );
    this.#store.add(
      workspace.onDidCloseTextDocument(({ uri }) => {
        if (uri.scheme === scheme) this.#shown.delete(uri.query);
      }),
    );
  }

  async diagnose(subject: DiagnosisSubject): Promise<void> {
    const { label } = subject.configured;
    const findings: Finding[] = [];
    let plan: LaunchPlan | undefined;
    const startedAt = this.#ports.clock.now();
    const draw = (isFinished: boolean): void => {
      const text = renderDiagnosis({ label, startedAt, isFinished, findings }, plan);
      this.#update(label, text);
    };
    const found = (finding: Finding): void => {
      findings.push(finding);
      draw(false);
    };
    draw(false);
    await window.showTextDocument(await workspace.openTextDocument(uriOf(label)), { preview: false });
    const location = ProgressLocation.Notification;
    const progress = { location, title: `Diagnosing ${singleLine(label, 60)}`, cancellable: true };
    await window.withProgress(progress, async (_, token) => {
      const abort = abortOn(token);
      try {
        await diagnoseServer(subject, this.#ports, found, (wanted) => (plan = wanted), abort.signal);
      } catch (error) {
        if (!isCancellation(error)) throw error;
        findings.push({ title: 'Stopped', outcome: 'skipped', seen: ['You ended the diagnosis'] });
      } finally {
        abort.dispose();
        draw(true);
      }
    });
  }

  async copy(label: string): Promise<void> {
    const text = this.#shown.get(label)?.text;
    if (text === undefined) return;
    await env.clipboard.writeText(text);
    window.setStatusBarMessage('Copied the diagnosis', 3000);
  }

  dispose(): void {
    this.#store.dispose();
  }

  #update(label: string, text: DiagnosisText): void {
    this.#shown.set(label, text);
    this.#changes.fire(uriOf(label));
    this.#lensChanges.fire();
  }
}

function uriOf(label: string): Uri {
  const name = label.replace(/[^\p{L}\p{N} ._-]/gu, '_').slice(0, 60);
  return Uri.from({ scheme, path: `/Diagnosis of ${name}.txt`, query: label });
}

function createLenses(label: string, text: DiagnosisText | undefined): CodeLens[] {
  if (text === undefined) return [];
  const lens = (line: number, title: string, command: string, args: readonly unknown[] = [label]): CodeLens =>
    new CodeLens(new Range(line, 0, line, 0), { title, command, arguments: [...args] });
  return [
    lens(0, '$(refresh) Diagnose Again', CommandIds.diagnoseServer),
    lens(0, '$(copy) Copy as Text', CommandIds.copyDiagnosis),
    ...text.remedies.flatMap(({ line, remedies }) =>
      remedies.map((remedy) => {
        const { title, command, args } = buttons[remedy];
        return lens(line, title, command, args);
      }),
    ),
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
  manageWorkspaceTrust: { title: '$(shield) Manage Workspace Trust', command: 'workbench.trust.manage', args: [] },
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
