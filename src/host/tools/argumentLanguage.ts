import {
  CodeLens,
  CompletionItem,
  CompletionItemKind,
  type CompletionItemProvider,
  Diagnostic,
  DiagnosticSeverity,
  Hover,
  type HoverProvider,
  languages,
  MarkdownString,
  Range,
  type TextDocument,
  type Uri,
  workspace,
} from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { truncateWithCount } from '../../base/truncate.ts';
import { visibleText } from '../../base/visibleText.ts';
import { toolDisplayName } from '../../protocol/mcp/displayName.ts';
import { CommandIds } from '../commandIds.ts';
import { escapeIcons, markdownText, singleLine } from '../platform/displayText.ts';
import { toolScheme } from '../platform/uriSchemes.ts';
import { helpAt, suggestAt, type Suggestion } from './argumentHelp.ts';
import { parseArguments, type TextProblem } from './argumentText.ts';
import type { ToolSession } from './toolSession.ts';
import { byPerson } from '../platform/personArguments.ts';

/** What the JSON of arguments needs: which tool a document is about. */
export interface ArgumentLanguageOptions {
  sessionOf(uri: Uri): ToolSession | undefined;
  /** A document was opened, or its tool or problems have changed. */
  readonly onDidChange: Event<Uri>;
}

/** Problems of arguments at their place in the JSON, completion and hovers from the schema, and the link to the form. */
export function registerArgumentLanguage(tools: ArgumentLanguageOptions): Disposable {
  const store = new DisposableStore();
  const diagnostics = store.add(languages.createDiagnosticCollection('patchbay-arguments'));
  const lensesChanged = store.add(new Emitter<void>());
  store.add(
    tools.onDidChange((uri) => {
      const session = tools.sessionOf(uri);
      diagnostics.set(uri, session === undefined ? [] : diagnosticsOf(session));
      lensesChanged.fire();
    }),
  );
  store.add(workspace.onDidCloseTextDocument(({ uri }) => uri.scheme === toolScheme && diagnostics.delete(uri)));
  store.add(
    languages.registerCodeLensProvider(
      { scheme: toolScheme },
      {
        onDidChangeCodeLenses: lensesChanged.event,
        provideCodeLenses: (document) => {
          const session = tools.sessionOf(document.uri);
          return session?.tool === undefined ? [] : [lensOf(document, session)];
        },
      },
    ),
  );
  store.add(languages.registerCompletionItemProvider({ scheme: toolScheme }, completionOf(tools), '"', ':', ' '));
  store.add(languages.registerHoverProvider({ scheme: toolScheme }, hoverOf(tools)));
  return store;
}

function completionOf(tools: ArgumentLanguageOptions): CompletionItemProvider {
  return {
    provideCompletionItems(document, position) {
      const engine = tools.sessionOf(document.uri)?.engine;
      if (engine === undefined) return [];
      const suggestions = suggestAt(engine, document.getText(), document.offsetAt(position));
      return suggestions.map((suggestion, index) => toCompletionItem(document, suggestion, index));
    },
  };
}

function toCompletionItem(document: TextDocument, suggestion: Suggestion, index: number): CompletionItem {
  const { kind, label, text, offset, length, detail, description } = suggestion;
  const itemKind = kind === 'property' ? CompletionItemKind.Property : CompletionItemKind.Value;
  return Object.assign(new CompletionItem(singleLine(label, 200), itemKind), {
    insertText: text,
    range: rangeOf(document, offset, length),
    // VS Code matches what is typed with this, quotes included.
    filterText: kind === 'property' ? JSON.stringify(label) : text,
    sortText: String(index).padStart(4, '0'),
    detail: singleLine(detail, 200),
    ...(description !== undefined && { documentation: visibleText(truncateWithCount(description, 2_000)) }),
  });
}

function hoverOf(tools: ArgumentLanguageOptions): HoverProvider {
  return {
    provideHover(document, position) {
      const engine = tools.sessionOf(document.uri)?.engine;
      const help = engine && helpAt(engine, document.getText(), document.offsetAt(position));
      if (help === undefined) return undefined;
      const { title, description, facts, offset, length } = help;
      const parts = [singleLine(title, 200), truncateWithCount(description ?? '', 2_000), facts.join('\n')];
      const lines = parts.filter((part) => part !== '').map((part) => new MarkdownString(markdownText(part)));
      return new Hover(lines, rangeOf(document, offset, length));
    },
  };
}

function rangeOf(document: TextDocument, offset: number, length: number): Range {
  return new Range(document.positionAt(offset), document.positionAt(offset + length));
}

/** Opens the form, where the person sees what is called; a command of its own could be run by anyone. */
function lensOf(document: TextDocument, { address, tool }: ToolSession): CodeLens {
  const { line } = document.positionAt(Math.max(0, document.getText().search(/^\s*\{/m)));
  const name = tool === undefined ? address.tool : toolDisplayName(tool);
  const title = `$(open-preview) Open the Form to Call ${escapeIcons(singleLine(name, 60))}`;
  return new CodeLens(new Range(line, 0, line, 0), {
    title,
    command: CommandIds.openTool,
    arguments: [
      byPerson({ server: address.server, tool: address.tool, occurrence: address.occurrence }, CommandIds.openTool),
    ],
  });
}

function diagnosticsOf({ document, problems, note }: ToolSession): readonly Diagnostic[] {
  const parsed = parseArguments(document.getText());
  if (parsed.kind === 'broken') return parsed.problems.map((problem) => toDiagnostic(document, problem));
  const notes = note === undefined ? [] : [{ ...parsed.locate({ path: [], message: note }), isNote: true }];
  return [...problems.map(parsed.locate), ...notes].map((problem) => toDiagnostic(document, problem));
}

function toDiagnostic(document: TextDocument, { offset, length, message, isNote = false }: TextProblem): Diagnostic {
  const range = rangeOf(document, offset, length);
  const severity = isNote ? DiagnosticSeverity.Information : DiagnosticSeverity.Error;
  return Object.assign(new Diagnostic(range, message, severity), { source: 'Patchbay' });
}
