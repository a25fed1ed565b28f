import { type TextEditor, window, workspace } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { CancelledError, PatchbayError } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import type { ExactValue, JsonObject } from '../../base/json.ts';
import { relativeTime } from '../../base/relativeTime.ts';
import type { CallToolResult, Tool } from '../../protocol/mcp/tools.ts';
import type { ValuePath } from '../../forms/field.ts';
import type { ListedCall } from '../../shared/callListMessages.ts';
import { type HistoryAction, outcomeWords, type ToolFromPanel, type ToolToPanel } from '../../shared/toolMessages.ts';
import { canonicalJson } from '../../base/digest.ts';
import { showError } from '../platform/showError.ts';
import { askSafely } from '../platform/dialogs.ts';
import { countOf, escapeIcons, singleLine, momentOf, notificationText } from '../platform/displayText.ts';
import { copyToClipboard } from '../platform/sendTo.ts';
import { exportCall, exportChoices } from '../calls/callExports.ts';
import { exportedCallOf } from '../calls/callExportsServer.ts';
import { showExchange } from '../calls/callExchange.ts';
import type { CallTarget } from '../traffic/trafficActions.ts';
import { CallHistory, type ForgottenOrKept, isHistoryOn } from '../calls/callHistory.ts';
import type { EndedCall, PastCall, WholePastCall } from '../calls/callRecord.ts';
import { createCallRows, inOneLine, summarize } from '../calls/callRows.ts';
import { createResultComparison } from '../calls/compareResults.ts';
import { checkIdentity, findServer, findTool } from '../invocation/contentTarget.ts';
import { replaceArguments } from './fillArguments.ts';
import type { ToolFiles } from './toolFiles.ts';
import { pastOutcome } from './toolOutcome.ts';
import type { ToolPorts } from './toolPorts.ts';
import type { SavedCalls } from '../calls/savedCallStore.ts';
import type { SavedCallKey } from '../../workshop/savedCalls/savedCallText.ts';
import type { ToolSession } from './toolSession.ts';
import { stringifyExactly } from '../../base/exactIntegers.ts';

export type LibraryMessage = Extract<
  ToolFromPanel,
  { readonly type: 'fillLast' | 'saveCall' | 'copyAs' | 'openSaved' | 'history' | 'forgetHistory' }
>;

const deletedWords = 'Their arguments and results are deleted from this computer.';
const savedWords = 'Saved calls stay.';

const nothingShown: readonly ToolToPanel[] = [
  { type: 'history', history: { entries: [], more: 0, isKept: true } },
  { type: 'saved', calls: [] },
];

/** Calls that the page of a tool lists, and rows of a choice; and those of the list of all. */
const listedCalls = 50;
const listedOfAll = 500;

/** Milliseconds between the moment that the history has of a call, and that of its first message. */
const sameCallMs = 2_000;

/** The ports, with what all tabs of tools share. */
export interface ToolParts extends ToolPorts {
  readonly library: ToolLibrary;
  readonly files: ToolFiles;
  /** The text editor that was active last: while a form is, none is. */
  readonly lastEditor: () => TextEditor | undefined;
  readonly markUsed: (session: ToolSession) => void;
  readonly showAllCalls: () => void;
}

/** What can be done with a call without its tool's tab. */
export type ActionApart = Exclude<HistoryAction, 'show' | 'edit' | 'again'>;

/** What was learnt of tools: the history of their calls, and the calls that were saved. */
export class ToolLibrary implements Disposable {
  readonly #ports: ToolPorts;
  readonly #store = new DisposableStore();
  readonly #didChange = this.#store.add(new Emitter<ForgottenOrKept>());
  readonly #history: CallHistory;
  readonly #toRows = createCallRows();
  readonly #comparison = this.#store.add(createResultComparison());

  /** What pages show of it has changed: those of that server and tool, or of all. */
  readonly onDidChange = this.#didChange.event;

