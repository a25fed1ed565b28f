import {
  CodeLens,
  Diagnostic,
  DiagnosticSeverity,
  type DiagnosticCollection,
  languages,
  Range,
  type TextDocument,
  window,
  workspace,
} from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { PatchbayError } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import type { JsonObject } from '../../base/json.ts';
import type { SchemaValidator } from '../../client/validation/schemaValidator.ts';
import type { Tool } from '../../protocol/mcp/tools.ts';
import { toolDisplayName } from '../../protocol/mcp/displayName.ts';
import { CommandIds } from '../commandIds.ts';
import { escapeIcons, singleLine } from '../platform/displayText.ts';
import type { ContentTarget } from '../invocation/contentTarget.ts';
import { argumentText, parseArguments, type TextProblem } from './argumentText.ts';

/** Untitled documents in which arguments of tools are written, checked as one types, with a link that calls the tool. */
export interface ArgumentEditors extends Disposable {
  /** @param args what to begin with; a skeleton of the tool's schema by default */
  open(server: string, tool: Tool, args?: JsonObject): Promise<void>;
  /**
   * What the document holds now, and whose arguments they are.
   * @throws {PatchbayError} `notFound` for a document that Patchbay did not open, `invalidArguments` for one that is not JSON
   */
  read(documentUri: string): { readonly target: ContentTarget; readonly tool: Tool; readonly args: JsonObject };
  /** True for the argument of the link above a document: only a person who presses it hands that over. */
  isLink(argument: object): boolean;
}

/** The documents in which a person writes arguments as JSON, with their problems and their *Call* link. */
export function createArgumentEditors(options: {
  readonly validator: SchemaValidator;
  readonly clock: Clock;
}): ArgumentEditors {
  return new OpenArgumentEditors(options.validator, options.clock);
}

interface Session {
  readonly target: ContentTarget;
  readonly tool: Tool;
  readonly document: TextDocument;
  pause?: Disposable;
}

const typingPauseMs = 300;

class OpenArgumentEditors implements ArgumentEditors {
  readonly #validator: SchemaValidator;
  readonly #clock: Clock;
  readonly #disposables = new DisposableStore();
  readonly #sessions = new Map<string, Session>();
  readonly #links = new WeakSet<object>();
  readonly #diagnostics: DiagnosticCollection;
  readonly #onDidChangeLenses = this.#disposables.add(new Emitter<void>());

  constructor(validator: SchemaValidator, clock: Clock) {
    this.#validator = validator;
    this.#clock = clock;
    this.#diagnostics = this.#disposables.add(languages.createDiagnosticCollection('patchbay-arguments'));
    this.#disposables.add(workspace.onDidChangeTextDocument(({ document }) => this.#checkSoon(document)));
    this.#disposables.add(workspace.onDidCloseTextDocument((document) => this.#forget(document.uri.toString())));
    this.#disposables.add(
      languages.registerCodeLensProvider(
        { scheme: 'untitled', language: 'jsonc' },
        {
          onDidChangeCodeLenses: this.#onDidChangeLenses.event,
          provideCodeLenses: (document) => {
            const session = this.#sessions.get(document.uri.toString());
            return session === undefined ? [] : [this.#linkOf(session)];
          },
        },
      ),
    );
  }

  async open(server: string, tool: Tool, args?: JsonObject): Promise<void> {
    const document = await workspace.openTextDocument({ language: 'jsonc', content: argumentText(server, tool, args) });
    const session = { target: { server, name: tool.name }, tool, document };
    this.#sessions.set(document.uri.toString(), session);
    await window.showTextDocument(document, { preview: false });
    this.#onDidChangeLenses.fire();
    await this.#check(session);
  }

  read(documentUri: string): { readonly target: ContentTarget; readonly tool: Tool; readonly args: JsonObject } {
    const session = this.#sessions.get(documentUri);
    if (session === undefined)
      throw new PatchbayError('notFound', 'This document no longer belongs to a tool. Call the tool again.');
    const parsed = parseArguments(session.document.getText());
    if (parsed.kind === 'ok') return { target: session.target, tool: session.tool, args: parsed.args };
    throw new PatchbayError(
      'invalidArguments',
      `The arguments cannot be read: ${parsed.problems[0]?.message ?? 'they are not JSON.'}`,
    );
  }

  isLink(argument: object): boolean {
    return this.#links.has(argument);
  }

  dispose(): void {
    for (const { pause } of this.#sessions.values()) pause?.dispose();
    this.#sessions.clear();
    this.#disposables.dispose();
  }

  #linkOf({ document, target, tool }: Session): CodeLens {
    const start = document.getText().search(/^\s*\{/m);
    const { line } = document.positionAt(Math.max(0, start));
    const title = `$(play) Call ${escapeIcons(singleLine(toolDisplayName(tool), 60))}`;
    const argument = { server: target.server, tool: target.name, document: document.uri.toString() };
    this.#links.add(argument);
    return new CodeLens(new Range(line, 0, line, 0), { title, command: CommandIds.callTool, arguments: [argument] });
  }

  #checkSoon(document: TextDocument): void {
    const session = this.#sessions.get(document.uri.toString());
    if (session === undefined) return;
    session.pause?.dispose();
    session.pause = this.#clock.after(typingPauseMs, () => void this.#check(session));
  }

  async #check(session: Session): Promise<void> {
    const { document } = session;
    const { version } = document;
    const problems = await findProblems(this.#validator, session, document.getText());
    if (document.version !== version || this.#sessions.get(document.uri.toString()) !== session) return;
    this.#diagnostics.set(
      document.uri,
      problems.map((problem) => toDiagnostic(document, problem)),
    );
  }

  #forget(uri: string): void {
    const session = this.#sessions.get(uri);
    if (session === undefined) return;
    session.pause?.dispose();
    this.#diagnostics.delete(session.document.uri);
    this.#sessions.delete(uri);
  }
}

async function findProblems(
  validator: SchemaValidator,
  { target, tool }: Session,
  text: string,
): Promise<readonly TextProblem[]> {
  const parsed = parseArguments(text);
  if (parsed.kind === 'broken') return parsed.problems;
  const validation = await validator.validate(target.server, tool.inputSchema, parsed.args);
  switch (validation.kind) {
    case 'valid':
      return [];
    case 'invalid':
      return validation.problems.map(parsed.locate);
    case 'unsupported': {
      const message = `These arguments are not checked against the tool's input schema: ${validation.reason}.`;
      return [{ ...parsed.locate({ path: [], message }), isNote: true }];
    }
  }
}

function toDiagnostic(document: TextDocument, { offset, length, message, isNote = false }: TextProblem): Diagnostic {
  const range = new Range(document.positionAt(offset), document.positionAt(offset + length));
  const severity = isNote ? DiagnosticSeverity.Information : DiagnosticSeverity.Error;
  return Object.assign(new Diagnostic(range, message, severity), { source: 'Patchbay' });
}
