import { commands } from 'vscode';
import { isCancellation, isPatchbayError, messageOf } from '../../base/errors.ts';
import { type JsonObject, toJsonText } from '../../base/json.ts';
import type { SchemaProblem } from '../../base/schemaCheck.ts';
import { differingLines } from '../../base/lineDifference.ts';
import { truncateWithCount } from '../../base/truncate.ts';
import type { InvalidResultError } from '../../client/toolCalls/sendToolCall.ts';
import { toolDisplayName } from '../../protocol/mcp/displayName.ts';
import { JsonRpcError } from '../../protocol/jsonRpc.ts';
import type { CallToolResult, Tool } from '../../protocol/mcp/tools.ts';
import { exchangeAction, logAction } from '../../shared/resultMessages.ts';
import type { OutcomeView } from '../../shared/toolMessages.ts';
import { CommandIds } from '../commandIds.ts';
import { comparisonText } from '../calls/compareResults.ts';
import { showExchange } from '../calls/callExchange.ts';
import type { CallAnswer, EndedCall, WholePastCall } from '../calls/callRecord.ts';
import { type AskModel, askModelAction, toolContent } from '../invocation/modelQuestion.ts';
import { describeError } from '../platform/describeError.ts';
import { singleLine } from '../platform/displayText.ts';
import { toolResultToMarkdown } from '../results/contentMarkdown.ts';
import { failureText, type ResultDocument, type RunnableAction, toResultView } from '../results/resultDocument.ts';
import { shownPlaces } from '../results/sourcePlaces.ts';
import { textActions } from '../results/textResults.ts';
import type { ToolPorts } from './toolPorts.ts';
import type { ToolAddress } from './toolUri.ts';

/** How a call ended, as its page shows it. `document` is the result, if there is one. */
export interface ShownOutcome {
  readonly view: OutcomeView;
  /** Of the call, if they are known. */
  readonly args?: JsonObject;
  readonly document?: ResultDocument;
  /** Of a call that was sent. */
  readonly showExchange?: (() => Promise<void>) | undefined;
  /** Its id, if it is one of the history. */
  readonly pastId?: string;
}

interface Findings {
  /** Sentences on what was not checked, and on what is missing. */
  readonly warnings: readonly string[];
  /** Where the structured content breaks the tool's own schema. */
  readonly differences?: readonly SchemaProblem[];
}

interface ShownWith extends Findings {
  /** Of the tool; absent where the server does not list it now, or another one has its label. */
  readonly definition: Tool | undefined;
  readonly occurrence: number;
  /** Its id in the history, if it is kept there. */
  readonly kept: Promise<string | undefined>;
  readonly isPast?: boolean;
  /** Another server has the label now: its resources are not those of the result. */
  readonly isReplaced?: boolean;
}

type OutcomePorts = Pick<ToolPorts, 'askModel' | 'apps' | 'showTraffic'>;

const maximumMessage = 4_000;

/** Collects what is to be said of a result. One that breaks the tool's promise is shown all the same (2025-06-18, "Output Schema"). */
export function collectFindings() {
  const warnings: string[] = [];
  const differences: SchemaProblem[] = [];
  return {
    warnings,
    differences,
    onNote: (note: string): void => void warnings.push(note),
    onInvalid: (error: InvalidResultError): void => {
      differences.push(...error.differences);
      // The page shows each difference at its place.
      if (differences.length === 0) warnings.push(...error.problems);
    },
  };
}

type CallToShow = EndedCall & Pick<WholePastCall, 'omittedExchange'>;

/** A call that has ended, or is one of the history, as its page shows it. */
export function toOutcome(call: CallToShow, shown: ShownWith, ports: OutcomePorts): ShownOutcome {
  return { ...endOf(call, shown, ports), args: call.args };
}

