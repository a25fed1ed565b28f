import { toJsonText, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { SchemaProblem } from '../../base/schemaCheck.ts';
import { BranchMemory } from '../../forms/branchMemory.ts';
import { FormEngine } from '../../forms/formEngine.ts';
import { memberOf } from '../../forms/valueAt.ts';
import {
  type FieldFinding,
  type FlatProperty,
  type FormContent,
  isFormContent,
  isValid,
} from '../../schema/flatForm.ts';
import type { FormView } from '../../shared/elicitationMessages.ts';
import { acceptKeys } from '../decisionGuard.ts';
import { button, element, exactText, countOf } from '../dom.ts';
import type { Note } from '../form/formParts.ts';
import { createSchemaForm, type SchemaForm, type ShownProblem } from '../form/schemaForm.ts';
import type { QuestionStep } from '../questionPage.ts';

/** Milliseconds without a change after which the values are checked. */
const typingPauseMs = 200;

/** What the person can do with a form. */
export interface FormActions {
  /** Asks the extension to check the values. */
  readonly onCheck: (content: FormContent) => void;
  readonly onSend: (content: FormContent) => void;
  readonly onDecline: () => void;
  readonly onCancel: () => void;
  /** Tells screen readers. */
  readonly say: (text: string) => void;
}

/** The form, with what the extension has found about its values: neither patterns nor formats are checked on the page. */
export interface FormStep extends QuestionStep {
  /** @param isReturned the form was sent, but did not go to the server because a value is not valid */
  showFindings(findings: readonly FieldFinding[], isReturned: boolean): void;
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
  readonly #findings = new Map<string, FieldFinding>();
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
  #pause: ReturnType<typeof setTimeout> | undefined;
  #canDecide = false;
  #isSending = false;

  constructor(view: FormView, actions: FormActions) {
    this.#view = view;
    this.#actions = actions;
    this.#value = this.#suggested();
    this.#form = this.#draw();
    const decline = button({ label: 'Decline', onClick: actions.onDecline });
    const cancel = button({ label: 'Cancel', title: 'Escape', onClick: actions.onCancel });
    const reset = button({ label: 'Reset', icon: 'discard', kind: 'quiet', onClick: () => this.#reset() });
    const keys = element('span', { class: 'keys', text: `${acceptKeys()} sends, Esc cancels` });
    const resets = this.#names.length === 0 ? [] : [reset];
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

  showFindings(findings: readonly FieldFinding[], isReturned: boolean): void {
    for (const finding of findings) this.#findings.set(finding.name, finding);
    if (isReturned) this.#setSending(false);
    if (isReturned) this.#countProblems()[0]?.focus();
    else if (this.#problem.textContent === '') this.#refresh();
    else this.#countProblems();
  }

  get #names(): readonly string[] {
    return Object.keys(this.#view.schema.properties);
  }

  /** The values that the server suggests (2025-11-25, Client Features / Elicitation). */
  #suggested(): JsonObject {
    const presets = Object.entries(this.#view.schema.properties).map(([name, property]) => [name, property.default]);
    return Object.fromEntries(presets.filter(([, preset]) => preset !== undefined)) as JsonObject;
  }

  #draw(): SchemaForm {
    const { schema } = this.#view;
    const form = createSchemaForm({
      engine: new FormEngine(schema),
      value: this.#value,
      memory: new BranchMemory(),
      onChange: (value) => this.#changed(value),
      emptied: (path) => (path.length > 1 ? '' : this.#emptiedText(String(path[0]))),
      onLeave: (name) => this.#left(name),
      say: this.#actions.say,
    });
    this.#place.replaceChildren(form.element);
    return form;
  }

  #changed(value: JsonObject): void {
    for (const name of this.#names) if (memberOf(this.#value, name) !== memberOf(value, name)) this.#edited.add(name);
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
    let isComplete = true;
    for (const [name, property] of Object.entries(this.#view.schema.properties)) {
      const value = memberOf(this.#value, name);
      const finding = this.#checked.has(name) ? this.#findingOf(name, value) : undefined;
      isComplete &&= finding !== undefined || !this.#checked.has(name);
      problems.push(...(finding?.problems ?? []));
      const said = [
        ...(this.#view.secretFields.includes(name) ? [secretNote] : []),
        ...(value === undefined ? this.#leftOut(name, property) : []),
        ...(finding?.note === undefined ? [] : [{ icon: 'info', text: finding.note }]),
      ];
      if (said.length > 0) notes.set(name, said);
    }
    this.#form.showProblems(problems);
    this.#form.showNotes(notes);
    clearTimeout(this.#pause);
    if (!isComplete) this.#pause = setTimeout(() => this.#ask(), typingPauseMs);
    return problems;
  }

  /** What was found about this value, if it was checked. */
  #findingOf(name: string, value: JsonValue | undefined): FieldFinding | undefined {
    const finding = this.#findings.get(name);
    return finding !== undefined && JSON.stringify(finding.value) === JSON.stringify(value) ? finding : undefined;
  }

  #leftOut(name: string, { default: preset }: FlatProperty): readonly Note[] {
    if (preset === undefined || this.#view.schema.required.includes(name)) return [];
    return [{ text: `Left out: the server gets its default, ${toJsonText(preset, 200)}.` }];
  }

  /**
   * What an emptied text means: that it is left out, since people who empty a field mean that. Where the server would then use
   * its suggestion, it is the empty text, if that is certainly valid.
   */
  #emptiedText(name: string): '' | undefined {
    const { properties, required } = this.#view.schema;
    const property = properties[name];
    if (property?.type !== 'string') return '';
    const isAnswer = !required.includes(name) && property.default !== undefined;
    return isAnswer && isValid(property, '') === true ? '' : undefined;
  }

  #ask(): void {
    if (isFormContent(this.#value)) this.#actions.onCheck(this.#value);
  }

  #submit(): void {
    if (this.#isSending) return;
    for (const name of this.#names) this.#checked.add(name);
    const [first] = this.#countProblems();
    first?.focus();
    if (first !== undefined || !isFormContent(this.#value)) return;
    this.#setSending(true);
    this.#actions.onSend(this.#value);
  }

  /** @returns the way to the problems of all fields that are checked, in order */
  #countProblems(): readonly ShownProblem[] {
    const shown = [...this.#form.inputProblems, ...this.#form.showProblems(this.#refresh())];
    const wrong = this.#names.flatMap((name) => shown.find(({ path }) => path[0] === name) ?? []);
    this.#problem.textContent = wrong.length === 0 ? '' : `Correct ${countOf(wrong.length, 'field')} first.`;
    return wrong;
  }

  /** While the form is being sent, it cannot be edited or sent again. */
  #setSending(isNow: boolean): void {
    this.#isSending = isNow;
    clearTimeout(this.#pause);
    this.#form.element.inert = isNow;
    this.#send.disabled = !this.#canDecide || isNow;
  }

  #reset(): void {
    this.#problem.textContent = '';
    this.#edited.clear();
    this.#checked.clear();
    this.#value = this.#suggested();
    // A new one, since text that is no value would stay.
    this.#form = this.#draw();
    this.#refresh();
  }
}

const secretNote: Note = {
  icon: 'shield',
  text: 'This looks like a secret, which a server must not ask for in a form. Decline if you did not expect it.',
};

function stepElement({ message, schema }: FormView, form: HTMLElement, decision: HTMLElement): HTMLElement {
  const { length } = Object.keys(schema.properties);
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
