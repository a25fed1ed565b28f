import { Diagnostic, DiagnosticSeverity, languages, Range, type TextDocument, Uri, workspace } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { Coalescer } from '../../base/coalescer.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import {
  type ConfigurationProblem,
  createRangeLocator,
  type LineRange,
  type ProblemSeverity,
} from '../../config/configurationProblem.ts';
import { parseConfiguration } from '../../config/parseConfiguration.ts';
import type { FileKind } from '../../config/serverSection.ts';
import { type ConfigurationFile, configurationFileAt } from './configurationFiles.ts';
import type { ConfigurationService } from './configurationService.ts';

export const diagnosticSource = 'Patchbay';

const typingPauseMs = 200;

/** Shows the problems of all configuration files in the Problems view, and those of open files while a person types. */
export function createDiagnostics(service: ConfigurationService, clock: Clock): Disposable {
  const store = new DisposableStore();
  const collection = store.add(languages.createDiagnosticCollection('patchbay'));
  const typed = store.add(
    new Coalescer<TextDocument>(
      clock,
      () => typingPauseMs,
      (documents) => documents.filter(({ isClosed }) => !isClosed).forEach(showDocument),
    ),
  );

  function showDocument(document: TextDocument): void {
    const file = configurationFileAt(document.uri);
    if (file === undefined) return;
    const text = document.getText();
    const saved = service.snapshot.files.get(document.uri.toString());
    // The problems of the saved text also know about other files, and so about shadowed entries.
    const problems = saved?.text === text ? saved.problems : parseConfiguration(text, file.kind).problems;
    collection.set(document.uri, toDiagnostics(text, file.kind, problems));
  }

  function showAll(): void {
    const open = workspace.textDocuments.filter(
      ({ uri, isClosed }) => !isClosed && configurationFileAt(uri) !== undefined,
    );
    const openUris = new Set(open.map(({ uri }) => uri.toString()));
    collection.forEach((uri) => {
      if (!openUris.has(uri.toString())) collection.delete(uri);
    });
    for (const [uri, { text, problems }] of service.snapshot.files) {
      const file: ConfigurationFile | undefined = openUris.has(uri) ? undefined : configurationFileAt(Uri.parse(uri));
      if (file !== undefined) collection.set(file.uri, toDiagnostics(text, file.kind, problems));
    }
    open.forEach(showDocument);
  }

  store.add(service.onDidChange(showAll));
  store.add(workspace.onDidOpenTextDocument(showDocument));
  store.add(workspace.onDidCloseTextDocument(showAll));
  store.add(
    workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length > 0 && configurationFileAt(document.uri) !== undefined) typed.postpone(document);
    }),
  );
  showAll();
  return store;
}

function toDiagnostics(text: string, kind: FileKind, problems: readonly ConfigurationProblem[]): Diagnostic[] {
  const placeOf = createRangeLocator(text);
  return problems
    .filter((problem) => !isReportedByEditor(problem, kind))
    .map((problem) => toDiagnostic(problem, placeOf(problem.range ?? { offset: 0, length: 0 })));
}

/** VS Code's own schema of `.vscode/mcp.json` also reports unknown keys. Ours are shown only if they come with a fix. */
function isReportedByEditor({ code, fix }: ConfigurationProblem, kind: FileKind): boolean {
  return kind === 'vscode' && code === 'unknownKey' && fix === undefined;
}

function toDiagnostic({ message, severity, code }: ConfigurationProblem, { start, end }: LineRange): Diagnostic {
  const place = new Range(start.line, start.character, end.line, end.character);
  const diagnostic = new Diagnostic(place, message, severities[severity]);
  diagnostic.source = diagnosticSource;
  diagnostic.code = code;
  return diagnostic;
}

const severities: Readonly<Record<ProblemSeverity, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  information: DiagnosticSeverity.Information,
};
