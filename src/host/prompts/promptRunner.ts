import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import type { GetPromptResult } from '../../protocol/mcp/prompts.ts';
import { displayName } from '../../protocol/mcp/displayName.ts';
import { askArguments } from '../input/askArguments.ts';
import { withCallProgress } from '../input/callProgress.ts';
import { contentKey } from '../input/contentRows.ts';
import { type ContentTarget, findServer } from '../input/contentTarget.ts';
import type { RecentItems } from '../input/recentItems.ts';
import { startServer } from '../input/startServer.ts';
import type { ServerRegistry } from '../serverRegistry.ts';
import { checkPromptArguments, type PromptCommandOptions } from './promptCommandOptions.ts';
import type { DeliverPrompt } from './promptDelivery.ts';
import { completePrompt, findPrompt, promptFields } from './promptFields.ts';

export interface PromptRunnerOptions {
  readonly registry: ServerRegistry;
  readonly recent: RecentItems;
  readonly deliver: DeliverPrompt;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Runs a prompt from start to finish: starts its server, asks for what is missing, gets the messages, sends them on.
 * @returns what the server gave
 * @throws {PatchbayError} `notFound`, `invalidArguments`; whatever server and destination throw; cancellation
 */
export type RunPrompt = (target: ContentTarget, options: PromptCommandOptions) => Promise<GetPromptResult>;

export function createPromptRunner({ registry, recent, deliver, clock, logger }: PromptRunnerOptions): RunPrompt {
  return async (target, options) => {
    const host = findServer(registry, target.server);
    await startServer(host, 'prompts', clock);
    await host.server.admit('prompts', target.name, { origin: 'person' });
    const prompt = findPrompt(host, target.name);
    checkPromptArguments(prompt, options.arguments);
    const title = displayName(prompt);
    const values = await askArguments({
      title,
      fields: promptFields(prompt),
      preset: options.arguments,
      complete: completePrompt(host.server, prompt.name),
      clock,
      logger,
    });
    recent.touch(contentKey(target.server, target.name));
    const startedAt = clock.now();
    const result = await withCallProgress({ title: `Getting the prompt ${title}`, clock }, (signal, onProgress) =>
      host.server.getPrompt(prompt.name, values, { signal, onProgress, origin: 'person' }),
    );
    const durationMs = clock.now() - startedAt;
    await deliver({ host, prompt, values, result, durationMs }, options.then);
    return result;
  };
}
