import { QuickPickItemKind, type QuickPickItem, Uri, window } from 'vscode';
import { limits } from '../../base/limits.ts';
import { extractSecrets, uniqueLabel } from '../../config/newServer.ts';
import {
  type Import,
  importCandidates,
  type ImportedServer,
  type ImportPlace,
  importServers,
} from '../../config/importServers.ts';
import type { InputDefinition } from '../../config/inputs.ts';
import { isStdio } from '../../config/serverDefinition.ts';
import { quoteArgument } from '../../base/visibleText.ts';
import { countOf, escapeIcons, singleLine } from '../platform/displayText.ts';
import { type AddServerOptions, addServers, chooseTarget, findExistingNames, type NewServer } from './saveServers.ts';
import { readTextFile } from '../platform/readTextFile.ts';

const title = 'Import MCP Servers';

/**
 * *Import From Another Client…*: lists the servers of other clients, and copies the chosen ones. Overwrites nothing, only
 * reads the files of other clients, and moves secrets to the secret storage.
 * @param place the machine on which the servers will run, and whose clients are searched
 */
export async function importFromClients(place: ImportPlace, options: AddServerOptions): Promise<void> {
  const found = await findServers(place);
  const count = found.reduce((sum, { content }) => sum + content.servers.length, 0);
  if (count === 0) {
    const clients = [...new Set(importCandidates(place).map(({ client }) => client))].join(', ');
    void window.showInformationMessage(`No servers were found on this machine. Patchbay looked at: ${clients}.`);
    return;
  }
  const items = found.flatMap(({ candidate, content }): ImportItem[] => [
    { kind: QuickPickItemKind.Separator, label: candidate.client },
    ...content.servers.map((server) => toItem(server, candidate, content)),
  ]);
  const picked = await window.showQuickPick(items, {
    title,
    placeHolder: `Found ${countOf(count, 'server')}. Choose which to copy.`,
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
  for (const { server, content } of picked) {
    if (server === undefined) continue;
    const label = uniqueLabel(server.label, existing.labels);
    existing.labels.add(label);
    servers.push({ label, definition: server.definition });
    const text = JSON.stringify(server.definition);
    inputs.push(...(content?.inputs ?? []).filter(({ id }) => text.includes(`\${input:${id}}`)));
  }
  const secrets = await addServers(target, servers, inputs, existing, options);
  const moved = `${countOf(secrets, 'secret')} went to the editor’s secret store, not into the configuration. `;
  const copied = `Copied ${countOf(servers.length, 'server')}. ${secrets === 0 ? '' : moved}`;
  void window.showInformationMessage(`${copied}Nothing starts before you start it.`);
}

type Candidate = ReturnType<typeof importCandidates>[number];

async function findServers(place: ImportPlace) {
  const found = await Promise.all(
    importCandidates(place).map(async (candidate) => {
      // A file of another program that cannot be read has nothing to offer. The person cannot do anything about it.
      const text = await readTextFile(Uri.file(candidate.path), limits.import.bytes).catch(() => undefined);
      return { candidate, content: importServers(text ?? '{}', candidate.format) };
    }),
  );
  return found.filter(({ content }) => content.servers.length > 0);
}

type ImportItem = QuickPickItem & { readonly server?: ImportedServer; readonly content?: Import };

function toItem(server: ImportedServer, { path }: Candidate, content: Import): ImportItem {
  const { label, definition, project } = server;
  const line = isStdio(definition)
    ? [definition.command, ...(definition.args ?? [])].map(quoteArgument).join(' ')
    : definition.url;
  const { secrets } = extractSecrets(label, definition);
  const place = project === undefined ? path : `${path} · project ${project}`;
  const holds = secrets.length === 0 ? '' : ` · holds ${countOf(secrets.length, 'secret')}`;
  return {
    label: escapeIcons(singleLine(label, 80)),
    description: escapeIcons(singleLine(line, 120)),
    detail: escapeIcons(singleLine(place + holds)),
    server,
    content,
  };
}
