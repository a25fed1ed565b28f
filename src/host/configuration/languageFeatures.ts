import {
  CodeAction,
  CodeActionKind,
  type Diagnostic,
  languages,
  Range,
  type TextDocument,
  WorkspaceEdit,
} from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { editsForFix, type TextEdit } from '../../config/editConfiguration.ts';
import { parseConfiguration } from '../../config/parseConfiguration.ts';
import { configurationFileAt, documentSelector } from './configurationFiles.ts';
import type { ConfigurationService } from './configurationService.ts';
import { createDiagnostics, diagnosticSource } from './diagnostics.ts';

/** The language features of configuration files: problems, quick fixes, and code lenses that start and stop servers. */
export function createLanguageFeatures(configuration: ConfigurationService, clock: Clock): Disposable {
  const store = new DisposableStore();
  store.add(createDiagnostics(configuration, clock));
  store.add(registerQuickFixes());
  return store;
}

function registerQuickFixes(): Disposable {
  return languages.registerCodeActionsProvider(
    documentSelector,
    { provideCodeActions: (document, _range, { diagnostics }) => quickFixes(document, diagnostics) },
    { providedCodeActionKinds: [CodeActionKind.QuickFix] },
  );
}

function quickFixes(document: TextDocument, diagnostics: readonly Diagnostic[]): CodeAction[] {
  const file = configurationFileAt(document.uri);
  const ours = diagnostics.filter(({ source }) => source === diagnosticSource);
  if (file === undefined || ours.length === 0) return [];
  const text = document.getText();
  // Parsed again: the text may have changed since the diagnostics were made.
  const { problems } = parseConfiguration(text, file.kind);
  return problems.flatMap(({ code, range, fix }) => {
    if (fix === undefined || range === undefined) return [];
    const place = toRange(document, range.offset, range.length);
    const diagnostic = ours.find((candidate) => candidate.code === code && candidate.range.isEqual(place));
    return diagnostic === undefined ? [] : [toAction(document, diagnostic, fix.title, editsForFix(text, fix))];
  });
}

function toAction(
  document: TextDocument,
  diagnostic: Diagnostic,
  title: string,
  edits: readonly TextEdit[],
): CodeAction {
  const action = new CodeAction(title, CodeActionKind.QuickFix);
  action.diagnostics = [diagnostic];
  action.isPreferred = true;
  action.edit = new WorkspaceEdit();
  for (const { offset, length, text } of edits) {
    action.edit.replace(document.uri, toRange(document, offset, length), text);
  }
  return action;
}

function toRange(document: TextDocument, offset: number, length: number): Range {
  return new Range(document.positionAt(offset), document.positionAt(offset + length));
}
