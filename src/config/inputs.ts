import { isString } from '../base/json.ts';
import type { ProblemCode, ReportProblem } from './configurationProblem.ts';
import type { TextRange } from './configuredServer.ts';
import { type JsonNode, propertyOf } from './jsonDocument.ts';
import { looksLikeSecretName } from '../secrets/secretNames.ts';

/** A value that the person enters once, and server definitions use as `${input:id}`. */
export type InputDefinition = PromptInput | PickInput | CommandInput;

interface AskedInput {
  readonly id: string;
  readonly description: string;
  readonly default: string | undefined;
}

export interface PromptInput extends AskedInput {
  readonly type: 'promptString';
  /** Hidden while typed, stored in the editor's secret storage, and masked wherever it is shown. */
  readonly password: boolean;
}

export interface PickInput extends AskedInput {
  readonly type: 'pickString';
  readonly options: readonly { readonly label: string; readonly value: string }[];
}

export interface CommandInput {
  readonly type: 'command';
  readonly id: string;
  readonly command: string;
  readonly args: unknown;
}

/** True when `value` of `input` must be masked. A default is in the file, so it is not secret. */
export function isSecretValue(input: InputDefinition, value: string): boolean {
  if (input.type === 'command') return looksLikeSecretName(input.id);
  return input.type === 'promptString' && input.password && value !== input.default;
}

/** Reads the list `inputs`. An invalid entry is reported and ignored; if an id occurs twice, the last one is used. */
export function readInputs(node: JsonNode | undefined, report: ReportProblem): InputDefinition[] {
  if (node === undefined || node.type === 'null') return [];
  if (node.type !== 'array') report('badType', 'error', '"inputs" must be a list.', node.range);
  const inputs = new Map<string, { readonly input: InputDefinition; readonly range: TextRange }>();
  for (const item of node.items) {
    const input = readInput(item, report);
    if (input === undefined) continue;
    const earlier = inputs.get(input.id);
    const message = `The input "${input.id}" is defined again further down; the last definition counts.`;
    if (earlier !== undefined) report('duplicateInput', 'warning', message, earlier.range);
    inputs.set(input.id, { input, range: item.range });
  }
  return [...inputs.values()].map(({ input }) => input);
}

function readInput(node: JsonNode, report: ReportProblem): InputDefinition | undefined {
  const valueOf = (key: string): JsonNode | undefined => propertyOf(node, key)?.value;
  const text = (key: string): string | undefined => textOf(node, key);
  const fail = (code: ProblemCode, message: string, at = node) => report(code, 'error', message, at.range);
  const id = text('id');
  if (id === undefined || id === '') return fail('badType', 'An input needs an "id", a string that is not empty.');
  const common = { id, description: text('description') ?? `Value for ${id}`, default: text('default') };
  const options = (valueOf('options')?.items ?? []).flatMap(readOption);
  const type = valueOf('type');
  const isKnown = isString(type?.value) && ['promptString', 'pickString', 'command'].includes(type.value);
  const other = text('command') === undefined ? 'promptString' : 'command';
  const meant = isKnown ? type.value : options.length > 0 ? 'pickString' : other;
  const password = text('password') ?? '';
  const hides = !['false', '0', ''].includes(password);
  // What is asked for in another way may be meant as a password.
  const isHidden = hides || (!isKnown && password !== 'false');
  if (!isKnown) {
    const message = `The input "${id}" needs a "type": "promptString", "pickString" or "command". Until then it is read as "${meant}".`;
    // With its type it would no longer be hidden without a word.
    const addition = meant === 'promptString' && isHidden && !hides ? ', "password": true' : '';
    const canAdd = addition === '' || valueOf('password') === undefined;
    const value = JSON.stringify(meant) + addition;
    const range = type?.range ?? { offset: node.range.offset + 1, length: 0 };
    const [title, written] =
      type === undefined ? [`Add "type": ${value}`, `"type": ${value}, `] : [`Change to ${value}`, value];
    const fix = { kind: 'replaceText', title, range, text: written } as const;
    report('unknownType', 'warning', message, (type ?? node).range, canAdd ? fix : undefined);
  }
  switch (meant) {
    case 'promptString':
      return { type: 'promptString', ...common, password: isHidden };
    case 'pickString': {
      if (options.length > 0) return { type: 'pickString', ...common, options };
      const needs = 'needs "options": a list of strings, or of objects with "label" and "value".';
      return fail('badType', `The input "${id}" ${needs}`, valueOf('options'));
    }
    default: {
      const command = text('command') ?? '';
      if (command !== '') return { type: 'command', id, command, args: valueOf('args')?.value };
      return fail('missingCommand', `The input "${id}" of type "command" needs a "command".`);
    }
  }
}

function readOption(item: JsonNode): PickInput['options'] {
  const text = scalarText(item);
  if (text !== undefined) return [{ label: text, value: text }];
  const value = textOf(item, 'value');
  return value === undefined ? [] : [{ label: textOf(item, 'label') ?? value, value }];
}

function textOf(node: JsonNode, key: string): string | undefined {
  const member = propertyOf(node, key)?.value;
  return member && scalarText(member);
}

/** A number or a boolean is meant as its text. */
function scalarText({ type, value, written }: JsonNode): string | undefined {
  return ['string', 'number', 'boolean'].includes(type) ? (written ?? String(value)) : undefined;
}

/** @returns the ids in the list `inputs`, including those of entries that cannot be used, which are reported there */
export function inputIds(node: JsonNode | undefined): ReadonlySet<string> {
  return new Set(node?.items.flatMap((item) => textOf(item, 'id') ?? []));
}
