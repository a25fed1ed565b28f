import { rounded } from '../../base/exactIntegers.ts';
import { type JsonObject, type JsonValue, toJsonText } from '../../base/json.ts';
import type { SchemaProblem } from '../../base/schemaCheck.ts';
import { BranchMemory } from '../../forms/branchMemory.ts';
import { FormEngine } from '../../forms/formEngine.ts';
import { memberOf } from '../../forms/valueAt.ts';
import { type FieldFinding, type FlatProperty, isFormContent, isValid, missedFormat } from '../../schema/flatForm.ts';
import type { ElicitationFromPanel, FormView } from '../../shared/elicitationMessages.ts';
import { acceptButton, acceptKeys } from '../decisionGuard.ts';
import { button, element, exactText, countOf } from '../dom.ts';
import type { Note } from '../form/formParts.ts';
import { SchemaForm, type ShownProblem } from '../form/schemaForm.ts';
import type { QuestionStep } from '../questionPage.ts';
import { toSent } from '../../shared/exactMessages.ts';

/** Milliseconds without a change after which the values are checked. */
const typingPauseMs = 200;

/**
 * The step of form mode elicitation: the fields that the server asks for, with what the extension has found about their values, and
 * the buttons to decide. Neither patterns nor formats are checked on the page.
 */
export class FormStep implements QuestionStep {
  readonly element: HTMLElement;
  readonly shortcuts: QuestionStep['shortcuts'];
  readonly #id: number;
  readonly #view: FormView;
  readonly #act: (message: ElicitationFromPanel) => void;
  readonly #say: (text: string) => void;
  readonly #place = element('div');
  readonly #findings = new Map<string, FieldFinding>();
  readonly #problem = element('p', { class: 'problem', role: 'alert' });
  readonly #send = acceptButton('Send', 'send', () => this.#submit());
  readonly #refusals: readonly HTMLButtonElement[];
  #form: SchemaForm;
  #value: JsonObject;
  /** Fields that the person has changed. Those that were left since, and all once the form was sent, are checked. */
  readonly #edited = new Set<string>();
  readonly #checked = new Set<string>();
  #pause: ReturnType<typeof setTimeout> | undefined;
  #canDecide = false;
  #isSending = false;

  /** @param say tells screen readers */
  constructor(id: number, view: FormView, act: (message: ElicitationFromPanel) => void, say: (text: string) => void) {
    this.#id = id;
    this.#view = view;
    this.#act = act;
    this.#say = say;
    this.#value = this.#suggested();
    this.#form = this.#draw();
    const refuse = (): void => act({ type: 'cancel', id });
    const decline = button({ label: 'Decline', onClick: () => act({ type: 'decline', id }) });
    const cancel = button({ label: 'Cancel', title: 'Escape', onClick: refuse });
    const reset = button({ label: 'Reset', icon: 'discard', kind: 'quiet', onClick: () => this.#reset() });
    const keys = element('span', { class: 'keys', text: `${acceptKeys()} sends, Esc cancels` });
    const hasFields = this.#names.length > 0;
    const buttons = element('div', { class: 'buttons' }, this.#send, decline, cancel, hasFields && reset, keys);
    this.#refusals = [decline, cancel];
    this.element = element(
      'div',
      { class: 'step' },
      element(
        'div',
        { class: 'request' },
        exactText(view.message, 'exact question'),
        element('p', { class: 'hint', text: hasFields ? fieldsAdvice : consentAdvice }),
        hasFields && this.#place,
      ),
      element('div', { class: 'decision-bar' }, this.#problem, buttons),
    );
    this.shortcuts = { accept: () => this.#submit(), refuse, leaveField: () => cancel.focus() };
    this.#refresh();
  }

  setDecisionsEnabled(isEnabled: boolean): void {
    this.#canDecide = isEnabled;
    for (const one of this.#refusals) one.disabled = !isEnabled;
    this.#send.disabled = !isEnabled || this.#isSending;
  }

  /** @param isReturned the form was sent, but did not go to the server because a value is not valid */
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
    const form = new SchemaForm({
      engine: new FormEngine(schema),
      value: this.#value,
      memory: new BranchMemory(),
      onChange: (value) => this.#changed(value),
      emptied: (path) => (path.length > 1 ? '' : this.#emptiedText(String(path[0]))),
      onLeave: (name) => this.#left(name),
      say: this.#say,
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
      const value = rounded(memberOf(this.#value, name));
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
    const isFit = isValid(property, '') === true && missedFormat(property, '') === undefined;
    return isAnswer && isFit ? '' : undefined;
  }

  #ask(): void {
    if (isFormContent(this.#value)) this.#act({ type: 'check', id: this.#id, content: toSent(this.#value) });
  }

  #submit(): void {
    if (this.#isSending) return;
    for (const name of this.#names) this.#checked.add(name);
    const [first] = this.#countProblems();
    first?.focus();
    if (first !== undefined || !isFormContent(this.#value)) return;
    this.#setSending(true);
    this.#act({ type: 'send', id: this.#id, content: toSent(this.#value) });
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

const consentAdvice = 'It asks only for your consent. Sending means yes.';
const fieldsAdvice = 'The server gets these values only when you choose Send. Never enter passwords or keys.';
