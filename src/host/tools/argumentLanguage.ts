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
  TabInputText,
  type TextDocument,
  type Uri,
  window,
  workspace,
} from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import { describeProblem } from '../../base/schemaCheck.ts';
import { truncateWithCount } from '../../base/truncate.ts';
import { readableText } from '../../base/visibleText.ts';
import { toolDisplayName } from '../../protocol/mcp/displayName.ts';
import { CommandIds } from '../commandIds.ts';
import { escapeIcons, markdownText, singleLine } from '../platform/displayText.ts';
import { toolScheme } from '../platform/uriSchemes.ts';
import { helpAt, type PlaceHelp, suggestAt, type Suggestion } from './argumentHelp.ts';
import { parseArguments, type TextProblem } from './argumentText.ts';
import type { ToolEditors } from './toolEditor.ts';
import type { ToolSession } from './toolSession.ts';
import { byPerson } from '../platform/personArguments.ts';

/** Problems of arguments at their place in the JSON, completion and hovers from the schema, and the link to the form. */
export function registerArgumentLanguage(tools: Pick<ToolEditors, 'sessionOf' | 'onDidChange'>): Disposable {
  const store = new DisposableStore();
  const diagnostics = store.add(languages.createDiagnosticCollection('patchbay-arguments'));
  const lensesChanged = store.add(new Emitter<void>());
  const diagnose = (uri: Uri): void => {
    const session = tools.sessionOf(uri);
    diagnostics.set(uri, session === undefined ? [] : diagnosticsOf(session));
  };
  store.add(
    tools.onDidChange((uri) => {
      diagnose(uri);
      lensesChanged.fire();
    }),
  );
  store.add(
    window.tabGroups.onDidChangeTabs(({ opened, closed }) => {
      for (const { input } of [...opened, ...closed])
        if (input instanceof TabInputText && input.uri.scheme === toolScheme) diagnose(input.uri);
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
  const provideCompletionItems: CompletionItemProvider['provideCompletionItems'] = (document, position) => {
    const engine = tools.sessionOf(document.uri)?.engine;
    const found = engine && suggestAt(engine, document.getText(), document.offsetAt(position));
    return (found ?? []).map((suggestion, index) => toCompletionItem(document, suggestion, index));
  };
  const provideHover: HoverProvider['provideHover'] = (document, position) => {
    const engine = tools.sessionOf(document.uri)?.engine;
    const help = engine && helpAt(engine, document.getText(), document.offsetAt(position));
    return help && hoverOf(document, help);
  };
  store.add(
    languages.registerCompletionItemProvider({ scheme: toolScheme }, { provideCompletionItems }, '"', ':', ' '),
  );
  store.add(languages.registerHoverProvider({ scheme: toolScheme }, { provideHover }));
  return store;
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
    ...(description !== undefined && { documentation: aboutOf(description) }),
  });
}

function hoverOf(document: TextDocument, { title, description, facts, offset, length }: PlaceHelp): Hover {
  const parts = [singleLine(title, 200), aboutOf(description ?? ''), facts.join('\n')];
  const lines = parts.filter((part) => part !== '').map((part) => new MarkdownString(markdownText(part)));
  return new Hover(lines, rangeOf(document, offset, length));
}

/** What a server says of an argument, with its line breaks. */
export function aboutOf(description: string): string {
  return readableText(truncateWithCount(description, 2_000));
}

function rangeOf(document: TextDocument, offset: number, length: number): Range {
  return new Range(document.positionAt(offset), document.positionAt(offset + length));
}

/** Opens the form, where the person sees what is called; a command of its own could be run by anyone. */
function lensOf(document: TextDocument, { address: { server, tool: name, occurrence }, tool }: ToolSession): CodeLens {
  const { line } = document.positionAt(Math.max(0, document.getText().search(/^\s*\{/m)));
  const shown = tool === undefined ? name : toolDisplayName(tool);
  const title = `$(open-preview) Open the Form to Call ${escapeIcons(singleLine(shown, 60))}`;
  return new CodeLens(new Range(line, 0, line, 0), {
    title,
    command: CommandIds.openTool,
    arguments: [byPerson({ server, tool: name, occurrence }, CommandIds.openTool)],
  });
}

/**
 * What is wrong is among the problems of the window once the person looks at the JSON, or has tried a call. Until then the form
 * says it, and what is not filled in yet is no problem.
 */
export function diagnosticsOf(
  session: Pick<ToolSession, 'document' | 'problems' | 'note' | 'wasTried'>,
): readonly Diagnostic[] {
  const { document, problems, note } = session;
  const parsed = parseArguments(document.getText());
  if (parsed.kind === 'broken')
    return parsed.problems.map((problem) => toDiagnostic(document, problem, DiagnosticSeverity.Error));
  if (!session.wasTried && !isOpenAsText(document.uri)) return [];
  const notes = note === undefined ? [] : [{ ...parsed.locate([]), message: note }];
  const wrong = problems.map((problem) => ({
    ...parsed.locate(problem.path),
    message: describeProblem(problem, parsed.args, 'The arguments'),
  }));
  // As VS Code says what the schema of a JSON file objects to.
  const [warning, information] = [DiagnosticSeverity.Warning, DiagnosticSeverity.Information];
  return [
    ...wrong.map((problem) => toDiagnostic(document, problem, warning)),
    ...notes.map((problem) => toDiagnostic(document, problem, information)),
  ];
}

function isOpenAsText({ path, query, scheme }: Uri): boolean {
  const tabs = window.tabGroups.all.flatMap((group) => group.tabs);
  return tabs.some(
    ({ input }) =>
      input instanceof TabInputText &&
      input.uri.scheme === scheme &&
      input.uri.path === path &&
      input.uri.query === query,
  );
}

function toDiagnostic(
  document: TextDocument,
  { offset, length, message }: TextProblem,
  severity: DiagnosticSeverity,
): Diagnostic {
  const range = rangeOf(document, offset, length);
  return Object.assign(new Diagnostic(range, message, severity), { source: 'Patchbay' });
}
