import type { FormField, FormValue } from '../../base/formField.ts';

/** What a person fills a field in with. */
export interface FieldControl {
  readonly element: HTMLElement;
  /** Takes the focus, and is what is marked as invalid. */
  readonly input: HTMLElement;
  /** Several inputs, which need a legend in place of a label. */
  readonly isGroup: boolean;
  /** What fits, in words; empty where everything does. */
  readonly limits: string;
  readonly isTouched: boolean;
  /** `undefined` where the field is left out. */
  read(): FormValue | undefined;
  /** What is wrong with what cannot even be read. */
  fault?(): string | undefined;
  reset(): void;
}

export interface ControlOptions {
  readonly id: string;
  readonly describedBy: string;
  readonly onChange: () => void;
}

/** What every native control of the form carries. */
export function controlAttributes(field: FormField, { id, describedBy }: ControlOptions) {
  return { id, 'aria-describedby': describedBy, required: field.isRequired };
}
