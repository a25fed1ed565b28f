import type { FormField, FormValue } from '../../base/formField.ts';

/** The input of one field. */
export interface FieldControl {
  readonly element: HTMLElement;
  /** Gets the focus, and is marked as invalid. */
  readonly input: HTMLElement;
  /** There are several inputs, which need a legend instead of a label. */
  readonly isGroup: boolean;
  /** The limits of the value as a sentence; empty if there are none. */
  readonly limits: string;
  /** The person has changed the value. */
  readonly isTouched: boolean;
  /** The current value; `undefined` if the field is left out. */
  read(): FormValue | undefined;
  /** Why the input is not a value at all, as a sentence, for instance half a date. */
  fault?(): string | undefined;
  /** Restores the default. */
  reset(): void;
}

/** How a control is connected to its row. */
export interface ControlOptions {
  readonly id: string;
  readonly describedBy: string;
  readonly onChange: () => void;
}

/** Attributes that every native control of the form has. */
export function controlAttributes(field: FormField, { id, describedBy }: ControlOptions) {
  return { id, 'aria-describedby': describedBy, required: field.isRequired };
}
