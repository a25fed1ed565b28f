import {
  type InputBox,
  type QuickInput,
  QuickInputButtons,
  type QuickPickItem,
  QuickPickItemKind,
  window,
} from 'vscode';
import { linkAbort } from '../../base/abort.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { CancelledError } from '../../base/errors.ts';
import { visibleText } from '../../base/visibleText.ts';
import { escapeIcons, notificationText, singleLine } from '../platform/displayText.ts';

/** What a person did at one question: gave a value, or went back to the question before. */
export type StepAnswer<T> = { readonly kind: 'value'; readonly value: T } | { readonly kind: 'back' };

/** Asks questions that have a way back. All texts may come from an endpoint: plain, unbounded. */
export interface StepInputs {
  /** @throws {CancelledError} when the question is dismissed; whatever `load` throws */
  choose<T>(question: ChoiceQuestion<T>): Promise<StepAnswer<T>>;
  /** @throws {CancelledError} when the question is dismissed */
  enter(question: TextQuestion): Promise<StepAnswer<string>>;
}

/** What both kinds of questions have. */
interface Question {
  readonly title: string;
  /** There is a question before this one. */
  readonly hasBack: boolean;
}

/** A question with rows. */
export interface ChoiceQuestion<T> extends Question {
  /** Said while `load` is at work. */
  readonly waiting?: string;
  /** @param signal aborted when the person goes back or dismisses the question */
  readonly load: (signal: AbortSignal) => Promise<Choices<T>> | Choices<T>;
}

/** The rows of a question. */
export interface Choices<T> {
  readonly placeholder: string;
  readonly rows: readonly Choice<T>[];
}

/** One row. */
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

/** A question for a text. */
export interface TextQuestion extends Question {
  readonly prompt: string;
  readonly placeholder?: string;
  readonly value: string;
  readonly isSecret?: boolean;
  /** @returns why the text cannot be taken, as a sentence */
  readonly check?: (text: string) => string | undefined;
}

/** The questions as quick picks and input boxes. */
export function createStepInputs(): StepInputs {
  return { choose, enter };
}

type Row<T> = QuickPickItem & { readonly choice?: Choice<T> };

function choose<T>(question: ChoiceQuestion<T>): Promise<StepAnswer<T>> {
  return ask(question, window.createQuickPick<Row<T>>(), (pick, settle, fail, store) => {
    pick.matchOnDescription = true;
    pick.matchOnDetail = true;
    pick.busy = true;
    pick.placeholder = singleLine(question.waiting ?? '', 1_000);
    const abort = linkAbort();
    store.add({ dispose: () => abort.abort(new CancelledError()) });
    store.add(
      pick.onDidAccept(() => {
        const choice = pick.selectedItems[0]?.choice;
        if (choice !== undefined) settle({ kind: 'value', value: choice.value });
      }),
    );
    const show = async (): Promise<void> => {
      const { placeholder, rows } = await question.load(abort.signal);
      if (abort.signal.aborted) return;
      pick.busy = false;
      pick.placeholder = singleLine(placeholder, 1_000);
      pick.items = rows.flatMap(toRows);
    };
    // A question that is over has its outcome already.
    show().catch(fail);
  });
}

function enter(question: TextQuestion): Promise<StepAnswer<string>> {
  const { prompt, placeholder = '', value, isSecret = false, check = () => undefined } = question;
  return ask(question, window.createInputBox(), (box, settle, _fail, store) => {
    box.prompt = notificationText(prompt, 1_000);
    box.placeholder = placeholder;
    box.value = value;
    box.password = isSecret;
    const problem = (): string | undefined => {
      const found = check(box.value.trim());
      return found === undefined ? undefined : notificationText(found, 1_000);
    };
    store.add(
      box.onDidChangeValue((text) => void (box.validationMessage = text.trim() === '' ? undefined : problem())),
    );
    store.add(
      box.onDidAccept(() => {
        box.validationMessage = problem();
        if (box.validationMessage === undefined) settle({ kind: 'value', value: box.value.trim() });
      }),
    );
  });
}

type StepInput = QuickInput & Pick<InputBox, 'buttons' | 'onDidTriggerButton'>;

/** Shows an input until it has an outcome. */
function ask<T, Input extends StepInput>(
  { title, hasBack }: Question,
  input: Input,
  setUp: (
    input: Input,
    settle: (answer: StepAnswer<T>) => void,
    fail: (error: unknown) => void,
    store: DisposableStore,
  ) => void,
): Promise<StepAnswer<T>> {
  const store = new DisposableStore();
  store.add(input);
  const answer = new Promise<StepAnswer<T>>((resolve, reject) => {
    input.title = title;
    input.ignoreFocusOut = true;
    input.buttons = hasBack ? [QuickInputButtons.Back] : [];
    store.add(input.onDidTriggerButton(() => resolve({ kind: 'back' })));
    // Settling comes first where there is an answer; only the first settlement counts.
    store.add(input.onDidHide(() => reject(new CancelledError())));
    setUp(input, resolve, reject, store);
    input.show();
  });
  return answer.finally(() => store.dispose());
}

function toRows<T>(choice: Choice<T>): Row<T>[] {
  const { label, icon, description, detail, isApart = false } = choice;
  const row: Row<T> = {
    label: icon === undefined ? shown(label, 120) : `$(${icon}) ${shown(label, 120)}`,
    ...(description !== undefined && { description: shown(description, 200) }),
    ...(detail !== undefined && { detail: shown(detail, 1_000) }),
    choice,
  };
  return isApart ? [{ label: '', kind: QuickPickItemKind.Separator }, row] : [row];
}

/** Text as it is: not as icons, in one line, with its hidden characters visible. */
function shown(text: string, maximum: number): string {
  return escapeIcons(visibleText(singleLine(text, maximum)));
}
