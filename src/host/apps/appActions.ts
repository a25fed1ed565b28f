import { commands, type QuickPickItem, type TextDocument, ViewColumn, window } from 'vscode';
import { CancelledError, messageOf, PatchbayError } from '../../base/errors.ts';
import { isRecord, type JsonObject, toJsonText } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import type { DisplayMode } from '../../client/apps/appMessages.ts';
import { isNoReach, readReach } from '../../client/apps/appReach.ts';
import { readCallToolResult, type Tool } from '../../protocol/mcp/tools.ts';
import { CommandIds } from '../commandIds.ts';
import { type AskModel, toolContent } from '../invocation/modelQuestion.ts';
import { escapeIcons, notificationText, singleLine } from '../platform/displayText.ts';
import { askSafely } from '../platform/dialogs.ts';
import { showNewDocument } from '../platform/documents.ts';
import { textActions } from '../results/resultActions.ts';
import { toolResultToMarkdown } from '../results/contentMarkdown.ts';
import type { ResultDocument } from '../results/resultDocument.ts';
import type { ShownCall } from './appRun.ts';
import type { AppTab } from './appTab.ts';
import { runForPerson } from '../platform/personArguments.ts';

/** What *App Actions…* needs of the host. */
export interface AppActionPorts {
  readonly askModel: AskModel;
  /** Shows a result in an editor tab. */
  readonly show: (document: ResultDocument) => void;
  /** Shows what an app gave for the next question to a model. */
  readonly showContext: (tab: AppTab) => Promise<void>;
}

interface Action extends QuickPickItem {
  run(): Promise<unknown>;
}

/** An invented call that is being written, and the server whose call it was made of: see `Server.identity`. */
interface Trial {
  readonly document: TextDocument;
  readonly identity: string;
}

/** The invented calls that are being written, by tab. */
const trials = new WeakMap<AppTab, Trial>();

/** Lets the person choose what to do with an app. @throws {CancelledError} when nothing is chosen */
export async function chooseAppAction(tab: AppTab, ports: AppActionPorts): Promise<void> {
  const title = `App of ${singleLine(tab.target.tool, 60)}`;
  const picked = await window.showQuickPick(await actionsOf(tab, ports), { title, placeHolder: 'Choose what to do' });
  if (picked === undefined) throw new CancelledError();
  await picked.run();
}

async function actionsOf(tab: AppTab, ports: AppActionPorts): Promise<readonly Action[]> {
  const { target, app, call, context, run } = tab;
  const { server, tool } = target;
  const known = new Set(await commands.getCommands(true));
  const row = (icon: string, label: string, act: () => Promise<unknown>, description = ''): Action => ({
    label: `$(${icon}) ${label}`,
    description,
    run: act,
  });
  const mode = (to: DisplayMode, icon: string, label: string): Action => row(icon, label, () => tab.setMode(to));
  const asksForReach = app !== undefined && !isNoReach(readReach(app.resource.metadata, []).reach);
  const developerTools = 'workbench.action.webview.openDeveloperTools';
  const trial = trials.get(tab);
  return [
    row('refresh', 'Reload App', () => tab.reload()),
    row('tools', 'Open Its Tool', async () => runForPerson(CommandIds.openTool, { server, tool })),
    ...(app === undefined || call?.end?.kind !== 'result'
      ? []
      : [
          row(
            'sparkle',
            'Ask a Model About It…',
            () => askAbout(tab, ports),
            'its result, and what the app says of it',
          ),
        ]),
    ...(context === undefined
      ? []
      : [
          row(
            'comment',
            'Show What It Tells Models',
            () => ports.showContext(tab),
            'given to the next question to a model',
          ),
        ]),
    ...(run?.bridge.identity?.hasTools === true
      ? [row('symbol-method', 'Call a Tool of the App…', () => callAppTool(tab, ports), 'offered by the app itself')]
      : []),
    ...(asksForReach ? [row('shield', 'Ask Again What It May Reach…', () => tab.askAgain())] : []),
    mode('inline', 'split-horizontal', 'Show Beside'),
    mode('fullscreen', 'screen-full', 'Show as a Tab'),
    mode('pip', 'multiple-windows', 'Show in a Window of Its Own'),
    row('beaker', 'Write an Invented Call…', () => writeTrial(tab), 'to try the app; no server is asked'),
    ...(trial === undefined || trial.document.isClosed
      ? []
      : [row('play', 'Show the Invented Call', () => showTrial(tab, trial), 'as it is written now')]),
    row('output', 'Show Messages', async () => runForPerson(CommandIds.traceMessages, { server })),
    ...(known.has(developerTools)
      ? [row('debug-console', 'Open Developer Tools', async () => commands.executeCommand(developerTools))]
      : []),
  ];
}

