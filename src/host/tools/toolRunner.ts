import { messageOf, PatchbayError } from '../../base/errors.ts';
import type { Caller } from '../../client/toolCalls/ports.ts';
import type { SchemaValidator } from '../../client/validation/schemaValidator.ts';
import type { CallToolResult, Tool, ToolArguments } from '../../protocol/mcp/tools.ts';
import { toolDisplayName } from '../../protocol/mcp/displayName.ts';
import type { AppPresenter } from '../apps/presentApp.ts';
import { askArguments } from '../arguments/askArguments.ts';
import { withCallProgress } from '../invocation/callProgress.ts';
import type { ContentPicker, FeatureContext } from '../invocation/contentPicker.ts';
import { checkIdentity, type ContentTarget, findServer, prepareUse } from '../invocation/contentTarget.ts';
import type { AskModel } from '../invocation/modelQuestion.ts';
import type { ResultDocument, RunnableAction } from '../results/resultDocument.ts';
import type { HostServer } from '../servers/serverRegistry.ts';
import { actionsOfResult, type FinishedCall, toResultDocument } from './finishedCall.ts';
import { endedWithError, endedWithResult } from './pastOutcome.ts';
import type { ToolLibrary } from './toolLibrary.ts';
import { addWarnings } from './toolResult.ts';
import type { CallTimes } from './toolOutcome.ts';
import { toArgumentFields, toArguments, toolFields } from './toolFields.ts';

/** What calling a tool needs of the host. */
export interface ToolRunnerOptions extends Omit<FeatureContext, 'storage'> {
  /** Shows a result in an editor tab. */
  readonly show: (document: ResultDocument) => void;
  readonly validator: SchemaValidator;
  /** Remembers what was used. */
  readonly picker: Pick<ContentPicker<unknown>, 'markUsed'>;
  readonly askModel: AskModel;
  readonly apps: AppPresenter;
  /** Keeps calls in the history. */
  readonly library: Pick<ToolLibrary, 'keep'>;
  /** Opens the tab of a tool, filled with `args` where there are some. */
  readonly openForm: (host: HostServer, tool: Tool, args?: ToolArguments) => Promise<void>;
}

/** A call to make. */
export interface WantedCall {
  readonly target: ContentTarget;
  readonly caller: Extract<Caller, 'form' | 'again' | 'command'>;
  /** The person is asked for arguments if absent. */
  readonly args?: ToolArguments | undefined;
  /** The definition the arguments were written for, and the server: see `Server.identity`. */
  readonly tool?: Tool;
  readonly identity?: string;
  /** The index among tools of that name if `tool` is absent; 0 by default. */
  readonly occurrence?: number;
}

/**
 * Calls a tool from start to finish: starts its server, asks for missing arguments, calls, shows the result. Arguments are
 * asked for one by one if each fits a line, and otherwise in the tab of the tool.
 * @returns the result; `undefined` if the tab of the tool is open now, where the person calls it
 * @throws {PatchbayError} `notFound`, `invalidArguments`, `declined`; what the server throws; cancellation
 */
export type RunTool = (wanted: WantedCall) => Promise<CallToolResult | undefined>;

/** Creates the runner of tools, for commands and for buttons of results. */
export function createToolRunner(options: ToolRunnerOptions): RunTool {
  const { registry, show, picker, clock } = options;
  const run: RunTool = async (wanted) => {
    const { target, caller } = wanted;
    const host = findServer(registry, target.server);
    // The schema decides which arguments are asked for: a change of it has to be agreed to first.
    await prepareUse(host, 'tools', target.name, clock, wanted.identity);
    const tool = wanted.tool ?? findTool(host, target.name, wanted.occurrence);
    picker.markUsed(target);
    const args = wanted.args ?? (await askForArguments(host, tool, options));
    if (args === undefined) return undefined;
    const finished = await callTool({ host, tool, args, caller }, options);
    const again = async (): Promise<void> =>
      void (await run({ target, caller: 'again', identity: finished.identity, tool, args }));
    show(toResultDocument(finished, actionsFor(finished, options, again)));
    return finished.result;
  };
  return run;
}

async function callTool(
  { host, tool, args, caller }: Pick<FinishedCall, 'host' | 'tool' | 'args'> & Pick<WantedCall, 'caller'>,
  { clock, library, apps }: Pick<ToolRunnerOptions, 'clock' | 'library' | 'apps'>,
): Promise<FinishedCall> {
  const title = `Calling ${toolDisplayName(tool)}`;
  const { identity } = host.server;
  const call = { server: host.label, identity, tool: tool.name, args };
  const askedAt = clock.now();
  let sentAt: number | undefined;
  let endApp: ReturnType<AppPresenter['begin']>;
  const times = (): CallTimes =>
    sentAt === undefined ? { at: askedAt } : { at: sentAt, durationMs: clock.now() - sentAt };
  try {
    const checked = await addWarnings((onNote) =>
      withCallProgress({ title, clock, asksFirst: true }, (signal, onProgress, begin) => {
        const onSend = (): void => {
          sentAt = clock.now();
          begin();
          endApp = apps.begin({ server: host.label, identity, occurrence: 0, tool, args });
        };
        return host.server.callTool(tool.name, args, { caller, tool, signal, onProgress, onSend, onNote });
      }),
    );
    const kept = library.keep(endedWithResult({ ...call, ...times() }, checked.result));
    endApp?.({ kind: 'result', result: checked.result }, kept);
    return { host, identity, tool, args, durationMs: times().durationMs ?? 0, kept, ...checked };
  } catch (error) {
    const kept = library.keep(endedWithError({ ...call, ...times() }, error));
    endApp?.({ kind: 'cancelled', reason: messageOf(error) }, kept);
    throw error;
  }
}

async function askForArguments(
  host: HostServer,
  tool: Tool,
  { openForm, validator, clock, logger }: ToolRunnerOptions,
): Promise<ToolArguments | undefined> {
  const fields = toolFields(tool.inputSchema);
  if (fields === undefined) {
    await openForm(host, tool);
    return undefined;
  }
  const texts = await askArguments({
    title: toolDisplayName(tool),
    fields: toArgumentFields(host.label, fields, validator),
    clock,
    logger,
  });
  return toArguments(fields, texts);
}

function actionsFor(
  finished: FinishedCall,
  { openForm, ...ports }: ToolRunnerOptions,
  again: () => Promise<void>,
): RunnableAction[] {
  const { host, identity, tool, args } = finished;
  const edit = async (): Promise<void> => {
    checkIdentity(host, identity);
    await openForm(host, tool, args);
  };
  return [
    ...actionsOfResult(finished, ports),
    { id: 'editArguments', label: 'Edit Arguments', icon: 'edit', run: edit },
    { id: 'callAgain', label: 'Call Again', icon: 'refresh', run: again },
  ];
}

/** The listed tool of this name. @throws {PatchbayError} `notFound` */
export function findTool({ label, server }: HostServer, name: string, occurrence = 0): Tool {
  const namesakes = server.contents.tools.filter((candidate) => candidate.name === name);
  const tool = namesakes[occurrence] ?? namesakes[0];
  if (tool !== undefined) return tool;
  throw new PatchbayError('notFound', `The server "${label}" does not offer a tool "${name}".`);
}
