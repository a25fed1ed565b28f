import { Emitter, type Event } from '../base/event.ts';

/** Whether the hidden tool and the hidden prompt are listed; a change causes `list_changed` for both. */
export interface Vault {
  readonly isOpen: boolean;
  setOpen(isOpen: boolean): void;
  readonly onDidChange: Event<void>;
}

/** They are not listed at first. */
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
