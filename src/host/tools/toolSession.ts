import { type TextDocument, WorkspaceEdit, Range, workspace } from 'vscode';
import { Coalescer } from '../../base/coalescer.ts';
import { textDifference } from '../../base/textDifference.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { JsonObject } from '../../base/json.ts';
import type { SchemaProblem } from '../../base/schemaCheck.ts';
import { canonicalJson } from '../../base/digest.ts';
import { FormEngine } from '../../forms/formEngine.ts';
import type { JsonSchema, Tool } from '../../protocol/mcp/tools.ts';
import type { CallView, ToolToPanel, ToolView } from '../../shared/toolMessages.ts';
import { inOneLine, summarize } from '../calls/callRows.ts';
import { findTool } from '../invocation/contentTarget.ts';
import { parseArguments, editArguments, writeArguments } from './argumentText.ts';
import { ShownDefinition } from './shownDefinition.ts';
import type { ToolDraft, ToolFiles } from './toolFiles.ts';
import type { ToolPorts } from './toolPorts.ts';
import type { ToolAddress } from './toolUri.ts';
import { stateNotices, toToolView, withheldNotice } from './toolView.ts';
import type { ShownOutcome } from './toolOutcome.ts';
import { toSent } from '../../shared/exactMessages.ts';

type SessionPorts = Pick<ToolPorts, 'registry' | 'validator' | 'clock'> & { readonly files: ToolFiles };

/** Milliseconds after the last change before arguments are checked. */
const typingPauseMs = 250;

/** The least time between two looks at what the server lists. */
const refreshIntervalMs = 50;

