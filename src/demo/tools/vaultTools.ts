import type { Vault } from '../vault.ts';
import { type DemoTool, textOutcome } from './tool.ts';

const lock = {
  type: 'boolean',
  title: 'Lock again',
  description: 'Takes the hidden tool and prompt away instead.',
  default: false,
} as const;

/** Changes the lists of tools and prompts during the session. */
export function createUnlockTool(vault: Vault): DemoTool {
  return {
    definition: {
      name: 'unlock',
      title: 'Unlock the Hidden Tool',
      description: 'Makes secret_tool and secret_prompt appear, or disappear again.',
      inputSchema: { type: 'object', properties: { lock } },
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
    run(input) {
      const isLocking = input.flag('lock', lock);
      vault.setOpen(!isLocking);
      return textOutcome(isLocking ? 'Locked.' : 'Unlocked: secret_tool and secret_prompt are listed now.');
    },
  };
}

/** The tool that is listed only after `unlock` has run. */
export function createSecretTool(): DemoTool {
  return {
    definition: {
      name: 'secret_tool',
      title: 'Secret Tool',
      description: 'Only listed once unlock has run.',
      inputSchema: { type: 'object' },
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    },
    run: () => textOutcome('You found the hidden tool.'),
  };
}
