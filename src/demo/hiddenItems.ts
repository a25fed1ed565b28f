import { Emitter } from '../base/event.ts';
import { type DemoTool, textResult } from './tool.ts';

/** Whether the hidden tool and the hidden prompt are listed, which they are not at first. A change causes `list_changed` for both. */
export class HiddenItems {
  readonly #didChange = new Emitter<void>();
  readonly onDidChange = this.#didChange.event;
  #isVisible = false;

  get isVisible(): boolean {
    return this.#isVisible;
  }

  setVisible(value: boolean): void {
    if (value === this.#isVisible) return;
    this.#isVisible = value;
    this.#didChange.fire();
  }
}

const lock = {
  type: 'boolean',
  title: 'Lock again',
  description: 'Takes the hidden tool and prompt away instead.',
  default: false,
} as const;

/** Changes the lists of tools and prompts during the session. */
export function createUnlockTool(hiddenItems: HiddenItems): DemoTool {
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
      hiddenItems.setVisible(!isLocking);
      return textResult(isLocking ? 'Locked.' : 'Unlocked: secret_tool and secret_prompt are listed now.');
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
    run: () => textResult('You found the hidden tool.'),
  };
}
