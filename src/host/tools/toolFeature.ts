import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { PatchbayError } from '../../base/errors.ts';
import { isRecord, isString, type JsonObject } from '../../base/json.ts';
import { toolDisplayName } from '../../protocol/mcp/displayName.ts';
import type { Tool } from '../../protocol/mcp/tools.ts';
import { createContentPicker, type FeatureContext } from '../invocation/contentPicker.ts';
import { readContentTarget } from '../invocation/contentTarget.ts';
import type { ToolNode } from '../servers/serverNodes.ts';
import { createArgumentEditors } from './argumentEditors.ts';
import { createToolRunner, type ToolRunnerOptions, type WantedCall } from './toolRunner.ts';

/** What {@link ToolFeature} needs of the host. */
export type ToolFeatureOptions = FeatureContext &
  Omit<ToolRunnerOptions, 'picker' | 'editors'> & {
    /** Knows its rows, which only an action of the person passes to a command. */
    readonly view: { isRow(argument: unknown): boolean };
  };

/** The commands about tools. Arguments come unchecked from VS Code. */
export interface ToolFeature extends Disposable {
  /** *Call Tool…*. The argument is a row of the tree, `{ server, tool, arguments? }` or nothing. @returns the server's result */
  call(argument: unknown): Promise<unknown>;
}

/** Loaded with the first of these commands. */
export function createToolFeature(options: ToolFeatureOptions): ToolFeature {
  const { registry, validator, view, clock } = options;
  const store = new DisposableStore();
  const picker = createContentPicker({
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
  const editors = store.add(createArgumentEditors({ validator, clock }));
  const run = createToolRunner({ ...options, picker, editors });

  async function choose(): Promise<WantedCall> {
    const { host, item } = await picker.pick('Call Tool');
    const target = { server: host.label, name: item.name };
    return { target, caller: 'form', occurrence: occurrenceOf(item, host.server.contents.tools) };
  }

  return {
    async call(argument) {
      if (isRecord(argument) && isString(argument['document'])) {
        return run({ ...editors.read(argument['document']), caller: editors.isLink(argument) ? 'form' : 'command' });
      }
      const args = readArguments(argument);
      const target = readContentTarget(argument, 'tool');
      if (target === undefined) {
        const chosen = await choose();
        // The person has not seen arguments that come with the command.
        return run(args === undefined ? chosen : { ...chosen, caller: 'command', args });
      }
      if (!view.isRow(argument)) return run({ target, caller: 'command', args, occurrence: readOccurrence(argument) });
      const { item } = argument as ToolNode;
      const tools = registry.get(target.server)?.server.contents.tools ?? [];
      return run({ target, caller: 'form', occurrence: occurrenceOf(item, tools) });
    },
    dispose: () => store.dispose(),
  };
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
