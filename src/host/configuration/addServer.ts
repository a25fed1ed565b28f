import {
  env,
  type InputBox,
  InputBoxValidationSeverity,
  type QuickInputButton,
  ThemeIcon,
  window,
  workspace,
} from 'vscode';
import { extractSecrets, labelProblem, suggestLabel, uniqueLabel } from '../../config/newServer.ts';
import { pastedDefinition } from '../../config/pastedDefinition.ts';
import { type PastedServer, type PastedServers, readPastedServers } from '../../config/pastedServers.ts';
import type { ServerDefinition } from '../../config/serverDefinition.ts';
import { countOf, escapeIcons, notificationText } from '../platform/displayText.ts';
import { showError } from '../platform/showError.ts';
import {
  type AddServerOptions,
  addServers,
  chooseTarget,
  findExistingNames,
  lossIn,
  type NewServer,
  type SaveTarget,
  saveTargets,
} from './saveServers.ts';

const title = 'Add MCP Server';

interface PasteOptions extends AddServerOptions {
  /** Starts servers for the person who has added them; asks for a yes. */
  readonly start: (labels: readonly string[]) => Promise<void>;
}

/**
 * *Add MCP Server…*: one box for a command line, an address or JSON. Enter saves it in the best place under a name that is made of it,
 * and starts it after a question; a button asks for name and place.
 */
export async function addServer(options: PasteOptions): Promise<void> {
  const [best = 'user'] = await saveTargets();
  const box = window.createInputBox();
  try {
    const answer = await askPasted(box, best, new Set(options.labels()));
    if (answer !== undefined) await addPasted(answer, best, box, options);
  } finally {
    box.dispose();
  }
}

async function addPasted(
  { pasted, isStepwise }: PastedAnswer,
  best: SaveTarget,
  box: InputBox,
  options: PasteOptions,
): Promise<void> {
  const target = isStepwise ? await chooseTarget(title) : best;
  if (target === undefined) return;
  const existing = await findExistingNames(target, options.labels());
  const servers: NewServer[] = [];
  for (const [index, label] of namesOf(pasted, existing.labels).entries()) {
    const { definition, label: written } = pasted.servers[index] ?? {};
    if (definition === undefined) continue;
    const name = isStepwise && written === undefined ? await askLabel(definition, existing.labels) : label;
    if (name === undefined) return;
    existing.labels.add(name);
    servers.push({ label: name, definition });
  }
  const [first] = servers;
  if (first === undefined) return;
  const secrets = await addServers(target, servers, pasted.inputs, existing, options);
  await options.reveal(first.label);
  void sayAdded(target, servers, pasted, secrets, options).catch(showError);
  const on = servers.filter((_, index) => pasted.servers[index]?.isOff === false).map(({ label }) => label);
  box.hide();
  if (on.length === 0) return;
  await options.start(on);
  // With what it offers now.
  await options.reveal(first.label);
}

/** @returns a free name for each server, in order: the one that it has, or one that is made of its definition */
function namesOf({ servers }: PastedServers, taken: ReadonlySet<string>): readonly string[] {
  const all = new Set(taken);
  return servers.map((server) => {
    const { name } = wantedName(server);
    const free = uniqueLabel(name, all);
    all.add(free);
    return free;
  });
}

/** @returns the name for a pasted server, and why that is not the one that it has */
function wantedName({ label, definition }: PastedServer): { readonly name: string; readonly problem?: string } {
  if (label === undefined) return { name: suggestLabel(definition, folderName()) };
  const problem = labelProblem(label, new Set());
  return problem === undefined ? { name: label } : { name: suggestLabel(definition, folderName()), problem };
}

function folderName(): string | undefined {
  return workspace.workspaceFolders?.[0]?.name;
}

interface PastedAnswer {
  readonly pasted: PastedServers;
  readonly isStepwise: boolean;
}

/** The text is read as it is typed: the box says what would be added, and what would be left out. */
function askPasted(box: InputBox, target: SaveTarget, taken: ReadonlySet<string>): Promise<PastedAnswer | undefined> {
  const steps: QuickInputButton = { iconPath: new ThemeIcon('settings-gear'), tooltip: 'Choose Name and Place…' };
  box.title = title;
  const place = escapeIcons(notificationText(placeOf(target)));
  box.prompt = `Paste a command, an address or JSON. It is saved in ${place}.${lossIn(target)}`;
  box.placeholder = 'npx -y @modelcontextprotocol/server-memory';
  box.ignoreFocusOut = true;
  box.buttons = [steps];
  let reads = 0;
  const read = async (): Promise<PastedServers | undefined> => {
    const turn = (reads += 1);
    const text = await withLines(box.value);
    if (turn !== reads) return undefined;
    const pasted = readPastedServers(text);
    box.validationMessage = validationOf(text, pasted, target, taken);
    return pasted.servers.length === 0 ? undefined : pasted;
  };
  return new Promise((resolve) => {
    const accept = async (isStepwise: boolean): Promise<void> => {
      const pasted = await read();
      if (pasted === undefined) {
        if (box.value.trim() === '') box.validationMessage = 'Paste a command, an address or JSON first.';
        return;
      }
      box.busy = true;
      // The box stays open until the servers are there: a second Enter would go to the row that had the keyboard before.
      resolve({ pasted, isStepwise });
    };
    box.onDidChangeValue(() => void read());
    box.onDidAccept(() => void accept(false));
    box.onDidTriggerButton(() => void accept(true));
    box.onDidHide(() => resolve(undefined));
    box.show();
  });
}

