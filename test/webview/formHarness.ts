/** A page with nothing but a form, for the tests: what the form is given, and all that it gives. */
import { isRecord, type JsonObject, type UnknownRecord } from '../../src/base/json.ts';
import type { SchemaProblem } from '../../src/base/schemaCheck.ts';
import { BranchMemory } from '../../src/forms/branchMemory.ts';
import type { ValuePath } from '../../src/forms/field.ts';
import { FormEngine } from '../../src/forms/formEngine.ts';
import { SchemaForm, type ShownProblem } from '../../src/webview/form/schemaForm.ts';

/** What came of a value that went through a form. */
export interface PassedThrough {
  readonly changes: number;
  readonly value: JsonObject;
  readonly inputProblems: readonly string[];
}

let form: SchemaForm | undefined;
let value: JsonObject = {};
let changes: JsonObject[] = [];
let said: string[] = [];
let fills: { path: ValuePath; source: string }[] = [];
let problems: readonly ShownProblem[] = [];

const words = (shown: readonly ShownProblem[]): readonly string[] => shown.map(({ sentence }) => sentence);

/** What a test can do in the page. */
export type FormHarness = typeof harness;

const harness = {
  /** @param hasHelp the menus of fields offer help in filling */
  mount(schema: UnknownRecord, given: JsonObject, hasHelp = false): void {
    value = given;
    changes = [];
    said = [];
    fills = [];
    problems = [];
    form = new SchemaForm({
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
  get value(): JsonObject {
    return value;
  },
  get changes(): readonly JsonObject[] {
    return changes;
  },
  get said(): readonly string[] {
    return said;
  },
  get fills(): typeof fills {
    return fills;
  },
  setValue(next: JsonObject): void {
    value = next;
    form?.setValue(next);
  },
  showProblems(given: readonly SchemaProblem[]): ReturnType<typeof words> {
    problems = form?.showProblems(given) ?? [];
    return words(problems);
  },
  inputProblems: (): ReturnType<typeof words> => words(form?.inputProblems ?? []),
  /** Follows the problem of that number: first those of the schema, then those of the input. */
  goTo: (index: number): void => [...problems, ...(form?.inputProblems ?? [])][index]?.focus(),
  focusProblem: (): void => form?.focusProblem(),
  focusFirst: (): void => void form?.focusFirst(),
  /** Tells every control with a value that it has changed, which it has not. @returns how many controls there are */
  touch(): number {
    const controls = [
      ...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>(
        'input, textarea, select',
      ),
    ];
    for (const control of controls) {
      const isAbsent = 'placeholder' in control && control.value === '' && control.placeholder !== 'empty text';
      if (isAbsent || !control.isConnected) continue;
      const isText = !(control instanceof HTMLSelectElement) && !control.classList.contains('form-entry-name');
      control.dispatchEvent(new Event(isText ? 'input' : 'change', { bubbles: true }));
    }
    return controls.length;
  },
  /** Shows a value in the form of a schema, and touches it. `changes` are those before. */
  passThrough(schema: UnknownRecord, given: JsonObject): PassedThrough {
    harness.mount(schema, {});
    harness.setValue(given);
    const before = changes.length;
    harness.touch();
    return { changes: before, value, inputProblems: harness.inputProblems() };
  },
};

if (isRecord(globalThis)) Object.assign(globalThis, { harness });
