import { Emitter, type Event } from '../base/event.ts';

/** Whether the hidden tool and prompt are listed: the reason for `list_changed` of both. */
export interface Vault {
  readonly isOpen: boolean;
  setOpen(isOpen: boolean): void;
  readonly onDidChange: Event<void>;
}

export function createVault(): Vault {
  let isOpen = false;
  const didChange = new Emitter<void>();
  return {
    get isOpen() {
      return isOpen;
    },
    setOpen(value) {
      if (value === isOpen) return;
      isOpen = value;
      didChange.fire();
    },
    onDidChange: didChange.event,
  };
}
