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
import { countOf, escapeIcons, notificationText, singleLine } from '../platform/displayText.ts';
import { showNewDocument } from '../platform/documents.ts';
import { readTextFile } from '../platform/readTextFile.ts';
import { configurationFileAt, filesMatching } from './configurationFiles.ts';
import { type AddServerOptions, addServers, chooseTarget, findExistingNames, type NewServer } from './saveServers.ts';

const title = 'Import MCP Servers';

/**
 * *Import MCP Servers…*: lists the servers of other clients, of the person and of the open folders, and copies the
 * chosen ones. Overwrites nothing, only reads the files of other clients, and moves secrets to the secret storage. Says of each
 * server what is left out.
 * @param place the machine on which the servers will run, and whose clients are searched
 */
export async function importFromClients(place: ImportPlace, options: AddServerOptions): Promise<void> {
  const found = await findServers(place);
  const count = found.reduce((sum, { content }) => sum + content.servers.length, 0);
  const failed = found.flatMap((file) => file.content.problems.map((problem) => ({ file, text: problem })));
  if (count === 0) {
    const looked = `Patchbay looked at: ${clientNames.join(', ')}.`;
    await showResult(`No servers were found on this machine. ${looked}`, failed.length, failed);
    return;
  }
  const known = new Set(options.labels());
  const items = found.flatMap((file): ImportItem[] => [
    ...(file.content.servers.length === 0 ? [] : [{ kind: QuickPickItemKind.Separator, label: file.client }]),
    ...file.content.servers.map((server) => toItem(server, file, known)),
  ]);
  const picked = await window.showQuickPick(items, {
    title,
    placeHolder: `Found ${countOf(count, 'server')}. Choose which to copy.${cannotBeCopied(failed.length)}`,
    canPickMany: true,
    ignoreFocusOut: true,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (picked === undefined || picked.length === 0) return;
  const target = await chooseTarget(title);
  if (target === undefined) return;
  const existing = await findExistingNames(target, options.labels());
  const servers: NewServer[] = [];
  const inputs: InputDefinition[] = [];
  const renamed: string[] = [];
  const notes: ReportLine[] = [];
  for (const { server, file } of picked) {
    if (server === undefined || file === undefined) continue;
    const label = uniqueLabel(server.label, existing.labels);
    existing.labels.add(label);
    servers.push({ label, definition: server.definition });
    const text = JSON.stringify(server.definition);
    inputs.push(...file.content.inputs.filter(({ id }) => text.includes(`\${input:${id}}`)));
    const name = label === server.label ? label : `${label} (there: ${server.label})`;
    if (label !== server.label) renamed.push(`“${server.label}” is “${label}”`);
    notes.push(...notesOf(server).map((note) => ({ file, text: `${name}: ${note}` })));
  }
  const secrets = await addServers(target, servers, inputs, existing, options);
  const [first] = servers;
  if (first !== undefined && target !== 'user') await options.open(first.label);
  if (first !== undefined) await options.reveal(first.label);
  const moved = `Saved ${countOf(secrets, 'secret')} in the editor’s secret storage, not in the configuration. `;
  const copied = `Copied ${countOf(servers.length, 'server')}. ${secrets === 0 ? '' : moved}${otherNames(renamed)}`;
  await showResult(`${copied}Servers start only when you start them.`, failed.length, [...notes, ...failed]);
}

/** @param renamed which label each server has now, in words */
function otherNames(renamed: readonly string[]): string {
  if (renamed.length === 0) return '';
  const shown = renamed.slice(0, 5).map((name) => notificationText(name));
  const more = renamed.length > shown.length ? ` and ${renamed.length - shown.length} more` : '';
  return `Renamed, because the name was taken: ${shown.join(', ')}${more}. `;
}

/** The most important first: a row has little room. */
function notesOf({ notes, needed, isOff }: ImportedServer): readonly string[] {
  const off = isOff ? ['It is disabled there. Here, like all imported servers, it starts only when you start it.'] : [];
  return [...needed, ...notes.filter((note) => !needed.includes(note)), ...off];
}

function cannotBeCopied(failed: number): string {
  return failed === 0 ? '' : ` ${countOf(failed, 'entry', 'entries')} cannot be copied.`;
}

/** What was left out of a server, or why it could not be copied. */
interface ReportLine {
  readonly file: FoundFile;
  readonly text: string;
}

async function showResult(message: string, failed: number, report: readonly ReportLine[]): Promise<void> {
  const show = 'Show What Was Left Out';
  const buttons = report.length === 0 ? [] : [show];
  const chosen = window.showInformationMessage(`${message}${cannotBeCopied(failed)}`, ...buttons);
  // Not awaited: the command is done when the servers are there.
  void chosen.then((answer) => {
    if (answer === show) return showNewDocument('patchbay-text', reportText(report), {});
    return undefined;
  });
}

/** @returns a heading, and what is said for each file of a client below its name */
function reportText(report: readonly ReportLine[]): string {
  const files = [...new Set(report.map(({ file }) => file))];
  const sections = files.map((file) => {
    const lines = report.filter((line) => line.file === file).map(({ text }) => `  ${readableText(text)}`);
    return [readableText(`${file.client}, ${file.path}`), ...lines].join('\n');
  });
  return `${['What was left out or changed while importing', ...sections].join('\n\n')}\n`;
}

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

type ImportItem = QuickPickItem & { readonly server?: ImportedServer; readonly file?: FoundFile };

/** @param known the labels of the servers that are there */
function toItem(server: ImportedServer, file: FoundFile, known: ReadonlySet<string>): ImportItem {
  const { client, path, uri } = file;
  const { label, definition, project } = server;
  const line = isStdio(definition)
    ? [definition.command, ...shownArguments(definition.command, definition.args)].map(quoteArgument).join(' ')
    : definition.url;
  const { secrets } = extractSecrets(label, definition);
  const facts = [
    `${client}: ${project === undefined ? path : `${path} · project ${project}`}`,
    ...(configurationFileAt(uri) === undefined ? [] : ['Patchbay already reads this file']),
    ...(known.has(label) ? ['this name is taken, so a number is added'] : []),
    ...(secrets.length === 0 ? [] : [`holds ${countOf(secrets.length, 'secret')}`]),
    ...notesOf(server),
  ];
  return {
    label: escapeIcons(singleLine(label, 80)),
    description: escapeIcons(singleLine(line, 120)),
    detail: escapeIcons(singleLine(facts.join(' · '), 400)),
    server,
    file,
  };
}