  constructor(ports: ToolPorts) {
    const { historyFolder, clock, logger, knownSecrets, savedCalls } = ports;
    this.#ports = ports;
    const hasSecret = async (text: string): Promise<boolean> => (await knownSecrets.collector()).holdsSecret(text);
    this.#history = this.#store.add(new CallHistory(historyFolder, hasSecret, clock, logger));
    this.#store.add(this.#history.onDidChange((changed) => this.#didChange.fire(changed)));
    this.#store.add(savedCalls.onDidChange(() => this.#didChange.fire({})));
    this.#store.add(
      workspace.onDidChangeConfiguration(
        (event) => event.affectsConfiguration('patchbay.history') && this.#didChange.fire({}),
      ),
    );
  }

  /**
   * What the page of a tool shows of it: nothing, if another server has its label now. A session without an outcome gets the last
   * result that was kept. Never rejects.
   */
  async messages(session: ToolSession): Promise<readonly ToolToPanel[]> {
    const { savedCalls } = this.#ports;
    const { server, identity, tool } = session.address;
    if (session.isReplaced) return nothingShown;
    const [{ calls, more }] = await Promise.all([this.#history.list(identity, tool, listedCalls), savedCalls.load()]);
    const saved = savedCalls.of(server, tool).map(({ name, description }) => ({ name, description }));
    await this.#restore(session, calls.find(({ outcome }) => answered.has(outcome))?.id);
    return [
      { type: 'history', history: { entries: this.#toRows(calls), more, isKept: isHistoryOn('enabled') } },
      { type: 'saved', calls: saved },
    ];
  }

  async #restore(session: ToolSession, id: string | undefined): Promise<void> {
    const { pastId } = session.outcome ?? {};
    // What was forgotten is not shown either.
    if (pastId !== undefined && (await this.#history.get(pastId)) === undefined) session.outcome = undefined;
    const isFree = (): boolean => session.outcome === undefined && session.call.kind === 'idle' && !session.isReplaced;
    if (id === undefined || !isFree()) return;
    const call = await this.#history.get(id);
    if (call?.answer === undefined || !isFree()) return;
    const { view, ...rest } = pastOutcome(call, session, this.#ports);
    session.outcome = { ...rest, view: { ...view, isRestored: true } };
  }

  /** The calls of the workspace, the newest first. Never rejects. */
  /** The id of the call of a tool that was sent next to a moment; `undefined` where the history does not have it. */
  async findAt({ server, tool }: CallTarget, at: number): Promise<string | undefined> {
    const { calls } = await this.#history.list(undefined, undefined, listedOfAll);
    const apart = (call: PastCall): number => Math.abs(call.at - at);
    const same = calls.filter((call) => call.server === server && call.tool === tool && apart(call) <= sameCallMs);
    return same.toSorted((a, b) => apart(a) - apart(b))[0]?.id;
  }

  async all(): Promise<readonly ListedCall[]> {
    const { calls } = await this.#history.list(undefined, undefined, listedOfAll);
    const rows = this.#toRows(calls);
    return calls.flatMap((call, index) => {
      const row = rows[index];
      const { server, tool } = call;
      const other = this.#ports.registry.get(server) === undefined ? 'removed' : 'changed';
      const since: ListedCall['since'] = this.isReplaced(call) ? other : 'same';
      const shown = { server: singleLine(server, 100), tool: singleLine(tool, 100), since };
      return row === undefined ? [] : [{ ...row, ...shown }];
    });
  }

  /** True if another server, or none, has the label of the one that was called. */
  isReplaced({ server, identity }: Pick<EndedCall, 'server' | 'identity'>): boolean {
    return this.#ports.registry.get(server)?.server.identity !== identity;
  }

  /** @throws {PatchbayError} `notFound` */
  async find(id: string): Promise<WholePastCall> {
    const call = await this.#history.get(id);
    if (call === undefined) throw new PatchbayError('notFound', 'This call is no longer in the history.');
    return call;
  }

  /** Lets the person choose a value that was sent at this place before. @throws {PatchbayError} `notFound`; cancellation */
  async chooseRecent({ identity, tool }: ToolSession['address'], path: ValuePath): Promise<ExactValue> {
    const values = await this.#history.recentValues(identity, tool, path);
    if (values.length === 0)
      throw new PatchbayError('notFound', 'No earlier call of this tool has a value for this field.');
    const rows = values.map((value) => ({ label: escapeIcons(singleLine(stringifyExactly(value), 100)), value }));
    const shown = { title: 'Recent Value', placeHolder: 'Choose a value sent before' };
    const picked = await window.showQuickPick(rows, shown);
    if (picked === undefined) throw new CancelledError();
    return picked.value;
  }

  /** Keeps a call, if the person keeps any. Never rejects. @returns its id in the history, or `undefined` if it was not kept */
  keep(call: EndedCall): Promise<string | undefined> {
    return this.#history.record(call);
  }

  /**
   * Does what a page asks for.
   * @returns the call that is to be made again, whose arguments are in the document now
   */
  async receive(session: ToolSession, message: LibraryMessage): Promise<PastCall | undefined> {
    const { savedCalls } = this.#ports;
    const { server, identity, tool } = session.address;
    switch (message.type) {
      case 'history':
        return this.#receiveHistory(session, message);
      case 'fillLast': {
        const args = await this.#history.lastArguments(identity, tool);
        if (args === undefined) throw new PatchbayError('notFound', 'No earlier call of this tool has arguments.');
        await replaceArguments(session, args);
        break;
      }
      case 'saveCall':
        await this.#save(session, argumentsOf(session), shownResult(session));
        break;
      case 'copyAs':
        await this.#copy(session, argumentsOf(session));
        break;
      case 'openSaved':
        await replaceArguments(session, await openSavedCall(savedCalls, { server, tool, name: message.name }));
        break;
      case 'forgetHistory': {
        const question = `Forget all calls of the tool “${singleLine(tool, 60)}”?`;
        await this.#forget(question, `${deletedWords} ${savedWords}`, identity, tool);
      }
    }
    return undefined;
  }

  /** *Forget Call History…*, after a question, which says that drafts are forgotten too. @returns whether the answer was yes */
  async forgetAll(): Promise<boolean> {
    const message = 'Forget all tool calls of this workspace and what was typed into forms?';
    const detail = `${deletedWords} What was typed into the forms of tools is deleted too; forms that are open keep it. ${savedWords}`;
    return this.#forget(message, detail);
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #receiveHistory(
    session: ToolSession,
    { id, action }: Extract<LibraryMessage, { readonly type: 'history' }>,
  ): Promise<PastCall | undefined> {
    const call = await this.find(id);
    const { identity, tool } = session.address;
    // The id comes from the page, which only knows the calls of its own tool.
    if (call.identity !== identity || call.tool !== tool)
      throw new PatchbayError('notFound', 'This call is no longer in the history.');
    if (action === 'show') session.outcome = pastOutcome(call, session, this.#ports);
    else if (action === 'edit' || action === 'again') await replaceArguments(session, keptArguments(call));
    else await this.act(call, action, session.tool);
    return action === 'again' ? call : undefined;
  }

  /** @param definition of its tool, where that is known */
  async act(call: WholePastCall, action: ActionApart, definition?: Tool): Promise<void> {
    const { id, server, identity, tool: name } = call;
    if (action === 'compare') return this.#compare(call);
    if (action === 'exchange') return showExchange(call, this.#ports.showTraffic);
    if (action === 'forget') return this.#history.forget(id);
    const host = findServer(this.#ports.registry, server);
    checkIdentity(host, identity);
    const tool = definition ?? findTool(host.server.contents, name, call.occurrence ?? 0);
    const subject = { address: { server, tool: name }, tool };
    await (action === 'save'
      ? this.#save(subject, keptArguments(call), resultIn(call))
      : this.#copy(subject, keptArguments(call)));
  }

  async #compare(call: WholePastCall): Promise<void> {
    const { calls } = await this.#history.list(call.identity, call.tool, listedCalls);
    const now = this.#ports.clock.now();
    const rows = calls
      .filter(({ id }) => id !== call.id)
      .map(({ id, at, outcome, args }) => ({
        label: relativeTime(at, now),
        description: outcome === 'done' ? momentOf(at) : `${momentOf(at)} · ${outcomeWords[outcome]}`,
        detail: escapeIcons(args === undefined ? '' : inOneLine(summarize(args, [call.args]))),
        id,
      }));
    if (rows.length === 0) throw new PatchbayError('notFound', 'There is no other call of this tool to compare with.');
    const placeHolder = `Choose a call to compare with the one made ${relativeTime(call.at, now)}`;
    const picked = await window.showQuickPick(rows, { title: 'Compare Results', placeHolder });
    const other = picked && (await this.#history.get(picked.id));
    if (other !== undefined) await this.#comparison.show(call, other);
  }

  /** @param result what a call with these arguments gave, if that is known */
  async #save(
    { address: { server, tool } }: Subject,
    args: JsonObject,
    result: CallToolResult | undefined,
  ): Promise<void> {
    const { savedCalls } = this.#ports;
    const name = await savedCalls.save(server, tool, args);
    if (name === undefined) return;
    void offerNext(savedCalls, { server, tool, name }, result).catch((error: unknown) => showError(error));
  }

  async #copy({ address, tool }: Subject, args: JsonObject): Promise<void> {
    const { registry, isSignedIn } = this.#ports;
    const host = findServer(registry, address.server);
    const call = exportedCallOf(host, { name: address.tool, tool, args, isSignedIn: isSignedIn(address.server) });
    const shown = { title: 'Copy Call As', placeHolder: 'Choose a form' };
    const picked = await window.showQuickPick(exportChoices(call.server), shown);
    if (picked !== undefined) await copyToClipboard(exportCall(picked.format, call));
  }

  async #forget(message: string, detail: string, identity?: string, tool?: string): Promise<boolean> {
    const answer = await askSafely({ message, detail, safe: 'Keep Them', actions: ['Forget'] });
    if (answer !== 'Forget') return false;
    const count = await this.#history.forgetAll(identity, tool);
    void window.showInformationMessage(`${countOf(count, 'call was', 'calls were')} forgotten.`);
    return true;
  }
}

/** The tool that a call is of. */
interface Subject {
  readonly address: Pick<ToolSession['address'], 'server' | 'tool'>;
  readonly tool: Tool | undefined;
}

/** Calls that have ended with what the server has said. */
const answered: ReadonlySet<string> = new Set<EndedCall['outcome']>(['done', 'toolError', 'error']);

/** @returns the arguments of a saved call, after a notice about what is left to be filled in */
export async function openSavedCall(savedCalls: SavedCalls, key: SavedCallKey): Promise<JsonObject> {
  const { args, notice } = await savedCalls.open(key);
  if (notice !== undefined) void window.showInformationMessage(notificationText(notice, 600));
  return args;
}

/** After a call was saved: its file, and its result as what it is tested for. */
async function offerNext(savedCalls: SavedCalls, key: SavedCallKey, result: CallToolResult | undefined): Promise<void> {
  const [open, keep] = ['Open File', 'Expect This Result'];
  const message = `The call “${notificationText(key.name, 60)}” is saved in .vscode/mcp-calls.json.`;
  const answer = await window.showInformationMessage(message, open, ...(result === undefined ? [] : [keep]));
  if (answer === keep && result !== undefined) await savedCalls.expectResult(key, result);
  else if (answer === open) await savedCalls.show(key);
}

/** The result that the tab shows, if it is of the arguments in the form. */
function shownResult({ outcome, args }: ToolSession): CallToolResult | undefined {
  const result = outcome?.document?.result;
  return result?.kind === 'tool' && canonicalJson(outcome?.args) === canonicalJson(args) ? result.result : undefined;
}

function resultIn({ answer }: WholePastCall): CallToolResult | undefined {
  return answer?.kind === 'result' ? answer.result : undefined;
}

function argumentsOf({ args }: ToolSession): JsonObject {
  if (args !== undefined) return args;
  throw new PatchbayError('invalidArguments', 'The arguments are not valid JSON. Fix them first.');
}

function keptArguments({ args, omitted }: WholePastCall): JsonObject {
  if (args !== undefined) return args;
  throw new PatchbayError('notFound', omitted[0] ?? 'The arguments of this call were not kept.');
}
