import {
  type InputBox,
  type QuickInput,
  QuickInputButtons,
  type QuickPickItem,
  QuickPickItemKind,
  window,
} from 'vscode';
import { CancelledError } from '../../base/errors.ts';
import { visibleText } from '../../base/visibleText.ts';
import { escapeIcons, notificationText, singleLine } from '../platform/displayText.ts';

interface Question {
  readonly title: string;
  /** There is no question before this one. */
  readonly isFirst?: boolean;
}

export interface ChoiceQuestion<T> extends Question {
  /** Shown until `load` has the rows. */
  readonly waiting?: string;
  /** @param signal aborted when the person goes back or dismisses the question */
  readonly load: (signal: AbortSignal) => Promise<Choices<T>> | Choices<T>;
}

export interface Choices<T> {
  readonly placeholder: string;
  readonly rows: readonly Choice<T>[];
}

export interface Choice<T> {
  readonly label: string;
  /** The id of a product icon of VS Code. */
  readonly icon?: string;
  readonly description?: string;
  readonly detail?: string;
  /** A separator comes before the row. */
  readonly isApart?: boolean;
  readonly value: T;
}

export interface TextQuestion extends Question {
  readonly prompt: string;
  readonly placeholder?: string;
  readonly value: string;
  readonly isSecret?: boolean;
  /** @returns why the text cannot be taken, as a sentence */
  readonly check?: (text: string) => string | undefined;
}

/** Asks questions that have a way back: `undefined` when the person goes back. All texts may come from an endpoint, unbounded. */
export const stepInputs = { choose, enter };

export type StepInputs = typeof stepInputs;

type Row<T> = QuickPickItem & { readonly value?: T };

/** @throws {CancelledError} when the question is dismissed; whatever `load` throws */
async function choose<T>(question: ChoiceQuestion<T>): Promise<T | undefined> {
  const pick = window.createQuickPick<Row<T>>();
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.busy = true;
  pick.placeholder = singleLine(question.waiting ?? '', 1_000);
  const abort = new AbortController();
  const { signal } = abort;
  const show = async (): Promise<void> => {
    const { placeholder, rows } = await question.load(signal);
    if (signal.aborted) return;
    pick.busy = false;
    pick.placeholder = singleLine(placeholder, 1_000);
    pick.items = rows.flatMap(toRows);
  };
  try {
    return await ask(question, pick, () => pick.selectedItems[0]?.value, show());
  } finally {
    abort.abort(new CancelledError());
  }
}

/** @throws {CancelledError} when the question is dismissed */
function enter(question: TextQuestion): Promise<string | undefined> {
  const { prompt, placeholder = '', value, isSecret = false, check = () => undefined } = question;
  const box = window.createInputBox();
  box.prompt = notificationText(prompt, 1_000);
  box.placeholder = placeholder;
  box.value = value;
  box.password = isSecret;
  const problem = (): string | undefined => {
    const found = check(box.value.trim());
    return found === undefined ? undefined : notificationText(found, 1_000);
  };
  box.onDidChangeValue((text) => void (box.validationMessage = text.trim() === '' ? undefined : problem()));
  return ask(question, box, () => {
    box.validationMessage = problem();
    return box.validationMessage === undefined ? box.value.trim() : undefined;
  });
}

type StepInput = QuickInput & Pick<InputBox, 'buttons' | 'onDidTriggerButton' | 'onDidAccept'>;

/**
 * Shows an input until it has an outcome.
 * @param accepted gives the answer; `undefined` leaves the question open
 * @param work fails the question when it fails
 */
async function ask<T>(
  { title, isFirst = false }: Question,
  input: StepInput,
  accepted: () => T | undefined,
  work?: Promise<void>,
): Promise<T | undefined> {
  input.title = title;
  input.ignoreFocusOut = true;
  input.buttons = isFirst ? [] : [QuickInputButtons.Back];
  const answer = new Promise<T | undefined>((resolve, reject) => {
    input.onDidTriggerButton(() => resolve(undefined));
    input.onDidAccept(() => {
      const value = accepted();
      if (value !== undefined) resolve(value);
    });
    input.onDidHide(() => reject(new CancelledError()));
    work?.catch(reject);
    input.show();
  });
  return answer.finally(() => input.dispose());
}

function toRows<T>({ label, icon, description, detail, isApart = false, value }: Choice<T>): Row<T>[] {
  const row: Row<T> = {
    label: icon === undefined ? shown(label, 120) : `$(${icon}) ${shown(label, 120)}`,
    ...(description !== undefined && { description: shown(description, 200) }),
    ...(detail !== undefined && { detail: shown(detail, 1_000) }),
    value,
  };
  return isApart ? [{ label: '', kind: QuickPickItemKind.Separator }, row] : [row];
}

/** Text as it is: not as icons, in one line, with its hidden characters visible. */
function shown(text: string, maximum: number): string {
  return escapeIcons(visibleText(singleLine(text, maximum)));
}
