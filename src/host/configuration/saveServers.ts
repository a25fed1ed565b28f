import { FileType, Uri, window, workspace } from 'vscode';
import { PatchbayError } from '../../base/errors.ts';
import { isRecord, isString } from '../../base/json.ts';
import { addInputEdits, addServerEdits, applyTextEdits } from '../../config/editConfiguration.ts';
import type { InputDefinition } from '../../config/inputs.ts';
import { extractSecrets, writtenEntry } from '../../config/newServer.ts';
import { type ParsedConfiguration, parseConfiguration } from '../../config/parseConfiguration.ts';
import type { ServerDefinition } from '../../config/serverDefinition.ts';
import { isAboutMore, limitsOf } from '../../config/serverSection.ts';
import { saveSetting, settingItems, settingMembers } from '../platform/changeSettings.ts';
import { type ChangedFile, changeFile, currentText } from '../platform/changeFile.ts';
import { escapeIcons } from '../platform/displayText.ts';
import { readTextFile } from '../platform/readTextFile.ts';
import { type ConfigurationFile, findConfigurationFiles, userSource } from './configurationFiles.ts';
import type { InputStore } from './inputStore.ts';
import { personalSetting } from '../platform/settings.ts';

export type SaveTarget = ConfigurationFile | 'user';

export interface NewServer {
  readonly label: string;
  readonly definition: ServerDefinition;
}

export interface AddServerOptions {
  readonly inputs: InputStore;
  /** Reads the configuration again, so that the new servers appear at once. */
  readonly refresh: () => Promise<void>;
  readonly reveal: (label: string) => Promise<void>;
  /** Opens the place of a server's definition. */
  readonly open: (label: string) => Promise<void>;
  /** The labels of all places: of two servers of one label only the first is shown. */
  readonly labels: () => readonly string[];
}

/** Asks where to save servers. Without an open folder there is one place, and no question. */
export async function chooseTarget(title: string): Promise<SaveTarget | undefined> {
  const targets = await saveTargets();
  if (targets.length === 1) return targets[0];
  const items = targets.map((target) =>
    target === 'user'
      ? { label: '$(account) User settings', description: 'For you, in every workspace', target }
      : {
          label: `$(root-folder) ${escapeIcons(target.source.title)}`,
          description: `For everyone who ${target.kind === 'codeWorkspace' ? 'opens this workspace' : 'works on this folder'}`,
          target,
        },
  );
  return (await window.showQuickPick(items, { title, placeHolder: 'Where to save it', ignoreFocusOut: true }))?.target;
}

/**
 * The places for new servers, the best one first: files that are there, `.mcp.json`, the user settings. Not a file that is about
 * more and has no servers yet, nor that of Copilot, which knows no inputs.
 */
export async function saveTargets(): Promise<SaveTarget[]> {
  const places = (await findConfigurationFiles()).filter(({ kind }) => kind !== 'copilot');
  const isOffered = await Promise.all(places.map(isInUse));
  const fresh = places.filter(({ kind }, index) => kind === 'mcpJson' && isOffered[index] === false);
  return [...places.filter((_, index) => isOffered[index]), ...fresh, 'user'];
}

async function isInUse({ kind, uri }: ConfigurationFile): Promise<boolean> {
  if (!isAboutMore(kind)) return isThere(uri);
  const text = await readTextFile(uri, limitsOf(kind).bytes).catch(() => undefined);
  return text !== undefined && parseConfiguration(text, kind).labels.length > 0;
}

/**
 * Adds servers whose labels are free, with their secrets as new inputs. Leaves the rest of the file unchanged.
 * @returns the number of secrets
 * @throws {PatchbayError} `configuration` if the file or the setting is not valid, or cannot be saved
 */
export async function addServers(
  target: SaveTarget,
  added: readonly NewServer[],
  inputs: readonly InputDefinition[],
  { inputIds }: Pick<ExistingNames, 'inputIds'>,
  { inputs: store, refresh }: Pick<AddServerOptions, 'inputs' | 'refresh'>,
): Promise<number> {
  const source = target === 'user' ? userSource : target.source;
  if (target === 'user') {
    rejectOtherType('servers', isRecord, 'an object');
    rejectOtherType('inputs', Array.isArray, 'a list');
  }
  for (const { id } of inputs) inputIds.add(id);
  const servers = added.map(({ label, definition }) => ({ label, ...extractSecrets(label, definition, inputIds) }));
  const secrets = servers.flatMap((server) => server.secrets);
  for (const { input, value, ...usedBy } of secrets) {
    await store.keep({ source, id: input.id, usedBy, isSecret: input.password }, value);
  }
  const all = [...inputs, ...secrets.map(({ input }) => input)];
  await (target === 'user' ? saveToSettings(servers, all) : saveToFile(target, servers, all));
  await refresh();
  return secrets.length;
}

