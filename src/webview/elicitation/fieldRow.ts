import { fieldProblem, type FormField, type FormValue, patternOf, type PatternResult } from '../../base/formField.ts';
import { element, exactText, icon, uniqueId } from '../dom.ts';
import { createFieldControl, type FieldControl } from './fieldControls.ts';
import { describeLimits } from './fieldLimits.ts';

/** A field with its label, its description and the problem of its value, if any. */
export interface FieldRow {
  readonly element: HTMLElement;
  readonly name: string;
  /** `undefined` if the field is left out. */
  readonly value: FormValue | undefined;
  /** Checks the value now and after each change, and shows the problem. @returns whether there is one */
  showProblem(): boolean;
  /** Shows the result of a pattern check, unless the value has changed since. */
  showFinding(finding: PatternResult): void;
  reset(): void;
  focus(): void;
}

/** What a row needs to know besides its field. */
export interface FieldRowOptions {
  /** The field seems to ask for a password or a key. */
  readonly isSecret: boolean;
  readonly afterPointerUp: AfterPointerUp;
  /** Asks the extension to check a value against the field's pattern; {@link FieldRow.showFinding} gets the result. */
  readonly tryPattern: (name: string, value: FormValue) => void;
}

/** Milliseconds without a change after which the pattern is checked. */
const typingPauseMs = 200;

/** Creates the row with the field's default. It shows problems only after the person has left the edited field. */
export function createFieldRow(field: FormField, { isSecret, afterPointerUp, tryPattern }: FieldRowOptions): FieldRow {
  const id = uniqueId('field');
  const describedBy = ['about', 'limits', 'note', 'problem'].map((part) => `${id}-${part}`).join(' ');
  const control = createFieldControl(field, { id, describedBy, onChange: refresh });
  const note = element('p', { id: `${id}-note`, class: 'hint' });
  const problem = element('p', { id: `${id}-problem`, class: 'problem', 'aria-live': 'polite' });
  const row = rowElement(field, id, control, isSecret);
  if (control.isGroup) row.setAttribute('aria-describedby', describedBy);
  row.append(note, problem);
  let isChecked = false;
  let finding: PatternResult | undefined;
  let typing: ReturnType<typeof setTimeout> | undefined;

  /** The result of the pattern check for `value`; if there is none yet, starts a check. */
  function findingOf(value: FormValue | undefined): PatternResult | undefined {
    clearTimeout(typing);
    if (value === undefined || patternOf(field) === undefined) return undefined;
    if (finding !== undefined && isSame(finding.value, value)) return finding;
    typing = setTimeout(() => tryPattern(field.name, value), typingPauseMs);
    return undefined;
  }

  function refresh(): void {
    const value = control.read();
    const left = value === undefined && !field.isRequired ? leftOutNote(field) : '';
    let fault = isChecked ? (control.inputProblem?.() ?? fieldProblem(field, value)) : undefined;
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

  // An edited field is checked when it loses the focus, the others when the form is sent.
  row.addEventListener('focusout', (event) => {
    const isLeft = !(event.relatedTarget instanceof Node && row.contains(event.relatedTarget));
    if (isLeft && control.isEdited) afterPointerUp(() => check(true));
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
  const limits = describeLimits(field);
  return element(
    control.isGroup ? 'fieldset' : 'div',
    { class: 'field form-field' },
    ...labelElements(field, id, control.isGroup),
    ...(description === '' ? [] : [element('div', { id: `${id}-about`, class: 'hint' }, exactText(description))]),
    ...(isSecret ? [secretNote()] : []),
    control.element,
    ...(limits === '' ? [] : [element('p', { id: `${id}-limits`, class: 'hint' }, exactText(limits))]),
  );
}

/** What the server gets for a field that is left out, if that is not obvious. */
function leftOutNote(field: FormField): string {
  if (field.default !== undefined) return `Left empty: the server gets its default, ${JSON.stringify(field.default)}.`;
  return field.kind === 'boolean' ? 'Left as it is, nothing is sent.' : '';
}

function isSame(one: FormValue, other: FormValue): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Sets the text only if it differs: screen readers would read a live region again. */
function setText(target: HTMLElement, text: string): void {
  if (target.textContent !== text) target.textContent = text;
}

function labelElements(field: FormField, id: string, isGroup: boolean): HTMLElement[] {
  const name = exactText(field.title ?? field.name, 'exact inline');
  const required = field.isRequired ? [element('span', { class: 'required', text: 'required' })] : [];
  if (isGroup) return [element('legend', { class: 'field-label' }, name, ...required)];
  // The control of a check box has its own label.
  if (field.kind === 'boolean') return [];
  return [
    element('div', { class: 'field-header' }, element('label', { for: id, class: 'field-label' }, name), ...required),
  ];
}

function secretNote(): HTMLElement {
  const text = 'This looks like a secret, which a server must not ask for in a form. Decline if you did not expect it.';
  return element('p', { class: 'hint note' }, icon('shield'), element('span', { text }));
}

/**
 * Runs a function at once, or after the pointer is released if it is down: a change of layout would make the click miss
 * its target.
 */
export type AfterPointerUp = (run: () => void) => void;

/** Listens for pointer events for as long as the page exists. Call it once. */
export function createAfterPointerUp(): AfterPointerUp {
  let isPressed = false;
  const setPressed = (event: Event): void => {
    isPressed = event.type === 'pointerdown';
  };
  for (const type of ['pointerdown', 'pointerup', 'pointercancel'])
    document.addEventListener(type, setPressed, { capture: true });
  return (run) => {
    if (!isPressed) return run();
    // The click itself comes after the end of the press.
    const later = (): void => void setTimeout(run);
    document.addEventListener('pointerup', later, { once: true });
  };
}
