import { commands, type QuickPickItem, type TextDocument, ViewColumn, window } from 'vscode';
import { CancelledError, messageOf, PatchbayError } from '../../base/errors.ts';
import { isRecord, type JsonObject, type UnknownRecord } from '../../base/json.ts';
import type { DisplayMode } from '../../client/apps/appMessages.ts';
import { readCallToolResult } from '../../protocol/mcp/tools.ts';
import { CommandIds } from '../commandIds.ts';
import { takesNothing } from '../invocation/contentTarget.ts';
import { toolContent } from '../invocation/modelQuestion.ts';
import { escapeIcons, singleLine } from '../platform/displayText.ts';
import { showNewDocument } from '../platform/documents.ts';
import { tabName } from '../platform/textDocuments.ts';
import { textActions } from '../results/textResults.ts';
import { toolResultToMarkdown } from '../results/contentMarkdown.ts';
import type { AppParts } from './appPorts.ts';
import type { ShownCall } from './appRun.ts';
import type { AppTab } from './appTab.ts';
import { runForPerson } from '../platform/personArguments.ts';

interface Action extends QuickPickItem {
  run(): Promise<unknown>;
}

/** A call that the person is writing as JSON beside the app, and what is done with it. */
interface Draft {
  readonly document: TextDocument;
  readonly label: string;
  readonly description: string;
  readonly onTake: (written: UnknownRecord) => Promise<void>;
}

const drafts = new WeakMap<AppTab, Draft>();

/** @throws {CancelledError} when nothing is chosen */
export async function chooseAppAction(tab: AppTab, parts: AppParts): Promise<void> {
  const title = `App of ${singleLine(tab.target.tool, 60)}`;
  const picked = await window.showQuickPick(await actionsOf(tab, parts), { title, placeHolder: 'Select an action' });
  if (picked === undefined) throw new CancelledError();
  await picked.run();
}

async function actionsOf(tab: AppTab, parts: AppParts): Promise<readonly Action[]> {
  const { target, app, call, run } = tab;
  const { server } = target;
  const context = run?.context;
  const row = (icon: string, label: string, act: () => Promise<unknown>, description = ''): Action => ({
    label: `$(${icon}) ${label}`,
    description,
    run: act,
  });
  const place = (to: DisplayMode, icon: string, label: string): Action => row(icon, label, () => tab.move(to));
  const wasAsked = app !== undefined && parts.answers.all.some(({ id }) => app.answerIds.includes(id));
  const developerTools = 'workbench.action.webview.openDeveloperTools';
  const hasDeveloperTools = (await commands.getCommands(true)).includes(developerTools);
  const hasResult = app !== undefined && call?.end?.kind === 'result';
  const hasTools = run?.bridge.identity?.hasTools === true;
  const draft = drafts.get(tab);
  const [ask, ofApp] = ['its result and what the app says about it', 'offered by the app itself'];
  const rows = [
    row('refresh', 'Reload App', () => tab.reload()),
    row('tools', 'Open Its Tool', async () => runForPerson(CommandIds.openTool, { ...target })),
    hasResult && row('sparkle', 'Ask a Model About It…', () => askAbout(tab, parts), ask),
    context !== undefined &&
      row(
        'comment',
        'Show Context for Models',
        () => showContext(tab, parts),
        'sent with your next question to a model',
      ),
    hasTools && row('symbol-method', 'Call App Tool…', () => callAppTool(tab, parts), ofApp),
    wasAsked && row('shield', 'Review Permissions…', () => tab.askAgain()),
    place('inline', 'split-horizontal', 'Show Beside'),
    place('fullscreen', 'screen-full', 'Show in Tab'),
    place('pip', 'multiple-windows', 'Show in New Window'),
    row('beaker', 'Write Mock Call…', () => writeTrial(tab), 'tries the app without calling the server'),
    draft?.document.isClosed === false &&
      row('play', escapeIcons(draft.label), () => take(draft), escapeIcons(draft.description)),
    row('output', 'Show Messages', async () => runForPerson(CommandIds.showTraffic, { server })),
    hasDeveloperTools &&
      row('debug-console', 'Open Developer Tools', async () => commands.executeCommand(developerTools)),
  ];
  return rows.filter((each) => each !== false);
}

/** What the app gave for the next question to a model. */
async function showContext({ target, run }: AppTab, { documents }: AppParts): Promise<void> {
  const name = `Context for Models of ${tabName(target.tool)}.json`;
  const text = `${JSON.stringify(run?.context, null, 2)}\n`;
  await documents.show(documents.set(name, JSON.stringify(target), text), { preview: true });
}

