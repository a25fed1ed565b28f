import type { FormContent, FormValue } from '../../base/formField.ts';
import type { FormView } from '../../shared/elicitationMessages.ts';
import { button, counted, element } from '../dom.ts';
import { exactText } from '../exactText.ts';
import { acceptKeys } from '../shortcuts.ts';
import type { Step } from '../step.ts';
import type { AfterPress } from './afterPress.ts';
import { createFieldRow } from './fieldRow.ts';

export interface FormActions {
  readonly onSend: (content: FormContent) => void;
  readonly onDecline: () => void;
  readonly onCancel: () => void;
}

/** The fields a server asks for, with the decision under them. */
export function createFormStep(view: FormView, actions: FormActions, afterPress: AfterPress): Step {
  const rows = view.fields.map((field) =>
    createFieldRow(field, { isSecret: view.secretFields.includes(field.name), afterPress }),
  );
  const problem = element('p', { class: 'problem', role: 'alert' });
  const fields = element('div', { class: 'form' }, ...rows.map((row) => row.element));
  // Each field goes on saying what is wrong with it.
  fields.addEventListener('input', () => (problem.textContent = ''));

  function submit(): void {
    const wrong = rows.filter((row) => row.showProblem());
    problem.textContent = wrong.length === 0 ? '' : `Correct ${counted(wrong.length, 'field')} first.`;
    if (wrong[0] !== undefined) return wrong[0].focus();
    actions.onSend(contentOf(rows));
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
    element: element(
      'div',
      { class: 'step' },
      element(
        'div',
        { class: 'request' },
        exactText(view.message, 'exact question'),
        element('p', { class: 'hint', text: adviceOf(rows.length) }),
        fields,
      ),
      element('div', { class: 'decision-bar' }, problem, buttons),
    ),
    shortcuts: { accept: submit, refuse: actions.onCancel, leaveField: () => cancel.focus() },
    setArmed(isArmed) {
      for (const one of [send, decline, cancel]) one.disabled = !isArmed;
    },
  };
}

function adviceOf(fields: number): string {
  return fields === 0
    ? 'It asks for no more than your consent: sending says yes, and nothing else.'
    : 'It gets what stands here when you choose Send, and nothing before. Never enter passwords or keys.';
}

function contentOf(rows: readonly { readonly name: string; readonly value: FormValue | undefined }[]): FormContent {
  const filled: (readonly [string, FormValue])[] = [];
  for (const { name, value } of rows) if (value !== undefined) filled.push([name, value]);
  return Object.fromEntries(filled);
}
