import {
  CodeLens,
  Diagnostic,
  DiagnosticSeverity,
  languages,
  Range,
  type TextDocument,
  type Uri,
  workspace,
} from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { toolDisplayName } from '../../protocol/mcp/displayName.ts';
import { CommandIds } from '../commandIds.ts';
import { escapeIcons, singleLine } from '../platform/displayText.ts';
import { toolScheme } from '../platform/uriSchemes.ts';
import { parseArguments, type TextProblem } from './argumentText.ts';
import type { ToolSession } from './toolSession.ts';

/** What the JSON of arguments needs: which tool a document is about. */
export interface ArgumentLanguageOptions {
  sessionOf(uri: Uri): ToolSession | undefined;
  /** A document was opened, or its tool or problems have changed. */
  readonly onDidChange: Event<Uri>;
}

/** Problems of arguments at their place in the JSON, and the link that calls the tool. */
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
  return store;
}

/** Opens the form, where the person sees what is called; a command of its own could be run by anyone. */
function lensOf(document: TextDocument, { address, tool }: ToolSession): CodeLens {
  const { line } = document.positionAt(Math.max(0, document.getText().search(/^\s*\{/m)));
  const name = tool === undefined ? address.tool : toolDisplayName(tool);
  const title = `$(open-preview) Open the Form to Call ${escapeIcons(singleLine(name, 60))}`;
  return new CodeLens(new Range(line, 0, line, 0), {
    title,
    command: CommandIds.openTool,
    arguments: [{ server: address.server, tool: address.tool, occurrence: address.occurrence }],
  });
}

function diagnosticsOf({ document, problems, note }: ToolSession): readonly Diagnostic[] {
  const parsed = parseArguments(document.getText());
  if (parsed.kind === 'broken') return parsed.problems.map((problem) => toDiagnostic(document, problem));
  const notes = note === undefined ? [] : [{ ...parsed.locate({ path: [], message: note }), isNote: true }];
  return [...problems.map(parsed.locate), ...notes].map((problem) => toDiagnostic(document, problem));
}

function toDiagnostic(document: TextDocument, { offset, length, message, isNote = false }: TextProblem): Diagnostic {
  const range = new Range(document.positionAt(offset), document.positionAt(offset + length));
  const severity = isNote ? DiagnosticSeverity.Information : DiagnosticSeverity.Error;
  return Object.assign(new Diagnostic(range, message, severity), { source: 'Patchbay' });
}
