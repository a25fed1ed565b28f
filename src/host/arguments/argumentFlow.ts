import { isStringArray } from '../../base/json.ts';

/** One thing to ask for. Values are texts here, whatever becomes of them. */
export interface ArgumentField {
  readonly name: string;
  /** For people; from the server, so not to be trusted with markup. */
  readonly label: string;
  readonly description?: string;
  readonly isRequired: boolean;
  /** An empty text is a value of its own, not the lack of one. */
  readonly acceptsEmpty?: boolean;
  /** The only values there are, or that a list may have. */
  readonly choices?: readonly string[];
  /** What leaving it out means, in a few words, where that is more than nothing: "null is sent". */
  readonly leftOut?: string;
  /**
   * Present where the value is a list of texts, written as JSON. Tells of one text why it cannot be in the list; the list as a
   * whole is for `check`.
   */
  readonly checkEntry?: (text: string) => string | undefined | Promise<string | undefined>;
  /** Filled in before anything is typed. */
  readonly initial?: string;
  /** @returns a sentence that says why `value` will not do */
  readonly check?: (value: string) => string | undefined | Promise<string | undefined>;
}

/** Arguments asked one after the other. A new state each time, the old one untouched. */
export interface ArgumentFlow {
  /** Values given beforehand, never asked for. */
  readonly preset: ReadonlyMap<string, string>;
  readonly fields: readonly ArgumentField[];
  /** The field to ask for now; `fields.length` when all are answered. */
  readonly index: number;
  /** `undefined`: left out on purpose. Fields after `index` keep what was answered before going back. */
  readonly answers: ReadonlyMap<string, string | undefined>;
}

export function startFlow(
  fields: readonly ArgumentField[],
  preset: Readonly<Record<string, string>> = {},
): ArgumentFlow {
  const given = new Map(Object.entries(preset));
  return { preset: given, fields: fields.filter(({ name }) => !given.has(name)), index: 0, answers: new Map() };
}

/** The field to ask for now, or `undefined` when the flow is over. */
export function currentField(flow: ArgumentFlow): ArgumentField | undefined {
  return flow.fields[flow.index];
}

/** Settles the current field and goes on. @param value `undefined` leaves the argument out */
export function answerField(flow: ArgumentFlow, value: string | undefined): ArgumentFlow {
  const field = currentField(flow);
  if (field === undefined) return flow;
  return { ...flow, index: flow.index + 1, answers: new Map(flow.answers).set(field.name, value) };
}

export function goBack(flow: ArgumentFlow): ArgumentFlow {
  return { ...flow, index: Math.max(0, flow.index - 1) };
}

/** What stands in the input before anything is typed: the earlier answer after going back, and nothing if that was to leave it out. */
export function initialValue(flow: ArgumentFlow): string {
  const field = currentField(flow);
  if (field === undefined) return '';
  return (flow.answers.has(field.name) ? flow.answers.get(field.name) : field.initial) ?? '';
}

/** Values settled before the current field. When the flow is over, all of them. */
export function settledValues(flow: ArgumentFlow): Record<string, string> {
  const settled = new Map(flow.preset);
  for (const { name } of flow.fields.slice(0, flow.index)) {
    const value = flow.answers.get(name);
    if (value !== undefined) settled.set(name, value);
  }
  return Object.fromEntries(settled);
}

/** Why `value` cannot be the answer, or `undefined` if it can. An empty text is left out or not allowed, so never checked. */
export async function checkAnswer(field: ArgumentField, value: string): Promise<string | undefined> {
  if (value === '' && field.acceptsEmpty !== true) return field.isRequired ? `${field.label} is required.` : undefined;
  const isOneOf = field.choices !== undefined && field.checkEntry === undefined;
  if (isOneOf && !field.choices.includes(value)) return 'Choose one of the values below.';
  return field.check?.(value);
}

/** The texts of a list, from the text that stands for it; `undefined` for anything else. */
export function readEntries(text: string): readonly string[] | undefined {
  try {
    const entries: unknown = JSON.parse(text);
    return isStringArray(entries) ? entries : undefined;
  } catch {
    // No JSON.
    return undefined;
  }
}
