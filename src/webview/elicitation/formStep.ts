import {
  type FormContent,
  type FormField,
  type FormValue,
  patternOf,
  type PatternResult,
} from '../../base/formField.ts';
import type { FormView } from '../../shared/elicitationMessages.ts';
import { acceptKeys } from '../decisionGuard.ts';
import { button, element, exactText, countOf } from '../dom.ts';
import type { QuestionStep } from '../questionPage.ts';
import { type AfterPointerUp, createFieldRow, type FieldRow } from './fieldRow.ts';

/** What the person can do with a form. */
export interface FormActions {
  /** Asks the extension to check values against the patterns of their fields. */
  readonly onCheck: (content: FormContent) => void;
  readonly onSend: (content: FormContent) => void;
  readonly onDecline: () => void;
  readonly onCancel: () => void;
}

/** The form, with the results of pattern checks. */
export interface FormStep extends QuestionStep {
  /**
   * Shows the results of a pattern check.
   * @param isReturned the form was sent, but did not go to the server because a value does not match its pattern
   */
  showFindings(findings: readonly PatternResult[], isReturned: boolean): void;
}

/** Whether the extension must check the form before it goes to the server, which takes time. */
export function hasPattern(fields: readonly FormField[]): boolean {
  return fields.some((field) => patternOf(field) !== undefined);
}

/** The step of form mode elicitation: the fields that the server asks for, and the buttons to decide. */
export function createFormStep(view: FormView, actions: FormActions, afterPointerUp: AfterPointerUp): FormStep {
  const tryPattern = (name: string, value: FormValue): void => actions.onCheck({ [name]: value });
  const rows = view.fields.map((field) =>
    createFieldRow(field, { isSecret: view.secretFields.includes(field.name), afterPointerUp, tryPattern }),
  );
  let canDecide = false;
  let isSending = false;
  const problem = element('p', { class: 'problem', role: 'alert' });
  const fields = element('div', { class: 'form' }, ...rows.map((row) => row.element));
  // Each field still shows its own problem.
  fields.addEventListener('input', () => (problem.textContent = ''));

  /** Shows the problems of all rows. @returns the first row that has one */
  function showProblems(): FieldRow | undefined {
    const wrong = rows.filter((row) => row.showProblem());
    problem.textContent = wrong.length === 0 ? '' : `Correct ${countOf(wrong.length, 'field')} first.`;
    return wrong[0];
  }

  function submit(): void {
    if (isSending) return;
    const wrong = showProblems();
    if (wrong !== undefined) return wrong.focus();
    setSending(hasPattern(view.fields));
    actions.onSend(contentOf(rows));
  }

  /** While the form is being sent, it cannot be edited or sent again. */
  function setSending(isNow: boolean): void {
    isSending = isNow;
    fields.inert = isNow;
    send.disabled = !canDecide || isNow;
  }

  function reset(): void {
    problem.textContent = '';
    for (const row of rows) row.reset();
  }

  const send = button({ label: 'Send', icon: 'send', kind: 'primary', title: acceptKeys(), onClick: submit });
  const decline = button({ label: 'Decline', onClick: actions.onDecline });
  const cancel = button({ label: 'Cancel', title: 'Escape', onClick: actions.onCancel });
  const resets = rows.length === 0 ? [] : [button({ label: 'Reset', icon: 'discard', kind: 'quiet', onClick: reset })];
  const keys = element('span', { class: 'keys', text: `${acceptKeys()} sends, Esc cancels` });
  const buttons = element('div', { class: 'buttons' }, send, decline, cancel, ...resets, keys);
  return {
    element: stepElement(view, fields, element('div', { class: 'decision-bar' }, problem, buttons)),
    shortcuts: { accept: submit, refuse: actions.onCancel, leaveField: () => cancel.focus() },
    setDecisionsEnabled(isEnabled) {
      canDecide = isEnabled;
      for (const one of [decline, cancel]) one.disabled = !canDecide;
      send.disabled = !canDecide || isSending;
    },
    showFindings(findings, isReturned) {
      if (isReturned) setSending(false);
      for (const finding of findings) rows.find(({ name }) => name === finding.name)?.showFinding(finding);
      if (isReturned) showProblems()?.focus();
      else if (problem.textContent !== '') showProblems();
    },
  };
}

function stepElement(
  { message, fields: { length } }: FormView,
  fields: HTMLElement,
  decision: HTMLElement,
): HTMLElement {
  const advice = element('p', { class: 'hint', text: adviceOf(length) });
  const request = element('div', { class: 'request' }, exactText(message, 'exact question'), advice, fields);
  return element('div', { class: 'step' }, request, decision);
}

function adviceOf(fields: number): string {
  return fields === 0
    ? 'It asks for no more than your consent: sending says yes, and nothing else.'
    : 'The server gets these values when you choose Send, and nothing before. Never enter passwords or keys.';
}

function contentOf(rows: readonly { readonly name: string; readonly value: FormValue | undefined }[]): FormContent {
  const filled: (readonly [string, FormValue])[] = [];
  for (const { name, value } of rows) if (value !== undefined) filled.push([name, value]);
  return Object.fromEntries(filled);
}
