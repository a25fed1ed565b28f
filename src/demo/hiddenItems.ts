import { Emitter, type Event } from '../base/event.ts';
import { type DemoTool, textResult } from './tool.ts';

/** Whether the hidden tool and the hidden prompt are listed; a change causes `list_changed` for both. */
export interface HiddenItems {
  readonly isVisible: boolean;
  setVisible(isVisible: boolean): void;
  readonly onDidChange: Event<void>;
}

/** They are not listed at first. */
export function createHiddenItems(): HiddenItems {
  let isVisible = false;
  const didChange = new Emitter<void>();
  return {
    get isVisible() {
      return isVisible;
    },
    setVisible(value) {
      if (value === isVisible) return;
      isVisible = value;
      didChange.fire();
    },
    onDidChange: didChange.event,
  };
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