function validationOf(text: string, pasted: PastedServers, target: SaveTarget, taken: ReadonlySet<string>) {
  if (text.trim() === '') return undefined;
  const { servers, notes } = pasted;
  const advice = hidesRest(pastedDefinition(text)) ? [commentAdvice] : [];
  // The box draws icons.
  if (servers.length === 0) return escapeIcons(notificationText([...advice, ...notes][0] ?? ''));
  const said = [...advice, ...changesIn(pasted, namesOf(pasted, taken)), ...notes];
  const severity = said.length === 0 ? InputBoxValidationSeverity.Info : InputBoxValidationSeverity.Warning;
  const names = namesOf(pasted, taken).map((name) => `“${notificationText(name, 60)}”`);
  const shown = `${names.slice(0, 5).join(', ')}${names.length > 5 ? ` and ${names.length - 5} more` : ''}`;
  const found = `Press Enter to add ${shown} to ${placeOf(target)}.`;
  return { message: escapeIcons(notificationText([found, ...startOf(servers), ...said].join(' '), 600)), severity };
}

/** What follows: a question comes before the start. */
function startOf(servers: PastedServers['servers']): readonly string[] {
  const on = servers.filter(({ isOff }) => !isOff).length;
  if (on === 0) return [];
  if (on < servers.length) return ['The enabled ones start after your approval.'];
  return [`${on === 1 ? 'It starts' : 'They start'} after your approval.`];
}

/** What the person should know of the names and states of what is added. */
function changesIn({ servers }: PastedServers, names: readonly string[]): readonly string[] {
  return servers.flatMap((server, index) => {
    const { definition, isOff } = server;
    const { name: wanted, problem } = wantedName(server);
    const { [index]: name = '' } = names;
    return [
      ...(problem === undefined ? [] : [`“${name}” has another name in what you pasted. ${problem}`]),
      ...(name === wanted ? [] : [`The name “${wanted}” is taken.`]),
      ...(isOff ? [`“${name}” is disabled in what you pasted, so it is not started.`] : []),
      ...(extractSecrets(name, definition).secrets.length > 0
        ? [`Secrets of “${name}” are kept out of the file.`]
        : []),
    ];
  });
}

async function sayAdded(
  target: SaveTarget,
  servers: readonly NewServer[],
  { servers: pasted, notes }: PastedServers,
  secrets: number,
  { open }: PasteOptions,
): Promise<void> {
  const [{ label } = { label: '' }] = servers;
  const what = servers.length === 1 ? `“${notificationText(label, 60)}”` : countOf(servers.length, 'server');
  const off = servers.filter((_, index) => pasted[index]?.isOff).map((server) => `“${server.label}”`);
  const said = [
    `Added ${what} to ${placeOf(target)}.`,
    secrets > 0 && `Saved ${countOf(secrets, 'secret')} in the editor’s secret storage, not in the configuration.`,
    off.length > 0 && `Not started, because it is disabled in what you pasted: ${off.join(', ')}.`,
    ...notes,
  ];
  const button = 'Open Configuration';
  const message = notificationText(said.filter(Boolean).join(' '), 600);
  if ((await window.showInformationMessage(message, button)) === button) await open(label);
}

function placeOf(target: SaveTarget): string {
  return target === 'user' ? 'your user settings' : target.source.title;
}

const commentAdvice = 'This box has one line, so a comment (“//”) hides the rest. Remove the comments.';

/** The box turns line ends into spaces. @returns the text of the clipboard if that is what was pasted, with its lines */
async function withLines(pasted: string): Promise<string> {
  if (!pasted.includes('//')) return pasted;
  const copied = await env.clipboard.readText();
  // Nothing but line ends may differ: a space that the person has removed in the box is gone.
  const asPasted = [
    copied.replaceAll(/\r\n?|\n/g, ' '),
    copied.replaceAll(/[\r\n]/g, ' '),
    copied.replaceAll(/[\r\n]/g, ''),
  ];
  return asPasted.some((text) => text.trim() === pasted.trim()) ? copied : pasted;
}

/** True for one line with a comment to its end. */
function hidesRest(text: string): boolean {
  const code = text.replaceAll(/"(?:\\.|[^"\\])*(?:"|$)/g, '');
  return /^["[{/]/.test(text) && code.includes('//') && !/[\r\n]/.test(text.trim());
}

async function askLabel(definition: ServerDefinition, taken: ReadonlySet<string>): Promise<string | undefined> {
  const label = await window.showInputBox({
    title,
    ignoreFocusOut: true,
    prompt: 'A short name for the server',
    value: uniqueLabel(suggestLabel(definition, folderName()), taken),
    validateInput: (text) => labelProblem(text, taken),
  });
  return label?.trim();
}
