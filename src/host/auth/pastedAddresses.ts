import { window } from 'vscode';
import { type Disposable, toDisposable } from '../../base/disposable.ts';

/** Sign-ins that take the address a browser ended at from the person, where it cannot come back by itself. */
export interface PastedAddresses {
  /** @param name of the server; `arrived` is called at most once */
  expect(name: string, arrived: (url: URL) => void): Disposable;
  /** Asks for the address. */
  ask(): Promise<void>;
}

export function createPastedAddresses(): PastedAddresses {
  const waiting = new Set<{ readonly name: string; readonly arrived: (url: URL) => void }>();
  return {
    expect(name, arrived) {
      const entry = { name, arrived };
      waiting.add(entry);
      return toDisposable(() => waiting.delete(entry));
    },
    async ask() {
      const entry = [...waiting].at(-1);
      if (entry === undefined) {
        await window.showInformationMessage('No sign-in waits for an address.');
        return;
      }
      const text = await window.showInputBox({
        title: `Sign in to “${entry.name}”`,
        prompt: 'Paste the address your browser ended at. It is used for this sign-in only.',
        ignoreFocusOut: true,
        password: true,
        validateInput: (value) => (value === '' || readAnswer(value) !== undefined ? undefined : noAnswer),
      });
      const url = readAnswer(text ?? '');
      // Meanwhile it may have come by itself, or be over.
      if (url !== undefined && waiting.delete(entry)) entry.arrived(url);
    },
  };
}

const noAnswer = 'That is not the whole address the sign-in ended at: it holds "state=" and "code=", or "error=".';

function readAnswer(text: string): URL | undefined {
  const trimmed = text.trim();
  if (!URL.canParse(trimmed)) return undefined;
  const url = new URL(trimmed);
  const has = (name: string): boolean => url.searchParams.has(name);
  return has('state') && (has('code') || has('error')) ? url : undefined;
}