function endOf(call: CallToShow, shown: ShownWith, ports: OutcomePorts): Omit<ShownOutcome, 'args'> {
  const { at, durationMs, outcome, answer } = call;
  // A call of the history without its messages says why when they are asked for.
  const hasExchange = durationMs !== undefined && (call.exchange !== undefined || shown.isPast === true);
  const showing = hasExchange ? { showExchange: () => showExchange(call, ports.showTraffic) } : {};
  const times = {
    at,
    ...(durationMs !== undefined && { durationMs }),
    ...(shown.isPast && { isPast: true }),
    ...(hasExchange && { hasExchange }),
  };
  if (outcome === 'cancelled') return { view: { ...times, kind: 'cancelled' }, ...showing };
  if (outcome === 'declined') {
    const message = answer?.kind === 'error' ? answer.error.message : 'Nothing was sent.';
    return { view: { ...times, kind: 'declined', message } };
  }
  if (answer === undefined)
    return {
      view: { ...times, kind: 'notKept', message: shown.warnings.join(' ') || 'The result was not kept.' },
      ...showing,
    };
  if (answer.kind === 'error')
    return { view: { ...times, kind: 'error', ...withPlaces(errorWords(answer, durationMs)) }, ...showing };
  const document = toCallDocument(call, answer.result, { ...shown, ...showing }, ports);
  const result = { ...toResultView(document), places: shownPlaces(failureText(document.result)) };
  return { view: { ...times, kind: 'result', result }, document, ...showing };
}

interface SubjectOfResult extends Pick<EndedCall, 'server' | 'identity' | 'tool'> {
  readonly definition: Tool | undefined;
}

/**
 * What the results of calls and of tasks have in common, with the buttons above them.
 * @param definition of the tool, if the server lists it now
 */
export function toToolDocument(
  { server, identity, tool, definition }: SubjectOfResult,
  result: CallToolResult,
  { warnings, differences }: Findings,
  askModel: AskModel | undefined,
): Omit<ResultDocument, 'key'> {
  const title = singleLine(definition === undefined ? tool : toolDisplayName(definition), 60);
  const subject = { server, title, about: `result of the tool ${tool}`, needsQuestion: true };
  const ask = askModel && askModelAction(askModel, () => ({ ...subject, messages: toolContent(result) }));
  return {
    title,
    server,
    result: { kind: 'tool', result },
    texts: { identity, kind: 'tool', name: tool },
    notices: warnings,
    ...(differences !== undefined && { differences }),
    actions: [...textActions(() => toolResultToMarkdown(result)), ...(ask === undefined ? [] : [ask])],
  };
}

function toCallDocument(
  call: EndedCall,
  result: CallToolResult,
  shown: ShownWith & Pick<ShownOutcome, 'showExchange'>,
  { askModel, apps }: OutcomePorts,
): ResultDocument {
  const { server, identity, tool: name, args, durationMs = 0 } = call;
  const { definition: tool, occurrence, showExchange: run, kept, isReplaced = false } = shown;
  const document = toToolDocument({ server, identity, tool: name, definition: tool }, result, shown, tool && askModel);
  const showApp = async (): Promise<void> =>
    tool && apps.show({ server, identity, occurrence, tool, args }, result, kept);
  const app: RunnableAction = { id: 'app', label: 'Open App', icon: 'window', run: showApp };
  const actions = [
    ...document.actions,
    ...(run === undefined ? [] : [{ ...exchangeAction, run }]),
    ...(result.isError ? [{ ...logAction, run: () => showLog(server) }] : []),
  ];
  return {
    ...document,
    key: JSON.stringify(['tool', server, name]),
    call: { args, durationMs },
    actions: tool !== undefined && apps.canShow(tool) ? [app, ...actions] : actions,
    ...(!isReplaced && { resourcesOf: identity }),
  };
}

export async function showLog(server: string): Promise<void> {
  await commands.executeCommand(CommandIds.showServerLog, server);
}

type ErrorWords = Pick<Extract<OutcomeView, { readonly kind: 'error' }>, 'title' | 'message' | 'detail'>;

function withPlaces(words: ErrorWords) {
  const places = shownPlaces(errorText(words));
  return { ...words, ...(places.length > 0 && { places }) };
}

/** Where places in files may be. */
export function errorText({ message, detail = '' }: Pick<ErrorWords, 'message' | 'detail'>): string {
  return `${message}\n${detail}`;
}

