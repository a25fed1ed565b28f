import { type FormField, type FormValue, formProblem, patternOf, type PatternFinding } from '../../base/formField.ts';
import { element, icon, uniqueId } from '../dom.ts';
import { exactText } from '../exactText.ts';
import type { AfterPress } from './afterPress.ts';
import type { FieldControl } from './control.ts';
import { createFieldControl } from './fieldControl.ts';

/** A field with its label, its description, and what is wrong with what stands in it. */
export interface FieldRow {
  readonly element: HTMLElement;
  readonly name: string;
  /** `undefined` where the field is left out. */
  readonly value: FormValue | undefined;
  /** Says what is wrong, if anything, from now on with every change. @returns whether something is */
  showProblem(): boolean;
  /** Takes what came of trying a value of this field on its pattern; for another value than stands here it is void. */
  showFinding(finding: PatternFinding): void;
  reset(): void;
  focus(): void;
}

export interface FieldRowOptions {
  /** It seems to ask for a password or a key. */
  readonly isSecret: boolean;
  readonly afterPress: AfterPress;
  /** Has a value tried on the field's pattern, which is for {@link FieldRow.showFinding} to tell about. */
  readonly tryPattern: (name: string, value: FormValue) => void;
}

/** A pattern is tried when typing pauses. */
const typingPauseMs = 200;

export function createFieldRow(field: FormField, { isSecret, afterPress, tryPattern }: FieldRowOptions): FieldRow {
  const id = uniqueId('field');
  const describedBy = ['about', 'limits', 'note', 'problem'].map((part) => `${id}-${part}`).join(' ');
  const control = createFieldControl(field, { id, describedBy, onChange: refresh });
  const note = element('p', { id: `${id}-note`, class: 'hint' });
  const problem = element('p', { id: `${id}-problem`, class: 'problem', 'aria-live': 'polite' });
  const row = rowElement(field, id, control, isSecret);
  if (control.isGroup) row.setAttribute('aria-describedby', describedBy);
  row.append(note, problem);
  let isChecked = false;
  let finding: PatternFinding | undefined;
  let typing: ReturnType<typeof setTimeout> | undefined;

  /** What is known of the value and its pattern; what is not known yet is asked for. */
  function findingOf(value: FormValue | undefined): PatternFinding | undefined {
    clearTimeout(typing);
    if (value === undefined || patternOf(field) === undefined) return undefined;
    if (finding !== undefined && isSame(finding.value, value)) return finding;
    typing = setTimeout(() => tryPattern(field.name, value), typingPauseMs);
    return undefined;
  }

  function refresh(): void {
    const value = control.read();
    const left = value === undefined && !field.isRequired ? leftOutNote(field) : '';
    let fault = isChecked ? (control.fault?.() ?? formProblem(field, value)) : undefined;
    const found = isChecked && fault === undefined ? findingOf(value) : undefined;
    fault ??= found?.problem;
    setText(note, found?.note ?? left);
    setText(problem, fault ?? '');
    control.input.setAttribute('aria-invalid', String(fault !== undefined));
  }

  function check(isWanted: boolean): void {
    isChecked = isWanted;
    refresh();
  }

  // Leaving a field that was touched checks it; one that was passed by is checked on sending.
  row.addEventListener('focusout', (event) => {
    const isLeft = !(event.relatedTarget instanceof Node && row.contains(event.relatedTarget));
    if (isLeft && control.isTouched) afterPress(() => check(true));
  });
  refresh();
  return {
    element: row,
    name: field.name,
    get value() {
      return control.read();
    },
    showProblem() {
      check(true);
      return problem.textContent !== '';
    },
    showFinding(next) {
      finding = next;
      refresh();
    },
    reset() {
      control.reset();
      check(false);
    },
    focus: () => control.input.focus(),
  };
}

function rowElement(field: FormField, id: string, control: FieldControl, isSecret: boolean): HTMLElement {
  const { description = '' } = field;
  return element(
    control.isGroup ? 'fieldset' : 'div',
    { class: 'field form-field' },
    ...labelElements(field, id, control.isGroup),
    ...(description === '' ? [] : [element('div', { id: `${id}-about`, class: 'hint' }, exactText(description))]),
    ...(isSecret ? [secretNote()] : []),
    control.element,
    ...(control.limits === '' ? [] : [element('p', { id: `${id}-limits`, class: 'hint' }, exactText(control.limits))]),
  );
}

/** What becomes of a field that is left out, where that is not plain to see. */
function leftOutNote(field: FormField): string {
  if (field.default !== undefined) return `Left empty: the server gets its default, ${JSON.stringify(field.default)}.`;
  return field.kind === 'boolean' ? 'Left as it is, nothing is sent.' : '';
}

function isSame(one: FormValue, other: FormValue): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Setting a live region anew would have it read out anew. */
function setText(target: HTMLElement, text: string): void {
  if (target.textContent !== text) target.textContent = text;
}

function labelElements(field: FormField, id: string, isGroup: boolean): HTMLElement[] {
  const name = exactText(field.title ?? field.name, 'exact inline');
  const required = field.isRequired ? [element('span', { class: 'required', text: 'required' })] : [];
  if (isGroup) return [element('legend', { class: 'field-label' }, name, ...required)];
  // A check box has its label beside it.
  if (field.kind === 'boolean') return [];
  return [
    element('div', { class: 'field-header' }, element('label', { for: id, class: 'field-label' }, name), ...required),
  ];
}

function secretNote(): HTMLElement {
  const text = 'This looks like a secret, which a server must not ask for in a form. Decline if you did not expect it.';
  return element('p', { class: 'hint note' }, icon('shield'), element('span', { text }));
}
