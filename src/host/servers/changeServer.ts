import { Uri } from 'vscode';
import { PatchbayError } from '../../base/errors.ts';
import type { UnknownRecord } from '../../base/json.ts';
import type { ConfiguredServer } from '../../config/configuredServer.ts';
import { duplicateServer, putBackServer, removeServer, renameServer } from '../../config/manageServers.ts';
import type { FileKind } from '../../config/serverSection.ts';
import { configurationFileAt } from '../configuration/configurationFiles.ts';
import { changedFile } from '../configuration/saveServers.ts';
import { changeFile } from '../platform/changeFile.ts';
import { saveSetting, settingMembers } from '../platform/changeSettings.ts';
import { singleLine } from '../platform/displayText.ts';

interface NamedFile {
  readonly kind: FileKind;
  readonly title: string;
}

/** A change of the definition of one server, in a file or in the user settings, and the way back where the rest has changed since. */
interface Change {
  readonly inText: (text: string, file: NamedFile) => string;
  readonly textBack: (text: string, file: NamedFile) => string;
  readonly inSettings: (servers: UnknownRecord) => UnknownRecord;
  readonly settingsBack: (servers: UnknownRecord, before: UnknownRecord) => UnknownRecord;
}

export function removal(label: string): Change {
  let written = '';
  return {
    inText(text, file) {
      const removed = removeServer(text, file, label);
      ({ written } = removed);
      return removed.text;
    },
    textBack: (text, file) => putBackServer(text, file, label, written),
    inSettings: (servers) => mapped(servers, (name, value) => (name === label ? [] : [[name, value]])),
    settingsBack: (servers, before) => ({ ...withoutClash(servers, label), [label]: before[label] }),
  };
}

export function renaming(label: string, name: string): Change {
  const renamed = (servers: UnknownRecord, from: string, to: string): UnknownRecord =>
    mapped(withoutClash(servers, to), (each, value) => [[each === from ? to : each, value]]);
  return {
    inText: (text, file) => renameServer(text, file, label, name),
    textBack: (text, file) => renameServer(text, file, name, label),
    inSettings: (servers) => renamed(servers, label, name),
    settingsBack: (servers) => renamed(servers, name, label),
  };
}

export function duplication(label: string, name: string): Change {
  return {
    inText: (text, file) => duplicateServer(text, file, label, name),
    textBack: (text, file) => removeServer(text, file, name).text,
    inSettings: (servers) =>
      mapped(withoutClash(servers, name), (each, value) =>
        each === label
          ? [
              [each, value],
              [name, value],
            ]
          : [[each, value]],
      ),
    settingsBack: (servers) => mapped(servers, (each, value) => (each === name ? [] : [[each, value]])),
  };
}

/**
 * Changes a server where it is defined.
 * @returns the undo: it restores the text, or where that has changed since, takes the change back by an edit
 * @throws {PatchbayError} `configuration` where that is impossible, as does the undo: nothing is changed then
 */
export async function changeServer({ label, source }: ConfiguredServer, change: Change): Promise<() => Promise<void>> {
  if (source.kind === 'user') return changeSettings(label, change);
  const file = source.uri === undefined ? undefined : configurationFileAt(Uri.parse(source.uri));
  if (file === undefined) throw failure(`${source.title} is no longer a configuration file of this window.`);
  const named = { kind: file.kind, title: file.source.title };
  let before = '';
  const after = await changeFile(changedFile(file), (text) => change.inText((before = text), named));
  return async () => {
    await changeFile(changedFile(file), (text) => (text === after ? before : change.textBack(text, named)));
  };
}

async function changeSettings(label: string, change: Change): Promise<() => Promise<void>> {
  const before = settingMembers('servers');
  if (!Object.hasOwn(before, label))
    throw failure(`Your user settings no longer have the server “${singleLine(label, 60)}”.`);
  const after = change.inSettings(before);
  await saveSetting('servers', after);
  return async () => {
    const now = settingMembers('servers');
    await saveSetting(
      'servers',
      JSON.stringify(now) === JSON.stringify(after) ? before : change.settingsBack(now, before),
    );
  };
}

/** In the same order, so that each server keeps its place. */
function mapped(
  servers: UnknownRecord,
  map: (name: string, value: unknown) => readonly (readonly [string, unknown])[],
): UnknownRecord {
  return Object.fromEntries(Object.entries(servers).flatMap(([name, value]) => map(name, value)));
}

function withoutClash(servers: UnknownRecord, name: string): UnknownRecord {
  if (!Object.hasOwn(servers, name)) return servers;
  throw failure(`Your user settings have another server “${singleLine(name, 60)}” now.`);
}

function failure(message: string): PatchbayError {
  return new PatchbayError('configuration', message);
}
