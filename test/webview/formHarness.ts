/** A page with nothing but a form, for the tests: what the form is given, and all that it gives. */
import { isRecord, type JsonObject, type UnknownRecord } from '../../src/base/json.ts';
import type { SchemaProblem } from '../../src/base/schemaCheck.ts';
import { BranchMemory } from '../../src/forms/branchMemory.ts';
import type { ValuePath } from '../../src/forms/field.ts';
import { FormEngine } from '../../src/forms/formEngine.ts';
import { createSchemaForm, type SchemaForm, type ShownProblem } from '../../src/webview/form/schemaForm.ts';

/** What a test can do in the page. */
export interface FormHarness {
  /** @param hasHelp the menus of fields offer help in filling */
  mount(schema: UnknownRecord, value: JsonObject, hasHelp?: boolean): void;
  readonly value: JsonObject;
  readonly changes: readonly JsonObject[];
  readonly said: readonly string[];
  readonly fills: readonly { readonly path: ValuePath; readonly source: string }[];
  setValue(value: JsonObject): void;
  showProblems(problems: readonly SchemaProblem[]): readonly (readonly [string, string])[];
  inputProblems(): readonly (readonly [string, string])[];
  /** Follows the problem of that number: first those of the schema, then those of the input. */
  goTo(index: number): void;
  focusFirst(): void;
  /** Tells every control with a value that it has changed, which it has not. @returns how many controls there are */
  touch(): number;
  /** Shows a value in the form of a schema, and touches it. `changes` are those before. */
  passThrough(schema: UnknownRecord, given: JsonObject): PassedThrough;
}

/** What came of a value that went through a form. */
export interface PassedThrough {
  readonly changes: number;
  readonly value: JsonObject;
  readonly inputProblems: readonly (readonly [string, string])[];
}

let form: SchemaForm | undefined;
let value: JsonObject = {};
let changes: JsonObject[] = [];
let said: string[] = [];
let fills: { path: ValuePath; source: string }[] = [];
let problems: readonly ShownProblem[] = [];

const words = (shown: readonly ShownProblem[]): readonly (readonly [string, string])[] =>
  shown.map(({ label, message }) => [label, message] as const);

const harness: FormHarness = {
  mount(schema, given, hasHelp = false) {
    value = given;
    changes = [];
    said = [];
    fills = [];
    problems = [];
    form = createSchemaForm({
      engine: new FormEngine(schema),
      value: given,
      memory: new BranchMemory(),
      onChange(next) {
        value = next;
        changes.push(next);
      },
      say: (text) => void said.push(text),
      ...(hasHelp && { onFill: (path, source) => void fills.push({ path, source }) }),
    });
    const main = document.createElement('main');
    const heading = document.createElement('h1');
    heading.textContent = 'Arguments';
    main.append(heading, form.element);
    document.body.replaceChildren(main);
  },
  get value() {
    return value;
  },
  get changes() {
    return changes;
  },
  get said() {
    return said;
  },
  get fills() {
    return fills;
  },
  setValue(next) {
    value = next;
    form?.setValue(next);
  },
  showProblems(given) {
    problems = form?.showProblems(given) ?? [];
    return words(problems);
  },
  inputProblems: () => words(form?.inputProblems ?? []),
  goTo: (index) => [...problems, ...(form?.inputProblems ?? [])][index]?.focus(),
  focusFirst: () => form?.focusFirst(),
  touch() {
    const controls = [...document.querySelectorAll<HTMLElement>('input, textarea, select')];
    for (const control of controls) {
      const isAbsent = 'placeholder' in control && String(control.placeholder).startsWith('not sent');
      if (isAbsent || !control.isConnected) continue;
      const isText = !(control instanceof HTMLSelectElement) && !control.classList.contains('form-entry-name');
      control.dispatchEvent(new Event(isText ? 'input' : 'change', { bubbles: true }));
    }
    return controls.length;
  },
  passThrough(schema, given) {
    harness.mount(schema, {});
    harness.setValue(given);
    const before = changes.length;
    harness.touch();
    return { changes: before, value, inputProblems: harness.inputProblems() };
  },
};

if (isRecord(globalThis)) Object.assign(globalThis, { harness });
