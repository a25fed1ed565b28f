import type { FormField } from '../../base/formField.ts';
import { createBooleanControl, createChoiceControl, createChoicesControl } from './choiceControls.ts';
import type { ControlOptions, FieldControl } from './control.ts';
import { createNumberControl } from './numberControl.ts';
import { createListControl, createTextControl } from './textControl.ts';

/** Creates the native control for the kind of `field`. */
export function createFieldControl(field: FormField, options: ControlOptions): FieldControl {
  switch (field.kind) {
    case 'text':
      return createTextControl(field, options);
    case 'number':
      return createNumberControl(field, options);
    case 'boolean':
      return createBooleanControl(field, options);
    case 'choice':
      return createChoiceControl(field, options);
    case 'choices':
      return createChoicesControl(field, options);
    case 'list':
      return createListControl(field, options);
  }
}
