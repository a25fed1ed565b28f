import type { Clock } from '../../base/clock.ts';
import { commands, InputBoxValidationSeverity, Uri, window } from 'vscode';
import { isCancellation } from '../../base/errors.ts';
import { describeLookAlikes } from '../../base/lookAlike.ts';
import type { ConfiguredServer } from '../../config/configuredServer.ts';
import { labelProblem, uniqueLabel } from '../../config/newServer.ts';
import { CommandIds } from '../commandIds.ts';
import { configurationFileAt, type ConfigurationFile, openSource } from '../configuration/configurationFiles.ts';
import type { ConfigurationService } from '../configuration/configurationService.ts';
import { findExistingNames, lossIn } from '../configuration/saveServers.ts';
import { describeError } from '../platform/describeError.ts';
import { notificationText, singleLine } from '../platform/displayText.ts';
import { offerUndo } from '../platform/offerUndo.ts';
import { runForPerson } from '../platform/personArguments.ts';
import { ofFocusedRow } from '../platform/registerCommand.ts';
import { showError } from '../platform/showError.ts';
import { changeServer, duplication, removal, renaming } from './changeServer.ts';
import { followRename, type KeptByLabel } from './followRename.ts';
import { pickServer, type ServerPick } from './pickServer.ts';
import { dropOptions } from './saveOptions.ts';
import type { HostServer, ServerRegistry } from './serverRegistry.ts';

interface ManageOptions extends KeptByLabel {
  readonly registry: ServerRegistry;
  readonly clock: Pick<Clock, 'now'>;
  readonly configuration: Pick<ConfigurationService, 'refresh'>;
  readonly reveal: (label: string) => Promise<void>;
}

/** Milliseconds in which a second press of the key for *Remove* removes nothing. */
const repeatMs = 1_000;

const isOwn = ({ configured }: HostServer): boolean => configured.source.kind !== 'demo';
const acting = (placeholder: string, whenNone: string, isApplicable: ServerPick['isApplicable']): ServerPick => ({
  placeholder,
  whenNone,
  isApplicable,
  acts: true,
});

const picks = {
  remove: acting('Remove which server?', 'No MCP server is configured.', undefined),
  rename: acting('Rename which server?', 'No server can be renamed.', isOwn),
  duplicate: acting('Duplicate which server?', 'No server can be duplicated.', isOwn),
  disable: acting('Disable which server?', 'All servers are disabled.', ({ isDisabled }) => !isDisabled),
  enable: acting('Enable which server?', 'No server is disabled.', ({ isDisabled }) => isDisabled),
};

/** *Remove*, *Rename*, *Duplicate*, *Disable*, *Enable*: each is one gesture without a question, and what changes a file has an undo. */
export function createManageCommands(options: ManageOptions) {
  const { registry, disabled } = options;
  const forServer =
    (pick: ServerPick, handle: (host: HostServer, how: unknown) => unknown) =>
    async (argument: unknown, how?: unknown) => {
      const host = await pickServer(registry, argument, pick);
      return host === undefined ? undefined : offerFile(host.configured, async () => handle(host, how));
    };
  const removeGiven = forServer(picks.remove, (host) => remove(host, options));
  let removedAt = -Infinity;
  return {
    [CommandIds.removeServer]: async (argument: unknown, how?: unknown) => {
      // A key that is held, or pressed again by mistake, is then on the row that came in place of the first.
      const isRepeated = how === ofFocusedRow && options.clock.now() - removedAt < repeatMs;
      if (how === ofFocusedRow) removedAt = options.clock.now();
      return isRepeated ? undefined : removeGiven(argument, how);
    },
    [CommandIds.renameServer]: forServer(picks.rename, (host) => rename(host, options)),
    [CommandIds.duplicateServer]: forServer(picks.duplicate, (host) => duplicate(host, options)),
    [CommandIds.disableServer]: forServer(picks.disable, async ({ configured, server, isDisabled }, how) => {
      // The key switches, as VS Code cannot know which of the two is meant.
      const isWanted = how === ofFocusedRow && isDisabled;
      await disabled.set(configured, !isWanted);
      if (!isWanted) await server.stop();
    }),
    [CommandIds.enableServer]: forServer(picks.enable, ({ configured }) => disabled.set(configured, false)),
  };
}

async function remove({ configured, server }: HostServer, options: ManageOptions): Promise<void> {
  if (configured.source.kind === 'demo') return commands.executeCommand(CommandIds.removeDemoServer);
  const loss = lossIn(targetOf(configured));
  const isRunning = server.state.kind === 'running';
  const restore = await dropOptions(configured);
  const undo = await changeServer(configured, removal(configured.label)).catch(async (error: unknown) => {
    await restore();
    throw error;
  });
  await apply(server, options);
  const { label, source } = configured;
  const done = `Removed ${named(label)} from ${placeOf(configured)}.${loss}${nextOf(configured)}`;
  undoIn(configured, done, async () => {
    await undo();
    await restore();
    await options.configuration.refresh();
    // Another one may have the name.
    if (options.registry.get(label)?.configured.source.uri === source.uri) await options.reveal(label);
    if (isRunning) startAgain(label, source, options);
  });
}

