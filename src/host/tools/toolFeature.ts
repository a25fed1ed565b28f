import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { PatchbayError } from '../../base/errors.ts';
import { isRecord, isString, type JsonObject } from '../../base/json.ts';
import type { Logger } from '../../base/logger.ts';
import type { SchemaValidator } from '../../client/validation/schemaValidator.ts';
import type { Tool } from '../../protocol/mcp/tools.ts';
import { toolDisplayName } from '../../protocol/mcp/displayName.ts';
import { type ContentChoice, contentKey, pickContent } from '../invocation/contentPicker.ts';
import { readContentTarget } from '../invocation/contentTarget.ts';
import { createRecentItems, type Storage } from '../invocation/recentItems.ts';
import type { ResultDocument } from '../results/resultDocument.ts';
import type { HostServer, ServerRegistry } from '../servers/serverRegistry.ts';
import type { ToolNode } from '../servers/serverNodes.ts';
import { createArgumentEditors } from './argumentEditors.ts';
import { createToolRunner, type WantedCall } from './toolRunner.ts';

export interface ToolsOptions {
  readonly registry: ServerRegistry;
  /** Shows a result in an editor tab. */
  readonly show: (document: ResultDocument) => void;
  /** Remembers which tools were used. */
  readonly storage: Storage;
  readonly validator: SchemaValidator;
  /** Knows its rows, which only a person's own gesture hands over. */
  readonly view: { isRow(argument: unknown): boolean };
  readonly clock: Clock;
  readonly logger: Logger;
}

/** What *Call Tool…* does. */
export interface ToolFeature extends Disposable {
  /** @param argument of the command, unchecked */
  run(argument: unknown): Promise<unknown>;
}

export function createToolFeature(options: ToolsOptions): ToolFeature {
  const { registry, storage, validator, view, clock } = options;
  const disposables = new DisposableStore();
  const recent = createRecentItems(storage, 'patchbay.recentTools');
  const editors = disposables.add(createArgumentEditors({ validator, clock }));
  const run = createToolRunner({ ...options, recent, editors });

  async function choose(): Promise<WantedCall> {
    const texts = { title: 'Call Tool', placeholder: 'Choose a tool', noun: 'tools' } as const;
    const picked = await pickContent({ ...texts, registry, choicesOf, recent, clock });
    const { host, item } = picked;
    const target = { server: host.label, name: item.name };
    return { target, caller: 'form', occurrence: occurrenceOf(item, host.server.contents.tools) };
  }

  return {
    async run(argument) {
      if (isRecord(argument) && isString(argument['document'])) {
        return run({ ...editors.read(argument['document']), caller: editors.isLink(argument) ? 'form' : 'command' });
      }
      const args = readArguments(argument);
      const target = readContentTarget(argument, 'tool');
      if (target === undefined) {
        const chosen = await choose();
        // Arguments that come with the command are none that a person has seen.
        return run(args === undefined ? chosen : { ...chosen, caller: 'command', args });
      }
      if (!view.isRow(argument)) return run({ target, caller: 'command', args, occurrence: readOccurrence(argument) });
      const { item } = argument as ToolNode;
      const tools = registry.get(target.server)?.server.contents.tools ?? [];
      return run({ target, caller: 'form', occurrence: occurrenceOf(item, tools) });
    },
    dispose: () => disposables.dispose(),
  };
}

/** @throws {PatchbayError} `invalidArguments` */
function readArguments(argument: unknown): JsonObject | undefined {
  const given = isRecord(argument) ? argument['arguments'] : undefined;
  if (given === undefined || isRecord(given)) return given as JsonObject | undefined;
  throw new PatchbayError('invalidArguments', 'The member "arguments" of the command\'s argument must be an object.');
}

/** Which one of several of that name is meant, in an argument written by hand: 0 is the first. */
function readOccurrence(argument: unknown): number {
  const given = isRecord(argument) ? argument['occurrence'] : undefined;
  return Number.isInteger(given) ? Number(given) : 0;
}

/** Which one of its name it is. */
function occurrenceOf(tool: Tool, tools: readonly Tool[]): number {
  return Math.max(0, tools.filter(({ name }) => name === tool.name).indexOf(tool));
}

function choicesOf(host: HostServer): ContentChoice<Tool>[] {
  return host.server.contents.tools.map((item) => ({
    host,
    item,
    key: contentKey(host.label, item.name),
    icon: 'tools',
    label: toolDisplayName(item),
    name: item.name,
    about: item.description,
  }));
}
