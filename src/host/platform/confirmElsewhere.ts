import { type QuickPickItem, window } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { isRecord, isString, toJsonText } from '../../base/json.ts';
import { testingAnswer } from './dialogs.ts';
import { escapeIcons, singleLine } from './displayText.ts';

/** Milliseconds in which keys may be meant for something else. */
const quietMs = 1_000;

/** Asks about commands whose arguments come from a keybinding or another extension. */
export type ConfirmElsewhere = (what: string, argument: unknown) => Promise<boolean>;

/**
 * Makes the question: a list with one row, which Enter takes after a second without typing. One is open at a time; others are
 * refused meanwhile.
 * @param isTest true only when VS Code runs extension tests: then `patchbay.testing.consent` answers, and without it yes
 */
export function createConfirmElsewhere(clock: Clock, isTest: boolean): ConfirmElsewhere {
  let isOpen = false;
  return async (what, argument) => {
    if (isTest) return testingAnswer('consent') ?? true;
    if (isOpen) return false;
    isOpen = true;
    try {
      return await ask(what, argument, clock);
    } finally {
      isOpen = false;
    }
  };
}

function ask(what: string, argument: unknown, clock: Clock): Promise<boolean> {
  return new Promise((resolve) => {
    const pick = window.createQuickPick<QuickPickItem>();
    const names = ['server', 'tool', 'prompt', 'skill', 'name', 'uri', 'uriTemplate'].flatMap((name) =>
      isRecord(argument) && isString(argument[name]) ? singleLine(argument[name], 80) : [],
    );
    let isQuiet = false;
    let pause = clock.after(0, () => {});
    const wait = (): void => {
      pause.dispose();
      isQuiet = false;
      pick.busy = true;
      pick.placeholder = 'One moment…';
      pause = clock.after(quietMs, () => {
        isQuiet = true;
        pick.busy = false;
        pick.placeholder = 'Press Enter to allow it once or Escape to cancel';
      });
    };
    let isAllowed = false;
    pick.title = 'Requested by a keyboard shortcut or another extension';
    pick.ignoreFocusOut = true;
    pick.items = [
      {
        label: `$(play) ${what}`,
        description: escapeIcons(names.join(' › ')),
        detail: escapeIcons(singleLine(toJsonText(argument, 2_000), 400)),
      },
    ];
    pick.onDidChangeValue(wait);
    pick.onDidAccept(() => {
      // A key that was meant for something else begins the second again.
      if (!isQuiet || pick.selectedItems.length === 0) return wait();
      isAllowed = true;
      pick.hide();
    });
    pick.onDidHide(() => {
      pause.dispose();
      pick.dispose();
      resolve(isAllowed);
    });
    wait();
    pick.show();
  });
}