async function askAbout({ target, app, call }: AppTab, { askModel }: AppParts): Promise<void> {
  if (app === undefined || call?.end?.kind !== 'result') return;
  await askModel({
    server: target.server,
    title: singleLine(app.title, 60),
    about: `result of the tool ${target.tool}`,
    messages: toolContent(call.end.result),
    needsQuestion: true,
  });
}

/** Opens JSON to write in beside the app, whichever group is active: never over it. */
async function write(tab: AppTab, value: unknown, draft: Omit<Draft, 'document'>): Promise<void> {
  const { viewColumn: column } = tab.panel.view;
  const viewColumn = column === undefined ? ViewColumn.Beside : column + 1;
  const content = `${JSON.stringify(value, null, 2)}\n`;
  drafts.set(tab, { ...draft, document: await showNewDocument('patchbay-json', content, { viewColumn }) });
  window.setStatusBarMessage(`$(beaker) Then choose “${escapeIcons(draft.label)}” in the app’s actions`, 10_000);
}

async function take({ document, onTake }: Draft): Promise<void> {
  let written: unknown;
  try {
    written = JSON.parse(document.getText());
  } catch (error) {
    throw new PatchbayError('invalidArguments', `This is not valid JSON: ${messageOf(error)}`);
  }
  if (!isRecord(written)) throw new PatchbayError('invalidArguments', 'This is not a JSON object.');
  await onTake(written);
}

async function writeTrial(tab: AppTab): Promise<void> {
  const { args, end } = tab.call ?? { args: {} };
  const result = end?.kind === 'result' ? end.result : { content: [{ type: 'text', text: 'Mock result' }] };
  // An invented call belongs to the server whose call it was made of.
  const identity = tab.app?.identity ?? '';
  const onTake: Draft['onTake'] = (written) => tab.open({ ...readTrial(written), identity });
  const draft = { label: 'Show Mock Call', description: 'as it is written now', onTake };
  await write(tab, { partialArguments: [], arguments: args, result }, draft);
}

/** @throws {PatchbayError} `invalidArguments`, `invalidMessage` */
function readTrial(written: UnknownRecord): Omit<ShownCall, 'identity'> {
  const { arguments: args, result, partialArguments = [] } = written;
  if (!isRecord(args))
    throw new PatchbayError('invalidArguments', 'The mock call needs the objects "arguments" and "result".');
  if (!Array.isArray(partialArguments) || !partialArguments.every(isRecord))
    throw new PatchbayError('invalidArguments', '"partialArguments" of the mock call must be a list of objects.');
  return {
    partialArgs: partialArguments as readonly JsonObject[],
    args: args as JsonObject,
    end: { kind: 'result', result: readCallToolResult(result) },
    isInvented: true,
  };
}

/**
 * The app's own tools (SEP-1865 draft, "App-Provided Tools"): asked for each time, never kept. Arguments are written as JSON; to choose
 * the call then is the yes to it.
 */
async function callAppTool(tab: AppTab, { show }: AppParts): Promise<void> {
  const { run, app } = tab;
  if (run === undefined || app === undefined) throw gone();
  const tools = await run.bridge.listTools();
  const rows = tools.map((tool) => ({
    label: escapeIcons(singleLine(tool.name, 60)),
    detail: escapeIcons(singleLine(tool.description ?? '', 200)),
    tool,
  }));
  const picked = await window.showQuickPick(rows, {
    title: `Tools of the App ${singleLine(app.title, 60)}`,
    placeHolder:
      rows.length === 0 ? 'The app offers no tools now' : 'Select a tool of the app itself, not of its server',
  });
  if (picked === undefined) return;
  const { name, inputSchema, annotations } = picked.tool;
  const call = async (args: UnknownRecord): Promise<void> => {
    if (tab.run !== run) throw gone();
    app.journal.event('tool of the app called', { tool: singleLine(name, 200) });
    const result = await run.bridge.callTool(name, args as JsonObject);
    show({
      key: JSON.stringify(['appTool', tab.target, name]),
      title: `${singleLine(name, 40)} (app)`,
      server: tab.target.server,
      result: { kind: 'tool', result },
      notices: ['This result comes from the app itself, not from its server.'],
      actions: textActions(() => toolResultToMarkdown(result)),
    });
  };
  if (takesNothing(picked.tool) && annotations?.readOnlyHint === true) return call({});
  const { properties } = inputSchema;
  const names = isRecord(properties) ? Object.keys(properties) : [];
  const given = names.length === 0 ? 'without named arguments' : `with ${singleLine(names.join(', '), 200)} as written`;
  await write(tab, {}, { label: `Call “${singleLine(name, 60)}” of the App`, description: given, onTake: call });
}

function gone(): PatchbayError {
  return new PatchbayError('notFound', 'The app is no longer open.');
}
