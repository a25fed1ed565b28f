import type { TextDocument, Uri, WebviewPanel } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { PatchbayError } from '../../base/errors.ts';
import { isRecord, type JsonObject } from '../../base/json.ts';
import { toolDisplayName } from '../../protocol/mcp/displayName.ts';
import type { Tool } from '../../protocol/mcp/tools.ts';
import { type ContentPicker, createContentPicker, type FeatureContext } from '../invocation/contentPicker.ts';
import { ensureListed, findServer, readContentTarget } from '../invocation/contentTarget.ts';
import type { LoadedFiles } from '../platform/readOnlyFileSystem.ts';
import type { WholeValue } from '../results/wholeDocuments.ts';
import type { HostServer } from '../servers/serverRegistry.ts';
import type { ToolNode } from '../servers/serverNodes.ts';
import { registerArgumentLanguage } from './argumentLanguage.ts';
import { createToolDrafts } from './toolDrafts.ts';
import { createToolEditors, followTextEditor } from './toolEditor.ts';
import { createToolFiles } from './toolFiles.ts';
import { createToolRunner, findTool, type ToolRunnerOptions, type WantedCall } from './toolRunner.ts';

/** What {@link ToolFeature} needs of the host. */
export type ToolFeatureOptions = FeatureContext &
  Omit<ToolRunnerOptions, 'picker' | 'openForm'> & {
    readonly extensionUri: Uri;
    /** The folder for what was typed. */
    readonly folder: string;
    /** Knows its rows, which only an action of the person passes to a command. */
    readonly view: { isRow(argument: unknown): boolean };
  };

/** The commands about tools. Arguments come unchecked from VS Code. */
export interface ToolFeature extends Disposable {
  /** *Call Tool…*. The argument is a row of the tree, `{ server, tool, arguments? }` or nothing. @returns the server's result */
  call(argument: unknown): Promise<unknown>;
  /** *Open Tool…*, with the same arguments. @param isAnother opens one more tab */
  open(argument: unknown, isAnother: boolean): Promise<void>;
  /** The files of the scheme `patchbay-tool`. */
  readonly files: LoadedFiles;
  /** Fills the panel that VS Code has made for such a file. */
  resolve(document: TextDocument, panel: WebviewPanel): Promise<void>;
  /** The result in the active tab, whole. */
  readonly active: WholeValue | undefined;
}

/** Lets a person choose a tool of any server. */
function createToolPicker(options: ToolFeatureOptions): ContentPicker<Tool> {
  return createContentPicker({
    ...options,
    placeholder: 'Choose a tool',
    noun: 'tools',
    storageKey: 'patchbay.recentTools',
    itemsOf: ({ tools }) =>
      tools.map((item) => ({
        item,
        icon: 'tools',
        label: toolDisplayName(item),
        name: item.name,
        about: item.description,
      })),
  });
}

/** Loaded with the first of these commands. */
export function createToolFeature(options: ToolFeatureOptions): ToolFeature {
  const { registry, view, clock, logger, folder } = options;
  const store = new DisposableStore();
  const picker = createToolPicker(options);
  const editor = store.add(followTextEditor());
  const files = createToolFiles(createToolDrafts(folder, logger), () => clock.now());
  const editors = store.add(
    createToolEditors({
      ...options,
      files,
      lastEditor: editor.last,
      markUsed: ({ address }) => picker.markUsed({ server: address.server, name: address.tool }),
    }),
  );
  store.add(registerArgumentLanguage(editors));
  const openForm = (host: HostServer, tool: Tool, args?: JsonObject, isAnother = false): Promise<void> =>
    editors.open({
      server: host.label,
      tool,
      occurrence: occurrenceOf(tool, host.server.contents.tools),
      args,
      isAnother,
    });
  const run = createToolRunner({ ...options, picker, openForm });

  async function chosenCall(argument: unknown): Promise<WantedCall> {
    const args = readArguments(argument);
    const { host, tool } = await choose('Call Tool');
    const target = { server: host.label, name: tool.name };
    const chosen = { target, occurrence: occurrenceOf(tool, host.server.contents.tools) };
    // The person has not seen arguments that come with the command.
    return args === undefined ? { ...chosen, caller: 'form' } : { ...chosen, caller: 'command', args };
  }

  async function choose(title: string): Promise<{ readonly host: HostServer; readonly tool: Tool }> {
    const { host, item } = await picker.pick(title);
    return { host, tool: item };
  }

  return {
    async call(argument) {
      return run(givenCall(argument, options) ?? (await chosenCall(argument)));
    },
    async open(argument, isAnother) {
      const args = readArguments(argument);
      const given = readContentTarget(argument, 'tool');
      const chosen = given === undefined ? await choose('Open Tool') : undefined;
      const host = chosen?.host ?? findServer(registry, given?.server ?? '');
      await ensureListed(host, 'tools', clock);
      const row = chosen?.tool ?? (view.isRow(argument) ? (argument as ToolNode).item : undefined);
      const { tools } = host.server.contents;
      const occurrence = row === undefined ? readOccurrence(argument) : occurrenceOf(row, tools);
      return openForm(host, findTool(host, row?.name ?? given?.name ?? '', occurrence), args, isAnother);
    },
    files,
    resolve: (document, panel) => editors.resolve(document, panel),
    get active() {
      return editors.active;
    },
    dispose: () => store.dispose(),
  };
}

/** The call that a row or an argument written by hand asks for; `undefined` if it names no tool. */
function givenCall(
  argument: unknown,
  { registry, view }: Pick<ToolFeatureOptions, 'registry' | 'view'>,
): WantedCall | undefined {
  const target = readContentTarget(argument, 'tool');
  if (target === undefined) return undefined;
  if (!view.isRow(argument))
    return { target, caller: 'command', args: readArguments(argument), occurrence: readOccurrence(argument) };
  const { item } = argument as ToolNode;
  const tools = registry.get(target.server)?.server.contents.tools ?? [];
  return { target, caller: 'form', occurrence: occurrenceOf(item, tools) };
}

/** @throws {PatchbayError} `invalidArguments` */
function readArguments(argument: unknown): JsonObject | undefined {
  const given = isRecord(argument) ? argument['arguments'] : undefined;
  if (given === undefined || isRecord(given)) return given as JsonObject | undefined;
  throw new PatchbayError('invalidArguments', 'The member "arguments" of the command\'s argument must be an object.');
}

/** The index among tools of that name, in an argument written by hand; 0 by default. */
function readOccurrence(argument: unknown): number {
  const given = isRecord(argument) ? argument['occurrence'] : undefined;
  return Number.isInteger(given) ? Number(given) : 0;
}

/** The index of a tool among those of its name. */
function occurrenceOf(tool: Tool, tools: readonly Tool[]): number {
  return Math.max(0, tools.filter(({ name }) => name === tool.name).indexOf(tool));
}