async function rename({ configured, server }: HostServer, options: ManageOptions): Promise<void> {
  const { label } = configured;
  if (isDemo(configured)) return;
  const { labels } = await findExistingNames(targetOf(configured), labelsOf(options));
  const entered = await window.showInputBox({
    title: `Rename ${named(label)}`,
    prompt: notificationText(`The new name, in ${placeOf(configured)}.${lossIn(targetOf(configured))}`),
    value: label,
    validateInput: (text) => (text === label ? undefined : nameFault(text, label, labels)),
  });
  const name = entered?.trim();
  if (name === undefined || name === label || name === '') return;
  const isRunning = server.state.kind === 'running';
  const undo = await changeServer(configured, renaming(label, name));
  const { left, back } = await followRename(configured, server.identity, name, options);
  await apply(server, options);
  await options.reveal(name);
  if (isRunning) startAgain(name, configured.source, options);
  // VS Code lets no extension read or change these.
  const keys = ' Keyboard shortcuts with the old name no longer work.';
  const kept = left.length === 0 ? '' : ` Its ${left.join(' and ')} still have the old name.`;
  const done = `Renamed ${named(label)} to ${named(name)} in ${placeOf(configured)}.${nextOf(configured)}${kept}${keys}`;
  undoIn(configured, done, async () => {
    const renamed = options.registry.get(name);
    const runsNow = renamed?.server.state.kind === 'running';
    await undo();
    await back();
    await apply(renamed?.server, options);
    await options.reveal(label);
    if (runsNow) startAgain(label, configured.source, options);
  });
}

async function duplicate({ configured }: HostServer, options: ManageOptions): Promise<void> {
  const { label } = configured;
  if (isDemo(configured)) return;
  const { labels } = await findExistingNames(targetOf(configured), labelsOf(options));
  const name = uniqueLabel(label, labels);
  const undo = await changeServer(configured, duplication(label, name));
  await options.configuration.refresh();
  await options.reveal(name);
  const done = `Added ${named(name)} to ${placeOf(configured)}.${lossIn(targetOf(configured))}`;
  undoIn(configured, done, async () => {
    const copy = options.registry.get(name);
    await undo();
    await apply(copy?.server, options);
  });
}

/** Ends what ran from a definition that is gone: another place may define a server of its label. */
async function apply(server: HostServer['server'] | undefined, { configuration }: ManageOptions): Promise<void> {
  await server?.stop();
  await configuration.refresh();
}

/** What ran goes on running where its definition is now. The start asks what every start asks, and shows what goes wrong. */
function startAgain(label: string, { uri }: ConfiguredServer['source'], { registry }: ManageOptions): void {
  if (registry.get(label)?.configured.source.uri === uri) void runForPerson(CommandIds.startServer, label);
}

function isDemo({ source }: ConfiguredServer): boolean {
  if (source.kind !== 'demo') return false;
  void window.showInformationMessage(
    'The demo server comes with Patchbay. You can remove it, but not rename or copy it.',
  );
  return true;
}

function nameFault(text: string, label: string, labels: ReadonlySet<string>) {
  const problem = labelProblem(text, labels);
  if (problem !== undefined) return problem;
  const others = [...labels].filter((other) => other !== label);
  const look = describeLookAlikes([...others, text.trim()]).get(text.trim());
  // A warning does not keep the person from going on.
  return look && { message: notificationText(`This name ${look}.`), severity: InputBoxValidationSeverity.Warning };
}

function labelsOf({ registry }: ManageOptions): string[] {
  return registry.servers.map(({ label }) => label);
}

function targetOf({ source }: ConfiguredServer): ConfigurationFile | 'user' {
  return (source.uri === undefined ? undefined : configurationFileAt(Uri.parse(source.uri))) ?? 'user';
}

function placeOf({ source }: ConfiguredServer): string {
  return source.kind === 'user' ? 'your user settings' : singleLine(source.title, 80);
}

/** Of a label that several places define, the next one is used from now on. */
function nextOf({ label, shadows: [next] }: ConfiguredServer): string {
  return next === undefined ? '' : ` The server ${named(label)} of ${singleLine(next.title, 80)} is used now.`;
}

function named(label: string): string {
  return `“${singleLine(label, 60)}”`;
}

function undoIn(configured: ConfiguredServer, done: string, undo: () => Promise<void>): void {
  offerUndo(done, () => offerFile(configured, undo));
}

/** Shows why something failed, with the way to the file where the person can do it. Never rejects. */
async function offerFile({ source, range }: ConfiguredServer, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (isCancellation(error)) return;
    const open = 'Open Configuration';
    const message = notificationText(describeError(error).message, 500);
    void Promise.resolve(window.showErrorMessage(message, open))
      .then((chosen) => (chosen === open ? openSource(source, range) : undefined))
      .catch((failed: unknown) => showError(failed));
  }
}