async function askAbout({ target, app, call }: AppTab, { askModel }: AppActionPorts): Promise<void> {
  if (app === undefined || call?.end?.kind !== 'result') return;
  await askModel({
    server: target.server,
    title: singleLine(app.title, 60),
    about: `result of the tool ${target.tool}`,
    messages: toolContent(call.end.result),
    needsQuestion: true,
  });
}

/** Beside the app, whichever group is active: never over it. */
async function openJson(value: unknown, { column }: AppTab): Promise<TextDocument> {
  const content = `${JSON.stringify(value, null, 2)}\n`;
  const viewColumn = column === undefined ? ViewColumn.Beside : column + 1;
  return showNewDocument('patchbay-json', content, { viewColumn });
}

async function writeTrial(tab: AppTab): Promise<void> {
  const { args, end } = tab.call ?? { args: {} };
  const result = end?.kind === 'result' ? end.result : { content: [{ type: 'text', text: 'Invented' }] };
  const { identity = '' } = tab;
  trials.set(tab, { document: await openJson({ partialArguments: [], arguments: args, result }, tab), identity });
  window.setStatusBarMessage('$(beaker) Then choose “Show the Invented Call” in the app’s actions', 10_000);
}

async function showTrial(tab: AppTab, { document, identity }: Trial): Promise<void> {
  let written: unknown;
  try {
    written = JSON.parse(document.getText());
  } catch (error) {
    throw new PatchbayError('invalidArguments', `The invented call is not JSON: ${messageOf(error)}`);
  }
  await tab.open({ ...readTrial(written), identity });
}

/** @throws {PatchbayError} `invalidArguments`, `invalidMessage` */
function readTrial(written: unknown): Omit<ShownCall, 'identity'> {
  const { arguments: args, result, partialArguments = [] } = isRecord(written) ? written : {};
  if (!isRecord(args))
    throw new PatchbayError('invalidArguments', 'The invented call needs the objects "arguments" and "result".');
  if (!Array.isArray(partialArguments) || !partialArguments.every(isRecord))
    throw new PatchbayError('invalidArguments', '"partialArguments" of the invented call must be a list of objects.');
  return {
    partialArgs: partialArguments as readonly JsonObject[],
    args: args as JsonObject,
    end: { kind: 'result', result: readCallToolResult(result) },
    isInvented: true,
  };
}

/** The app's own tools (SEP-1865 draft, "App-Provided Tools"): asked for each time, never kept. */
async function callAppTool({ run, target, app }: AppTab, { show }: AppActionPorts): Promise<void> {
  if (run === undefined || app === undefined) throw new PatchbayError('notFound', 'The app is not shown any more.');
  const tools = await run.bridge.listTools();
  const rows = tools.map((tool) => ({
    label: escapeIcons(singleLine(tool.name, 60)),
    detail: escapeIcons(singleLine(tool.description ?? '', 200)),
    tool,
  }));
  const picked = await window.showQuickPick(rows, {
    title: `Tools of the App ${singleLine(app.title, 60)}`,
    placeHolder: rows.length === 0 ? 'The app offers none now' : 'Choose a tool of the app, not of its server',
  });
  if (picked === undefined) return;
  const args = await askJson(picked.tool);
  if (args === undefined || !(await isConfirmed(picked.tool, app.title, args))) return;
  const { name } = picked.tool;
  app.journal.event('tool of the app called', { tool: singleLine(name, 200) });
  const result = await run.bridge.callTool(name, args);
  show({
    key: JSON.stringify(['appTool', target, name]),
    title: `${singleLine(name, 40)} (app)`,
    server: target.server,
    result: { kind: 'tool', result },
    notices: ['This comes from the app itself, not from its server.'],
    actions: textActions(() => toolResultToMarkdown(result)),
  });
}

async function askJson({ name, inputSchema }: Tool): Promise<JsonObject | undefined> {
  const { properties } = inputSchema;
  const names = isRecord(properties) ? Object.keys(properties) : [];
  const text = await window.showInputBox({
    title: `Arguments of ${singleLine(name, 60)}`,
    prompt: names.length === 0 ? 'It names no arguments.' : `JSON with: ${notificationText(names.join(', '), 200)}`,
    value: '{}',
    ignoreFocusOut: true,
    validateInput: (given) => (readObject(given) === undefined ? 'Type a JSON object.' : undefined),
  });
  return text === undefined ? undefined : readObject(text);
}

function readObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

async function isConfirmed({ name, annotations }: Tool, title: string, args: JsonObject): Promise<boolean> {
  if (annotations?.readOnlyHint === true) return true;
  const chosen = await askSafely({
    message: `Call “${singleLine(name, 60)}” of the app “${singleLine(title, 60)}”?`,
    detail: `It is a tool of the app, not of its server. Arguments:\n${toJsonText(args, limits.trustQuestion.columns * 10)}`,
    safe: 'Don’t Call',
    actions: ['Call'],
  });
  return chosen === 'Call';
}
