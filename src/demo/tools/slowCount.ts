import { delay } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { type DemoTool, textOutcome } from './tool.ts';

const steps = {
  type: 'integer',
  title: 'Steps',
  description: 'How far to count.',
  minimum: 1,
  maximum: 100,
  default: 5,
} as const;
const intervalMs = {
  type: 'integer',
  title: 'Interval',
  description: 'Milliseconds between two steps.',
  minimum: 0,
  maximum: 10_000,
  default: 500,
} as const;

/** Shows progress and cancellation. */
export function createSlowCountTool(clock: Clock): DemoTool {
  return {
    definition: {
      name: 'slow_count',
      title: 'Count Slowly',
      description: 'Counts step by step, reports its progress and can be cancelled.',
      inputSchema: { type: 'object', properties: { steps, intervalMs } },
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    },
    async run(input, call) {
      const total = input.number('steps', steps);
      const interval = input.number('intervalMs', intervalMs);
      for (let step = 1; step <= total; step += 1) {
        await delay(clock, interval, call.signal);
        call.progress({ progress: step, total, message: `Step ${step} of ${total}` });
      }
      return textOutcome(`Counted to ${total}.`);
    },
  };
}
