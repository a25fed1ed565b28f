import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { PatchbayError } from '../../base/errors.ts';
import { isRecord, isString, type JsonObject } from '../../base/json.ts';
import type { Logger } from '../../base/logger.ts';
import type { SchemaValidator } from '../../client/validation/schemaValidator.ts';
import type { Tool } from '../../protocol/mcp/tools.ts';
import { toolDisplayName } from '../../protocol/mcp/displayName.ts';
import { pickContent } from '../input/contentPicker.ts';
import { type ContentChoice, contentKey } from '../input/contentRows.ts';
import { type ContentTarget, readContentTarget } from '../input/contentTarget.ts';
import { createRecentItems, type Storage } from '../input/recentItems.ts';
import type { ResultDocument } from '../panels/resultDocument.ts';
import type { HostServer, ServerRegistry } from '../serverRegistry.ts';
import { createArgumentEditors } from './argumentEditors.ts';
import { createToolApprovals } from './toolApprovals.ts';
import { createToolCaller } from './toolCaller.ts';
import { createToolRunner } from './toolRunner.ts';

export interface ToolsOptions {
  readonly registry: ServerRegistry;
  /** Shows a result in an editor tab. */
  readonly show: (document: ResultDocument) => void;
  /** Remembers which tools were used. */
  readonly storage: Storage;
  readonly validator: SchemaValidator;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** What *Call Tool…* does. */
export interface ToolCommand extends Disposable {
  /** @param argument of the command, unchecked */
  run(argument: unknown): Promise<unknown>;
}

export function createToolCommand(options: ToolsOptions): ToolCommand {
  const { registry, storage, validator, clock, logger } = options;
  const disposables = new DisposableStore();
  const recent = createRecentItems(storage, 'patchbay.recentTools');
  const editors = disposables.add(createArgumentEditors({ validator, clock }));
  const call = createToolCaller({ validator, approvals: createToolApprovals(), clock, logger });
  const run = createToolRunner({ ...options, recent, editors, call });

  async function choose(): Promise<ContentTarget> {
    const texts = { title: 'Call Tool', placeholder: 'Choose a tool', noun: 'tools' } as const;
    const picked = await pickContent({ ...texts, registry, choicesOf, recent, clock });
    return { server: picked.host.label, name: picked.item.name };
  }

  return {
    async run(argument) {
      if (isRecord(argument) && isString(argument['document'])) {
        const { target, args } = editors.read(argument['document']);
        return run(target, args);
      }
      return run(readContentTarget(argument, 'tool') ?? (await choose()), readArguments(argument));
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