/** The arguments of one tool in one document, with all that its pages show; several pages may show the same. */
export class ToolSession implements Disposable {
  readonly address: ToolAddress;
  readonly document: TextDocument;
  readonly #ports: SessionPorts;
  readonly #store = new DisposableStore();
  readonly #onDidChange = this.#store.add(
    new Emitter<{ readonly message: ToolToPanel; readonly source?: object | undefined }>(),
  );
  /** The definition that the pages show; `undefined` while none was ever listed. */
  tool: Tool | undefined;
  #engine: { readonly schema: JsonSchema; readonly engine: FormEngine } | undefined;
  /** `undefined` while the document holds no object. */
  args: JsonObject | undefined;
  #brokenBecause = '';
  #call: CallView = { kind: 'idle' };
  #outcome: ShownOutcome | undefined;
  #pause: Disposable | undefined;
  /** What the schema objects to in the arguments, as far as they were checked. */
  problems: readonly SchemaProblem[] = [];
  note: string | undefined;
  /** A call was begun: what is wrong with the arguments matters from then on. */
  wasTried = false;
  #isWithheld: boolean;
  #shown = '';
  #wasReplaced = false;
  readonly #definition = new ShownDefinition();
  #outcomeOf: string | undefined;
  /** Resolves when all that was written is in the document, or could not be written. */
  written = Promise.resolve();
  /** The page whose change is being written into the document. */
  #writer: object | undefined;
  /** Cancels its call, whichever of its pages began it; `undefined` where there is none. */
  cancelCall: (() => void) | undefined;
  /** Second presses that were wanted, each with the number of its own. */
  confirmations = 0;
  /** Takes the second press of *Call*, while one is wanted. */
  confirmCall: ((id: number, remember: boolean) => void) | undefined;
  #isForCommand: boolean;
  #callsAgain: boolean;
  #offersAgain = false;
  /** The arguments of the last call that was sent and was the person's own; `undefined` where the last one was not. */
  ownCall: JsonObject | undefined;

  /** Messages for its pages. `source` is the page that made the change. */
  readonly onDidChange = this.#onDidChange.event;

  /** @param kept the definition that the document was last shown with, whether its arguments were kept, and whose they are */
  constructor(document: TextDocument, address: ToolAddress, ports: SessionPorts, kept: Omit<ToolDraft, 'text'>) {
    this.document = document;
    this.address = address;
    this.#ports = ports;
    this.tool = this.#listed() ?? kept.tool;
    this.#isWithheld = kept.isWithheld === true;
    this.#isForCommand = kept.isForCommand === true;
    this.#callsAgain = kept.callsAgain === true;
    this.#parse();
    const { registry } = ports;
    // A start has several changes in one turn, and each tab compares its whole definition.
    const refreshes = this.#store.add(new Coalescer(ports.clock, refreshIntervalMs, () => this.refresh()));
    this.#store.add(registry.onDidChangeAny(({ label }) => label === address.server && refreshes.request()));
    this.#store.add(registry.onDidChangeServers(() => this.refresh()));
    this.#store.add(
      workspace.onDidChangeTextDocument(({ document: changed, contentChanges }) => {
        if (changed === document && contentChanges.length > 0) this.#changed();
      }),
    );
    this.refresh();
  }

  /** What forms and the JSON know of the tool's arguments; made once for a definition. */
  get engine(): FormEngine | undefined {
    const schema = this.tool?.inputSchema;
    if (schema === undefined) return undefined;
    if (this.#engine?.schema !== schema) this.#engine = { schema, engine: new FormEngine(schema) };
    return this.#engine.engine;
  }

  /** True unless the schema objects to these arguments, which may not be those of the document. */
  async accepts(args: JsonObject): Promise<boolean> {
    const tool = this.tool;
    if (tool === undefined || tool.omittedSchemas?.includes('inputSchema') === true) return tool !== undefined;
    return (await this.#ports.validator.validate(this.address.server, tool.inputSchema, args)).kind !== 'invalid';
  }

  /**
   * A keybinding or another extension has opened the form: the next call is one of theirs, whoever presses *Call*, also after the
   * window was reloaded.
   */
  get isForCommand(): boolean {
    return this.#isForCommand;
  }

  set isForCommand(isForCommand: boolean) {
    if (isForCommand === this.#isForCommand) return;
    this.#isForCommand = isForCommand;
    this.#ports.files.keep(this.document.uri, { isForCommand });
  }

  /** The person wants the last call to be made again after a restart on save. */
  get callsAgain(): boolean {
    return this.#callsAgain;
  }

  set callsAgain(callsAgain: boolean) {
    this.#callsAgain = callsAgain;
    this.#ports.files.keep(this.document.uri, { callsAgain });
    this.#send(this.#againMessage());
  }

  #againMessage(): ToolToPanel {
    return { type: 'callsAgain', isOffered: this.#offersAgain, isOn: this.#callsAgain };
  }

  get call(): CallView {
    return this.#call;
  }

  set call(call: CallView) {
    const isFirst = !this.wasTried && call.kind !== 'idle';
    this.wasTried ||= isFirst;
    this.#call = call;
    this.#send({ type: 'call', call });
    if (isFirst) this.#sendProblems();
  }

  get outcome(): ShownOutcome | undefined {
    return this.#outcome;
  }

  set outcome(outcome: ShownOutcome | undefined) {
    this.#outcome = outcome;
    this.#send({ type: 'outcome', outcome: outcome?.view });
    this.#compareOutcome();
  }

  /** See {@link ToolView.revision}. */
  get revision(): number {
    return this.#definition.revision;
  }

  /** See {@link ShownDefinition.whyUnseen}. */
  whyUnseen(called: Parameters<ShownDefinition['whyUnseen']>[0]): string | undefined {
    return this.#definition.whyUnseen(called, this.args, this.#ports.clock.now());
  }

  /** See {@link ShownDefinition.changeNote}. */
  get changeNote(): string {
    return this.#definition.changeNote(this.#ports.clock.now());
  }

  /** Another server has the label now: the pages show nothing that belongs to the earlier one. */
  get isReplaced(): boolean {
    const { server, identity } = this.address;
    const now = this.#ports.registry.get(server)?.server.identity;
    return now !== undefined && now !== identity;
  }

  /** The server lists the tool now. */
  get isListed(): boolean {
    return this.#listed() !== undefined;
  }

  /** Shows the outcome in another way. @param source the page that shows it so already */
  showOutcomeAgain(source: object): void {
    if (!this.isReplaced)
      this.#onDidChange.fire({ message: { type: 'outcome', outcome: this.#outcome?.view }, source });
  }

  get messages(): readonly ToolToPanel[] {
    return [{ type: 'tool', view: this.#view() }, ...this.#contentMessages()];
  }

  #contentMessages(): readonly ToolToPanel[] {
    if (this.isReplaced)
      return [
        { type: 'arguments', args: {} },
        { type: 'outcome', outcome: undefined },
      ];
    return [
      this.#argumentsMessage(),
      { type: 'call', call: this.#call },
      { type: 'outcome', outcome: this.#outcome?.view },
      { type: 'outcomeOf', summary: this.#outcomeOf },
      this.#againMessage(),
    ];
  }

  /** Looks again at what the server lists, and tells the pages if it is another definition or state. */
  refresh(): void {
    const listed = this.#listed();
    if (listed !== undefined && listed !== this.tool) {
      this.tool = listed;
      this.#checkSoon();
    }
    if (listed !== undefined) this.#ports.files.keep(this.document.uri, { tool: listed });
    this.#refreshAgain();
    const view = this.#view();
    const shown = canonicalJson(view);
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#send({ type: 'tool', view });
    if (this.#wasReplaced === this.isReplaced) return;
    this.#wasReplaced = this.isReplaced;
    for (const message of this.#contentMessages()) this.#send(message);
  }

  /** Only a server whose code is in the workspace restarts on save. */
  #refreshAgain(): void {
    const isOffered = this.#ports.registry.get(this.address.server)?.development !== undefined;
    if (isOffered === this.#offersAgain) return;
    this.#offersAgain = isOffered;
    this.#send(this.#againMessage());
  }

  /**
   * Writes other arguments into the document. Undo brings the earlier ones back.
   * @param source the page they come from, which shows them already
   */
  write(args: JsonObject, source?: object): Promise<void> {
    const done = this.written.then(() => this.#write(args, source));
    // What could not be written does not keep the next from being written.
    this.written = done.catch(() => {});
    return done;
  }

  async #write(args: JsonObject, source: object | undefined): Promise<void> {
    const text = this.document.getText();
    const wanted = this.args === undefined ? writeArguments(args) : editArguments(text, this.args, args);
    const { start, end, text: inserted } = textDifference(text, wanted);
    if (start === end && inserted === '') return;
    const edit = new WorkspaceEdit();
    const range = new Range(this.document.positionAt(start), this.document.positionAt(end));
    edit.replace(this.document.uri, range, inserted);
    this.#writer = source;
    try {
      await workspace.applyEdit(edit);
    } finally {
      this.#writer = undefined;
    }
    // Closing a form asks nobody whether to save it.
    await this.document.save();
  }

  /** Checks the arguments now, and tells the pages what the schema objects to. */
  async check(): Promise<void> {
    this.#pause?.dispose();
    const { validator } = this.#ports;
    const [tool, args] = [this.tool, this.args];
    if (tool === undefined || args === undefined) return;
    const validation = await validator.validate(this.address.server, tool.inputSchema, args);
    if (args !== this.args || tool !== this.tool) return;
    this.problems = validation.kind === 'invalid' ? validation.problems : [];
    this.note =
      validation.kind === 'unsupported'
        ? `The arguments are not checked against the tool's input schema: ${validation.reason}.`
        : undefined;
    this.#sendProblems();
  }

  #sendProblems(): void {
    this.#send({ type: 'problems', problems: this.problems, ...(this.note !== undefined && { note: this.note }) });
  }

  dispose(): void {
    this.#pause?.dispose();
    this.#store.dispose();
  }

  #listed(): Tool | undefined {
    const { server, tool, occurrence } = this.address;
    const found = this.#ports.registry.get(server)?.server;
    // What is remembered has names only, no schemas.
    if (found === undefined || found.isRemembered || this.isReplaced) return undefined;
    return findTool(found.contents, tool, occurrence);
  }

  #view(): ToolView {
    const { server, tool: name } = this.address;
    const state = this.#state();
    // Its earlier definition is not that of the server that has the label now.
    const tool = state === 'replaced' ? undefined : this.tool;
    const notices = stateNotices(
      state,
      server,
      this.#ports.registry.get(server) !== undefined,
      this.tool !== undefined,
    );
    if (this.#isWithheld) notices.push(withheldNotice);
    const view = toToolView({ server, name }, tool, { state, notices });
    return this.#definition.show(view, this.#ports.clock.now());
  }

  #compareOutcome(): void {
    const args = this.#outcome?.args;
    const isOther = args !== undefined && canonicalJson(args) !== canonicalJson(this.args);
    const summary = isOther ? inOneLine(summarize(args, [this.args])) : undefined;
    if (summary === this.#outcomeOf) return;
    this.#outcomeOf = summary;
    this.#send({ type: 'outcomeOf', summary });
  }

  #state(): ToolView['state'] {
    const found = this.#ports.registry.get(this.address.server)?.server;
    if (found === undefined) return 'missing';
    if (this.isReplaced) return 'replaced';
    const { kind } = found.state;
    if (kind !== 'starting' && kind !== 'running') return 'stopped';
    if (kind === 'starting' || found.listState('tools').isLoading) return 'starting';
    return this.isListed ? 'running' : 'missing';
  }

  #argumentsMessage(): ToolToPanel {
    if (this.args === undefined) return { type: 'broken', problem: this.#brokenBecause };
    return { type: 'arguments', args: toSent(this.args) };
  }

  #parse(): void {
    const parsed = parseArguments(this.document.getText());
    this.args = parsed.kind === 'ok' ? parsed.args : undefined;
    if (parsed.kind === 'ok') return;
    const [problem] = parsed.problems;
    const { line = 0 } = problem === undefined ? {} : this.document.positionAt(problem.offset);
    this.#brokenBecause = `Line ${line + 1}: ${problem?.message ?? 'This is not JSON.'}`;
  }

  #changed(): void {
    this.#parse();
    this.#send(this.#argumentsMessage(), this.#writer);
    this.#compareOutcome();
    this.#checkSoon();
    if (!this.#isWithheld) return;
    this.#isWithheld = false;
    this.refresh();
  }

  #checkSoon(): void {
    this.#pause?.dispose();
    this.#pause = this.#ports.clock.after(typingPauseMs, () => void this.check());
  }

  #send(message: ToolToPanel, source?: object): void {
    this.#onDidChange.fire({ message, source });
  }
}
