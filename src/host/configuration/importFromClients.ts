import { QuickPickItemKind, type QuickPickItem, Uri, window } from 'vscode';
import { limits } from '../../base/limits.ts';
import { extractSecrets, uniqueLabel } from '../../config/newServer.ts';
import {
  type Import,
  type ImportCandidate,
  importCandidates,
  type ImportedServer,
  type ImportPlace,
  importServers,
} from '../../config/importServers.ts';
import type { InputDefinition } from '../../config/inputs.ts';
import { isStdio, type ServerDefinition } from '../../config/serverDefinition.ts';
import { quoteArgument } from '../../base/visibleText.ts';
import { countOf, escapeIcons, singleLine } from '../platform/displayText.ts';
import { chooseTarget, findExistingNames, saveServers, showSavedServer } from './saveServers.ts';
import type { InputStore } from './inputStore.ts';
import { readTextFile } from '../platform/readTextFile.ts';

export interface ImportOptions {
  /** The machine on which the servers will run, and whose clients are searched. */
  readonly place: ImportPlace;
  readonly inputs: InputStore;
  readonly refresh: () => Promise<void>;
  readonly reveal: (label: string) => Promise<void>;
}

interface Found {
  readonly candidate: ImportCandidate;
  readonly content: Import;
}

interface ImportItem extends QuickPickItem {
  readonly server?: ImportedServer;
  readonly content?: Import;
}

const title = 'Import MCP Servers';

/**
 * *Import From Another Client…*: lists the servers of other clients, and copies the chosen ones. Overwrites nothing, only
 * reads the files of other clients, and moves secrets to the secret storage.
 */
export async function importFromClients(options: ImportOptions): Promise<void> {
  const found = await findServers(options.place);
  const count = found.reduce((sum, { content }) => sum + content.servers.length, 0);
  if (count === 0) {
    const clients = [...new Set(importCandidates(options.place).map(({ client }) => client))].join(', ');
    void window.showInformationMessage(`No servers were found on this machine. Patchbay looked at: ${clients}.`);
    return;
  }
  const picked = await window.showQuickPick(toItems(found), {
    title,
    placeHolder: `Found ${countOf(count, 'server')}. Choose which to copy.`,
    canPickMany: true,
    ignoreFocusOut: true,
    matchOnDescription: true,
  });
  if (picked === undefined || picked.length === 0) return;
  const target = await chooseTarget(title);
  if (target === undefined) return;
  await copyServers(picked, target, options);
}

async function copyServers(
  picked: readonly ImportItem[],
  target: NonNullable<Awaited<ReturnType<typeof chooseTarget>>>,
  { inputs: store, refresh, reveal }: ImportOptions,
): Promise<void> {
  const { labels: taken, inputIds } = await findExistingNames(target);
  for (const { content } of picked) for (const { id } of content?.inputs ?? []) inputIds.add(id);
  const servers = new Map<string, ServerDefinition>();
  const inputs: InputDefinition[] = [];
  const secrets: ReturnType<typeof extractSecrets>['secrets'][number][] = [];
  for (const { server, content } of picked) {
    if (server === undefined) continue;
    const label = uniqueLabel(server.label, taken);
    const extracted = extractSecrets(label, server.definition, inputIds);
    taken.add(label);
    servers.set(label, extracted.definition);
    inputs.push(
      ...neededInputs(server.definition, content?.inputs ?? []),
      ...extracted.secrets.map(({ input }) => input),
    );
    secrets.push(...extracted.secrets);
  }
  await saveServers(target, { servers, inputs, secrets }, store);
  await refresh();
  const [first] = servers.keys();
  if (first === undefined) return;
  if (target.kind === 'file') await showSavedServer(target.file, first);
  await reveal(first);
  void window.showInformationMessage(summary(servers.size, secrets.length));
}

function summary(servers: number, secrets: number): string {
  const moved =
    secrets === 0
      ? ''
      : ` ${countOf(secrets, 'secret')} went to the editor’s secret store, not into the configuration.`;
  return `Copied ${countOf(servers, 'server')}.${moved} Nothing starts before you start it.`;
}

async function findServers(place: ImportPlace): Promise<Found[]> {
  const found = await Promise.all(
    importCandidates(place).map(async (candidate): Promise<Found[]> => {
      try {
        const text = await readTextFile(Uri.file(candidate.path), limits.import.bytes);
        return text === undefined ? [] : [{ candidate, content: importServers(text, candidate.format) }];
      } catch {
        // A file of another program that cannot be read has nothing to offer. The person cannot do anything about it.
        return [];
      }
    }),
  );
  return found.flat().filter(({ content }) => content.servers.length > 0);
}

function toItems(found: readonly Found[]): ImportItem[] {
  return found.flatMap(({ candidate, content }): ImportItem[] => [
    { kind: QuickPickItemKind.Separator, label: candidate.client },
    ...content.servers.map((server) => ({
      label: escapeIcons(singleLine(server.label, 80)),
      description: escapeIcons(singleLine(describe(server.definition), 120)),
      detail: escapeIcons(singleLine([...placeOf(server, candidate), ...secretsOf(server)].join(' · '))),
      server,
      content,
    })),
  ]);
}

function placeOf({ project }: ImportedServer, { path }: ImportCandidate): string[] {
  return project === undefined ? [path] : [path, `project ${project}`];
}

function secretsOf({ label, definition }: ImportedServer): string[] {
  const { secrets } = extractSecrets(label, definition);
  return secrets.length === 0 ? [] : [`holds ${countOf(secrets.length, 'secret')}`];
}

function describe(definition: ServerDefinition): string {
  if (!isStdio(definition)) return definition.url;
  return [definition.command, ...(definition.args ?? [])].map(quoteArgument).join(' ');
}

function neededInputs(definition: ServerDefinition, inputs: readonly InputDefinition[]): InputDefinition[] {
  const text = JSON.stringify(definition);
  return inputs.filter(({ id }) => text.includes(`\${input:${id}}`));
}
