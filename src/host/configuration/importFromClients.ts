import { QuickPickItemKind, type QuickPickItem, Uri, window, workspace } from 'vscode';
import { messageOf } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { quoteArgument, readableText } from '../../base/visibleText.ts';
import {
  clientNames,
  type ImportCandidate,
  importCandidates,
  type ImportPlace,
  workspaceCandidates,
} from '../../config/importClients.ts';
import { type Import, type ImportedServer, readImport } from '../../config/importServers.ts';
import type { InputDefinition } from '../../config/inputs.ts';
import { shownArguments } from '../../config/commandSecrets.ts';
import { extractSecrets, uniqueLabel } from '../../config/newServer.ts';
import { isStdio } from '../../config/serverDefinition.ts';
import { quoteArgument } from '../../base/visibleText.ts';
import { countOf, escapeIcons, notificationText, singleLine } from '../platform/displayText.ts';
import { type AddServerOptions, addServers, chooseTarget, findExistingNames, type NewServer } from './saveServers.ts';
import { readTextFile } from '../platform/readTextFile.ts';
import { configurationFileAt, filesMatching } from './configurationFiles.ts';
import { type AddServerOptions, addServers, chooseTarget, findExistingNames, type NewServer } from './saveServers.ts';

const title = 'Import MCP Servers';

/**
 * *Import From Another Client…*: lists the servers of other clients, of the person and of the open folders, and copies the
 * chosen ones. Overwrites nothing, only reads the files of other clients, and moves secrets to the secret storage. Says of each
 * server what is left out.
 * @param place the machine on which the servers will run, and whose clients are searched
 */
export async function importFromClients(place: ImportPlace, options: AddServerOptions): Promise<void> {
  const found = await findServers(place);
  const count = found.reduce((sum, { content }) => sum + content.servers.length, 0);
  const failed = found.flatMap(({ content, path }) => content.problems.map((problem) => `${path}: ${problem}`));
  if (count === 0) {
    const clients = [...new Set(importCandidates(place).map(({ client }) => client))].join(', ');
    const nothing = `No servers were found on this machine. Patchbay looked at: ${clients}.`;
    void window.showInformationMessage(nothing);
    showLeftOut(found);
    return;
  }
  showLeftOut(found);
  const items = found.flatMap(({ candidate, content }): ImportItem[] => [
    ...(content.servers.length > 0 ? [{ kind: QuickPickItemKind.Separator, label: candidate.client }] : []),
    ...content.servers.map((server) => toItem(server, candidate, content)),
  ]);
  const picked = await window.showQuickPick(items, {
    title,
    placeHolder: `Found ${countOf(count, 'server')}. Choose which to copy.${cannotBeCopied(failed)}`,
    canPickMany: true,
    ignoreFocusOut: true,
    matchOnDescription: true,
  });
  if (picked === undefined || picked.length === 0) return;
  const target = await chooseTarget(title);
  if (target === undefined) return;
  const existing = await findExistingNames(target);
  const servers: NewServer[] = [];
  const inputs: InputDefinition[] = [];
  const notes: string[] = [];
  for (const { server, content } of picked) {
    if (server === undefined) continue;
    const label = uniqueLabel(server.label, existing.labels);
    existing.labels.add(label);
    servers.push({ label, definition: server.definition });
    const text = JSON.stringify(server.definition);
    inputs.push(...(content?.inputs ?? []).filter(({ id }) => text.includes(`\${input:${id}}`)));
    notes.push(...server.notes.map((note) => `${label}: ${note}`));
  }
  const secrets = await addServers(target, servers, inputs, existing, options);
  const moved = `${countOf(secrets, 'secret')} went to the editor’s secret store, not into the configuration. `;
  const copied = `Copied ${countOf(servers.length, 'server')}. ${secrets === 0 ? '' : moved}`;
  await showResult(`${copied}Nothing starts before you start it.`, failed, [...notes, ...failed]);
}

/** Says beside the list which entries are not in it, and what others lose. */
function showLeftOut(found: readonly { readonly candidate: Candidate; readonly content: Import }[]): void {
  const files = found.filter(({ content }) => content.problems.length > 0);
  if (files.length === 0) return;
  const texts = files.map(({ candidate, content }) => `${candidate.client}: ${content.problems.join(' ')}`);
  void window.showWarningMessage(notificationText(`Left out or changed. ${texts.join(' ')}`));
}

type Candidate = ReturnType<typeof importCandidates>[number];

interface FoundFile {
  readonly client: string;
  readonly path: string;
  readonly uri: Uri;
  /** In characters. */
  readonly size: number;
  readonly content: Import;
}

/** @returns the files that are there and have servers, or something that looks like one */
async function findServers(place: ImportPlace): Promise<FoundFile[]> {
  const personal = importCandidates(place).map((candidate) => ({ candidate, uri: Uri.file(candidate.path) }));
  const shared = (workspace.workspaceFolders ?? []).flatMap(({ uri }) =>
    workspaceCandidates().map((candidate) => ({ candidate, uri: Uri.joinPath(uri, candidate.path) })),
  );
  const files = await Promise.all(
    [...personal, ...shared].map(async ({ candidate, uri }) => {
      if (!candidate.isPattern) return [await readFile(uri, candidate, place, limits.import.bytes)];
      const found: (FoundFile | undefined)[] = [];
      let left = limits.imported.characters;
      for (const one of await filesMatching(uri)) {
        const file = await readFile(one, candidate, place, left);
        found.push(file);
        left -= file?.size ?? 0;
      }
      return found;
    }),
  );
  return files
    .flat()
    .filter((file) => file !== undefined)
    .filter(({ content }) => content.servers.length + content.problems.length > 0);
}

async function readFile(
  uri: Uri,
  { client, format, variables }: ImportCandidate,
  { environment }: ImportPlace,
  maximumBytes: number,
): Promise<FoundFile | undefined> {
  const at = { client, path: uri.fsPath, uri, size: 0 };
  try {
    const text = await readTextFile(uri, maximumBytes);
    if (text === undefined) return undefined;
    return { ...at, size: text.length, content: await readImport(text, format, { style: variables, environment }) };
  } catch (error) {
    return { ...at, content: { servers: [], inputs: [], problems: [`It cannot be read: ${messageOf(error)}.`] } };
  }
}

type ImportItem = QuickPickItem & { readonly server?: ImportedServer; readonly content?: Import };

function toItem(server: ImportedServer, { path, uri, content }: FoundFile): ImportItem {
  const { label, definition, project, notes } = server;
  const line = isStdio(definition)
    ? [definition.command, ...shownArguments(definition.command, definition.args)].map(quoteArgument).join(' ')
    : definition.url;
  const { secrets } = extractSecrets(label, definition);
  const facts = [
    project === undefined ? path : `${path} · project ${project}`,
    ...(configurationFileAt(uri) === undefined ? [] : ['Patchbay reads this file already']),
    ...(secrets.length === 0 ? [] : [`holds ${countOf(secrets.length, 'secret')}`]),
    ...notes,
  ];
  return {
    label: escapeIcons(singleLine(label, 80)),
    description: escapeIcons(singleLine(line, 120)),
    detail: escapeIcons(singleLine(facts.join(' · '), 400)),
    server,
    content,
  };
}