/** False where there is no file, or none that can be read. */
async function isThere(uri: Uri): Promise<boolean> {
  const stat = await Promise.resolve(workspace.fs.stat(uri)).catch(() => undefined);
  return stat !== undefined && stat.type !== FileType.Directory;
}

export interface ExistingNames {
  readonly labels: Set<string>;
  readonly inputIds: Set<string>;
}

/** @param elsewhere the labels of all places */
export async function findExistingNames(target: SaveTarget, elsewhere: readonly string[]): Promise<ExistingNames> {
  if (target === 'user') {
    const inputIds = settingItems('inputs').flatMap((input) =>
      isRecord(input) && isString(input['id']) ? [input['id']] : [],
    );
    return { labels: new Set([...elsewhere, ...Object.keys(settingMembers('servers'))]), inputIds: new Set(inputIds) };
  }
  const { labels, inputs } = parseConfiguration(await currentText(changedFile(target)), target.kind);
  return { labels: new Set([...elsewhere, ...labels]), inputIds: new Set(inputs.map(({ id }) => id)) };
}

async function saveToSettings(servers: readonly NewServer[], inputs: readonly InputDefinition[]): Promise<void> {
  const before = settingItems('inputs');
  const fresh = inputs.filter(({ id }) => !before.some((input) => isRecord(input) && input['id'] === id));
  // First the inputs: the servers that need them are read at once.
  if (fresh.length > 0) await saveSetting('inputs', [...before, ...fresh]);
  const definitions = Object.fromEntries(servers.map(({ label, definition }) => [label, writtenEntry(definition)]));
  await saveSetting('servers', { ...settingMembers('servers'), ...definitions });
}

async function saveToFile(file: ConfigurationFile, servers: readonly NewServer[], inputs: readonly InputDefinition[]) {
  const { title } = file.source;
  await changeFile(changedFile(file), (text) => {
    const before = parseConfiguration(text, file.kind);
    const codes = new Set(before.problems.map(({ code }) => code));
    if (codes.has('brokenJson') || codes.has('tooLarge')) {
      const fault = codes.has('tooLarge') ? 'is too large' : 'is not valid JSON';
      throw failure(`${title} ${fault}. Nothing was changed. Fix it first.`);
    }
    let changed = text;
    for (const { label, definition } of servers)
      changed = applyTextEdits(changed, addServerEdits(changed, file.kind, label, writtenEntry(definition)));
    for (const input of inputs) changed = applyTextEdits(changed, addInputEdits(changed, file.kind, input));
    assertComplete(file, [before, { labels: servers.map(({ label }) => label), inputs }], changed);
    return changed;
  });
}

/** How a configuration file is changed. Files of the person, and of the workspace that they opened, may be links. */
export function changedFile({ uri, kind, source: { title, folder } }: ConfigurationFile): ChangedFile {
  const isInFolder = folder !== undefined && kind !== 'codeWorkspace';
  const unlinked = isInFolder ? uri.path.slice(Uri.parse(folder.uri).path.length).split('/').filter(Boolean) : [];
  return { uri, title, maximumBytes: limitsOf(kind).bytes, unlinked };
}

/** @throws {PatchbayError} `configuration` if something that was read before, or was added, is not read afterwards */
function assertComplete(
  { kind, source }: ConfigurationFile,
  expected: readonly Pick<ParsedConfiguration, 'labels' | 'inputs'>[],
  text: string,
): void {
  const after = parseConfiguration(text, kind);
  const [read, ids] = [new Set(after.labels), new Set(after.inputs.map(({ id }) => id))];
  const lost = expected.flatMap(({ labels, inputs }) => [
    ...labels.filter((label) => !read.has(label)),
    ...inputs.map(({ id }) => id).filter((id) => !ids.has(id)),
  ]);
  if (lost.length === 0) return;
  const names = lost.map((name) => `"${name}"`).join(', ');
  throw failure(
    `Nothing was added: ${names} would not be read from ${source.title}. Correct the problems in this file, or choose another name.`,
  );
}

/** @throws {PatchbayError} `configuration` for a setting with a value that adding would replace */
function rejectOtherType(key: string, isExpected: (value: unknown) => boolean, expected: string): void {
  const value = personalSetting(key);
  if (value === undefined || isExpected(value)) return;
  const what = `"patchbay.${key}" in your user settings is not ${expected}`;
  throw failure(`${what}. Nothing was changed. Fix it first.`);
}

function failure(message: string): PatchbayError {
  return new PatchbayError('configuration', message);
}

/** What is lost where a server is saved; VS Code's API replaces a setting as a whole. Empty where nothing can be. */
export function lossIn(target: SaveTarget): string {
  if (target !== 'user' || Object.keys(settingMembers('servers')).length === 0) return '';
  return ' Comments in "patchbay.servers" are not kept.';
}
