import {
  fieldProblem,
  type FormContent,
  type FormField,
  type FormValue,
  isFormContent,
  patternOf,
  type PatternResult,
} from '../../base/formField.ts';
import { toJsonText, type JsonObject } from '../../base/json.ts';
import type { SchemaProblem } from '../../base/schemaCheck.ts';
import { BranchMemory } from '../../forms/branchMemory.ts';
import { createFormEngine } from '../../forms/formEngine.ts';
import { memberOf } from '../../forms/valueAt.ts';
import type { FormView } from '../../shared/elicitationMessages.ts';
import { acceptKeys } from '../decisionGuard.ts';
import { button, element, exactText, countOf } from '../dom.ts';
import type { Note } from '../form/formParts.ts';
import { createSchemaForm, type SchemaForm, type ShownProblem } from '../form/schemaForm.ts';
import type { QuestionStep } from '../questionPage.ts';
import { emptiedText, schemaOf, suggestedOf, suggestionOf } from './askedSchema.ts';
import { PatternFindings } from './patternFindings.ts';

/** What the person can do with a form. */
export interface FormActions {
  /** Asks the extension to check values against the patterns of their fields. */
  readonly onCheck: (content: FormContent) => void;
  readonly onSend: (content: FormContent) => void;
  readonly onDecline: () => void;
  readonly onCancel: () => void;
  /** Tells screen readers. */
  readonly say: (text: string) => void;
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
export function createFormStep(view: FormView, actions: FormActions): FormStep {
  return new AskedForm(view, actions);
}

class AskedForm implements FormStep {
  readonly element: HTMLElement;
  readonly shortcuts: FormStep['shortcuts'];
  readonly #view: FormView;
  readonly #actions: FormActions;
  readonly #place = element('div');
  readonly #findings: PatternFindings;
  readonly #problem = element('p', { class: 'problem', role: 'alert' });
  readonly #send = button({
    label: 'Send',
    icon: 'send',
    kind: 'primary',
    title: acceptKeys(),
    onClick: () => this.#submit(),
  });
  readonly #refusals: readonly HTMLButtonElement[];
  #form: SchemaForm;
  #value: JsonObject;
  /** Fields that the person has changed. Those that were left since, and all once the form was sent, are checked. */
  readonly #edited = new Set<string>();
  readonly #checked = new Set<string>();
  #canDecide = false;
  #isSending = false;

  constructor(view: FormView, actions: FormActions) {
    this.#view = view;
    this.#actions = actions;
    const { fields } = view;
    this.#value = suggestedOf(fields);
    this.#findings = new PatternFindings((name, value) => actions.onCheck({ [name]: value }));
    this.#form = this.#draw();
    const decline = button({ label: 'Decline', onClick: actions.onDecline });
    const cancel = button({ label: 'Cancel', title: 'Escape', onClick: actions.onCancel });
    const reset = button({ label: 'Reset', icon: 'discard', kind: 'quiet', onClick: () => this.#reset() });
    const keys = element('span', { class: 'keys', text: `${acceptKeys()} sends, Esc cancels` });
    const resets = fields.length === 0 ? [] : [reset];
    const buttons = element('div', { class: 'buttons' }, this.#send, decline, cancel, ...resets, keys);
    const decision = element('div', { class: 'decision-bar' }, this.#problem, buttons);
    this.#refusals = [decline, cancel];
    this.element = stepElement(view, this.#place, decision);
    this.shortcuts = {
      accept: () => this.#submit(),
      refuse: actions.onCancel,
      leaveField: () => cancel.focus(),
    };
    this.#refresh();
  }

  setDecisionsEnabled(isEnabled: boolean): void {
    this.#canDecide = isEnabled;
    for (const one of this.#refusals) one.disabled = !isEnabled;
    this.#send.disabled = !isEnabled || this.#isSending;
  }

  showFindings(findings: readonly PatternResult[], isReturned: boolean): void {
    if (isReturned) this.#setSending(false);
    for (const finding of findings) this.#findings.add(finding);
    if (isReturned) this.#goToProblem();
    else if (this.#problem.textContent === '') this.#refresh();
    else this.#countProblems();
  }

  #draw(): SchemaForm {
    const { fields } = this.#view;
    const form = createSchemaForm({
      engine: createFormEngine(schemaOf(fields)),
      value: this.#value,
      memory: new BranchMemory(),
      onChange: (value) => this.#changed(value),
      emptied: ([name, ...below]) => (below.length > 0 ? '' : emptiedText(fields.find((field) => field.name === name))),
      onLeave: (name) => this.#left(name),
      say: this.#actions.say,
    });
    this.#place.replaceChildren(form.element);
    return form;
  }

  #changed(value: JsonObject): void {
    for (const { name } of this.#view.fields)
      if (memberOf(this.#value, name) !== memberOf(value, name)) this.#edited.add(name);
    this.#value = value;
    // Each field still shows its own problem.
    this.#problem.textContent = '';
    this.#refresh();
  }

  #left(name: string): void {
    if (!this.#edited.has(name)) return;
    this.#checked.add(name);
    this.#refresh();
  }

  /** Shows what is wrong with the fields that are checked, and what is to be said of all. @returns the problems, in order */
  #refresh(): readonly SchemaProblem[] {
    const problems: SchemaProblem[] = [];
    const notes = new Map<string, readonly Note[]>();
    for (const field of this.#view.fields) {
      const { name } = field;
      const value = memberOf(this.#value, name) as FormValue | undefined;
      const fault = this.#checked.has(name) ? fieldProblem(field, value) : undefined;
      const finding = this.#checked.has(name) && fault === undefined ? this.#findings.of(field, value) : undefined;
      const message = fault ?? finding?.problem;
      if (message !== undefined) problems.push({ path: [name], message });
      const said = this.#notesOf(field, value, finding);
      if (said.length > 0) notes.set(name, said);
    }
    this.#form.showProblems(problems);
    this.#form.showNotes(notes);
    return problems;
  }

  #notesOf(field: FormField, value: FormValue | undefined, finding: PatternResult | undefined): readonly Note[] {
    const suggestion = value === undefined && !field.isRequired ? suggestionOf(field) : undefined;
    return [
      ...(this.#view.secretFields.includes(field.name) ? [secretNote] : []),
      ...(suggestion === undefined
        ? []
        : [{ text: `Left out: the server gets its default, ${toJsonText(suggestion, 200)}.` }]),
      ...(finding?.note === undefined ? [] : [{ icon: 'info', text: finding.note }]),
    ];
  }

  #submit(): void {
    if (this.#isSending || this.#goToProblem()) return;
    // Each value was found to be of its field.
    if (!isFormContent(this.#value)) return;
    this.#setSending(hasPattern(this.#view.fields));
    this.#actions.onSend(this.#value);
  }

  /** @returns the way to the problems of all fields that are checked, in order */
  #countProblems(): readonly ShownProblem[] {
    const shown = [...this.#form.inputProblems, ...this.#form.showProblems(this.#refresh())];
    const wrong = this.#view.fields.flatMap(({ name }) => shown.find(({ path }) => path[0] === name) ?? []);
    this.#problem.textContent = wrong.length === 0 ? '' : `Correct ${countOf(wrong.length, 'field')} first.`;
    return wrong;
  }

  /** Checks all fields, and moves the focus to the first that has a problem. @returns whether there is one */
  #goToProblem(): boolean {
    for (const { name } of this.#view.fields) this.#checked.add(name);
    const [first] = this.#countProblems();
    first?.focus();
    return first !== undefined;
  }

  /** While the form is being sent, it cannot be edited or sent again. */
  #setSending(isNow: boolean): void {
    this.#isSending = isNow;
    this.#form.element.inert = isNow;
    this.#send.disabled = !this.#canDecide || isNow;
  }

  #reset(): void {
    this.#problem.textContent = '';
    this.#edited.clear();
    this.#checked.clear();
    this.#value = suggestedOf(this.#view.fields);
    // A new one, since text that is no value would stay.
    this.#form = this.#draw();
    this.#refresh();
  }
}

const secretNote: Note = {
  icon: 'shield',
  text: 'This looks like a secret, which a server must not ask for in a form. Decline if you did not expect it.',
};

function stepElement({ message, fields: { length } }: FormView, form: HTMLElement, decision: HTMLElement): HTMLElement {
  const advice = element('p', { class: 'hint', text: adviceOf(length) });
  const fields = length === 0 ? [] : [form];
  const request = element('div', { class: 'request' }, exactText(message, 'exact question'), advice, ...fields);
  return element('div', { class: 'step' }, request, decision);
}

function adviceOf(fields: number): string {
  return fields === 0
    ? 'It asks for no more than your consent: sending says yes, and nothing else.'
    : 'The server gets these values when you choose Send, and nothing before. Never enter passwords or keys.';
}
