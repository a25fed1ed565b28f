import { type FormField, type FormValue, patternOf, type PatternResult } from '../../base/formField.ts';

/** Milliseconds without a change after which a pattern is checked. */
const typingPauseMs = 200;

/** What the extension has found about values and the patterns of their fields, which never run on the page. */
export class PatternFindings {
  readonly #ask: (name: string, value: FormValue) => void;
  readonly #found = new Map<string, PatternResult>();
  readonly #pauses = new Map<string, ReturnType<typeof setTimeout>>();

  /** @param ask asks the extension; {@link add} gets the answer */
  constructor(ask: (name: string, value: FormValue) => void) {
    this.#ask = ask;
  }

  add(finding: PatternResult): void {
    this.#found.set(finding.name, finding);
  }

  /** What was found about this value. If there is nothing yet, asks after a pause. */
  of(field: FormField, value: FormValue | undefined): PatternResult | undefined {
    const { name } = field;
    clearTimeout(this.#pauses.get(name));
    if (value === undefined || patternOf(field) === undefined) return undefined;
    const finding = this.#found.get(name);
    if (finding !== undefined && JSON.stringify(finding.value) === JSON.stringify(value)) return finding;
    this.#pauses.set(
      name,
      setTimeout(() => this.#ask(name, value), typingPauseMs),
    );
    return undefined;
  }
}
