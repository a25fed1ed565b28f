import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import type { Prompt } from '../../protocol/mcp/prompts.ts';
import { displayName } from '../../protocol/mcp/displayName.ts';
import { type ContentChoice, contentKey, pickContent } from '../invocation/contentPicker.ts';
import { type ContentTarget, findServer, readContentTarget } from '../invocation/contentTarget.ts';
import { createRecentItems, type Storage } from '../invocation/recentItems.ts';
import type { ResultDocument } from '../results/resultDocument.ts';
import type { HostServer, ServerRegistry } from '../servers/serverRegistry.ts';
import { copyKeybinding } from './copyKeybinding.ts';
import { readPromptCommandOptions } from './promptCommandOptions.ts';
import { type AskModel, createPromptDelivery } from './promptDelivery.ts';
import { createPromptRunner, findPrompt, type RunPrompt } from './promptRunner.ts';

export interface PromptsOptions {
  readonly registry: ServerRegistry;
  /** Shows a result in an editor tab. */
  readonly show: (document: ResultDocument) => void;
  readonly askModel: AskModel;
  /** Remembers which prompts were used. */
  readonly storage: Storage;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** What the commands about prompts do. Arguments come unchecked from VS Code. */
export interface PromptFeature {
  /** A prompt of its own command. */
  runTarget(target: ContentTarget, argument: unknown): Promise<unknown>;
  /** *Run Prompt…*, with a row of the tree, `{ server, prompt }` or nothing. */
  run(argument: unknown): Promise<unknown>;
  copyKeybinding(argument: unknown): Promise<void>;
}

export function createPromptFeature(options: PromptsOptions): PromptFeature {
  const { registry, clock, logger } = options;
  const recent = createRecentItems(options.storage, 'patchbay.recentPrompts');
  const deliver = createPromptDelivery({
    ...options,
    runAgain: async ({ host, prompt }) => {
      await run({ server: host.label, name: prompt.name }, readPromptCommandOptions(undefined));
    },
  });
  const run: RunPrompt = createPromptRunner({ registry, recent, deliver, clock, logger });

  async function choose(title: string): Promise<ContentTarget> {
    const placeholder = 'Choose a prompt';
    const picked = await pickContent({ title, placeholder, noun: 'prompts', registry, choicesOf, recent, clock });
    return { server: picked.host.label, name: picked.item.name };
  }

  return {
    runTarget: async (target, argument) => run(target, readPromptCommandOptions(argument)),
    async run(argument) {
      const target = readContentTarget(argument, 'prompt');
      // A row of the tree has more members than a keybinding; these two are read where they are.
      return run(target ?? (await choose('Run Prompt')), readPromptCommandOptions(argument));
    },
    async copyKeybinding(argument) {
      const target = readContentTarget(argument, 'prompt') ?? (await choose('Copy Keybinding of Prompt'));
      const host = findServer(registry, target.server);
      await copyKeybinding(host, findPrompt(host, target.name), { clock, logger });
    },
  };
}

function choicesOf(host: HostServer): ContentChoice<Prompt>[] {
  return host.server.contents.prompts.map((item) => ({
    host,
    item,
    key: contentKey(host.label, item.name),
    icon: 'comment-discussion',
    label: displayName(item),
    name: item.name,
    about: item.description,
  }));
}
