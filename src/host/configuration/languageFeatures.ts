import {
  CodeAction,
  CodeActionKind,
  Diagnostic,
  DiagnosticSeverity,
  languages,
  Range,
  type TextDocument,
  Uri,
  workspace,
  WorkspaceEdit,
} from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { Coalescer } from '../../base/coalescer.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { type ConfigurationProblem, createLocator, type ProblemSeverity } from '../../config/configurationProblem.ts';
import { editsForFix } from '../../config/editConfiguration.ts';
import { parseConfiguration } from '../../config/parseConfiguration.ts';
import type { FileKind } from '../../config/serverSection.ts';
import { configurationFileAt, documentSelector } from './configurationFiles.ts';
import type { ConfigurationService } from './configurationService.ts';

const diagnosticSource = 'Patchbay';
const typingPauseMs = 200;

/**
 * The problems of all configuration files in the Problems view, those of open files while a person types, and their quick
 * fixes.
 */
export function createLanguageFeatures(service: ConfigurationService, clock: Clock): Disposable {
  const store = new DisposableStore();
  const collection = store.add(languages.createDiagnosticCollection('patchbay'));
  const showOpen = (documents: readonly TextDocument[]): void =>
    documents.filter(({ isClosed }) => !isClosed).forEach(showDocument);
  const typed = store.add(new Coalescer(clock, typingPauseMs, showOpen));

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
    const { files } = service.snapshot;
    const documents = workspace.textDocuments.filter(({ isClosed }) => !isClosed);
    const open = new Set(documents.map(({ uri }) => uri.toString()));
    const shown: Uri[] = [];
    collection.forEach((uri) => shown.push(uri));
    for (const uri of shown) if (!files.has(uri.toString()) && !open.has(uri.toString())) collection.delete(uri);
    for (const [uri, { text, problems }] of files) {
      const file = configurationFileAt(Uri.parse(uri));
      if (file !== undefined && !open.has(uri)) collection.set(file.uri, toDiagnostics(text, file.kind, problems));
    }
    documents.forEach(showDocument);
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
  const provider = { provideCodeActions: quickFixes };
  const kinds = { providedCodeActionKinds: [CodeActionKind.QuickFix] };
  store.add(languages.registerCodeActionsProvider(documentSelector, provider, kinds));
  return store;
}

function toDiagnostics(text: string, kind: FileKind, problems: readonly ConfigurationProblem[]): Diagnostic[] {
  const placeOf = createLocator(text);
  // VS Code's own schema of `.vscode/mcp.json` also reports unknown keys. Ours are shown only if they come with a fix.
  const shown = problems.filter(({ code, fix }) => kind !== 'vscode' || code !== 'unknownKey' || fix !== undefined);
  return shown.map(({ message, severity, code, range = { offset: 0, length: 0 } }) => {
    const [start, end] = [placeOf(range.offset), placeOf(range.offset + range.length)];
    const place = new Range(start.line, start.character, end.line, end.character);
    const diagnostic = new Diagnostic(place, message, severities[severity]);
    return Object.assign(diagnostic, { source: diagnosticSource, code });
  });
}

const severities: Readonly<Record<ProblemSeverity, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  information: DiagnosticSeverity.Information,
};

function quickFixes(
  document: TextDocument,
  _range: Range,
  { diagnostics }: { readonly diagnostics: readonly Diagnostic[] },
): CodeAction[] {
  const file = configurationFileAt(document.uri);
  const ours = diagnostics.filter(({ source }) => source === diagnosticSource);
  if (file === undefined || ours.length === 0) return [];
  const text = document.getText();
  const rangeOf = (offset: number, length: number): Range =>
    new Range(document.positionAt(offset), document.positionAt(offset + length));
  // Parsed again: the text may have changed since the diagnostics were made.
  return parseConfiguration(text, file.kind).problems.flatMap(({ code, range, fix }) => {
    if (fix === undefined || range === undefined) return [];
    const place = rangeOf(range.offset, range.length);
    const diagnostic = ours.find((candidate) => candidate.code === code && candidate.range.isEqual(place));
    if (diagnostic === undefined) return [];
    const edit = new WorkspaceEdit();
    for (const change of editsForFix(text, fix))
      edit.replace(document.uri, rangeOf(change.offset, change.length), change.text);
    const action = new CodeAction(fix.title, CodeActionKind.QuickFix);
    return [Object.assign(action, { diagnostics: [diagnostic], isPreferred: true, edit })];
  });
}