function errorWords({ error }: Extract<CallAnswer, { kind: 'error' }>, durationMs: number | undefined) {
  const { message, code, data } = error;
  if (code === undefined) {
    const title = durationMs === undefined ? 'The tool was not called' : 'The call failed';
    return { title, message: truncateWithCount(message, maximumMessage) };
  }
  const detail = { code, message, ...(data !== undefined && { data }) };
  return {
    title: `The server answered with error ${code}`,
    message: truncateWithCount(describeError(new JsonRpcError(code, message)).message, maximumMessage),
    detail: toJsonText(detail, maximumMessage),
  };
}

/** Characters of a result that are shown beside another one. */
const maximumBeside = 20_000;

/** Puts the outcome of a call that was made again beside the one before the restart. */
export function besideEarlier(outcome: ShownOutcome, earlier: ShownOutcome | undefined): ShownOutcome {
  const [old, now] = [earlier && comparedOf(earlier), comparedOf(outcome)];
  if (old === undefined || now === undefined) return outcome;
  if (old.whole === now.whole) return { ...outcome, view: { ...outcome.view, before: { isSame: true } } };
  // What a person reads, where they can see the difference there.
  const isPlain = old.text !== undefined && now.text !== undefined && old.text !== now.text;
  const shown = ({ text = '', whole }: Compared): string => truncateWithCount(isPlain ? text : whole, maximumBeside);
  const { before, after } = differingLines(shown(old), shown(now));
  const sides = {
    then: { parts: before, isError: old.isError },
    now: { parts: after, isError: now.isError },
  };
  return { ...outcome, view: { ...outcome.view, before: { isSame: false, ...sides } } };
}

interface Compared {
  /** As results are compared elsewhere. */
  readonly whole: string;
  /** The text of a result that has nothing else for a person. */
  readonly text: string | undefined;
  readonly isError: boolean;
}

/** @returns `undefined` where there is no answer */
function comparedOf({ view, document }: ShownOutcome): Compared | undefined {
  const result = document?.result;
  if (result?.kind === 'tool') {
    const { content, isError } = result.result;
    const texts = content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
    const text = texts.length === content.length && texts.length > 0 ? texts.join('\n') : undefined;
    return { whole: comparisonText({ kind: 'result', result: result.result }), text, isError };
  }
  if (view.kind !== 'error') return undefined;
  const text = `${view.title}. ${view.message}`;
  return { whole: text, text, isError: true };
}

export function endedWithResult(call: Omit<EndedCall, 'outcome'>, result: CallToolResult): EndedCall {
  return { ...call, outcome: result.isError ? 'toolError' : 'done', answer: { kind: 'result', result } };
}

export function endedWithError(call: Omit<EndedCall, 'outcome'>, error: unknown): EndedCall {
  if (isCancellation(error)) return { ...call, outcome: 'cancelled' };
  const outcome = isPatchbayError(error, 'declined') ? 'declined' : 'error';
  const { code, data } = error instanceof JsonRpcError ? error : {};
  const kept = { message: messageOf(error), ...(code !== undefined && { code, data: data as JsonObject | undefined }) };
  return { ...call, outcome, answer: { kind: 'error', error: kept } };
}

/** A call of the history, as its page shows it. The label of its server may be another one than at the time of the call. */
export function pastOutcome(
  call: WholePastCall,
  { address, tool }: { readonly address: ToolAddress; readonly tool: Tool | undefined },
  ports: OutcomePorts & Pick<ToolPorts, 'registry'>,
): ShownOutcome {
  const { server, occurrence } = address;
  const isReplaced = ports.registry.get(server)?.server.identity !== call.identity;
  const { id, omitted: warnings, args = {}, ...past } = call;
  const kept = Promise.resolve(id);
  const definition = isReplaced ? undefined : tool;
  const shown = { definition, occurrence, kept, warnings, isPast: true, isReplaced };
  return { ...toOutcome({ ...past, args, ...(!isReplaced && { server }) }, shown, ports), pastId: id };
}
