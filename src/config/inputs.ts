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
  if (node === undefined) return [];
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
  switch (valueOf('type')?.value) {
    case 'promptString':
      return { type: 'promptString', ...common, password: valueOf('password')?.value === true };
    case 'pickString': {
      const options = (valueOf('options')?.items ?? []).flatMap(readOption);
      if (options.length > 0) return { type: 'pickString', ...common, options };
      const needs = 'needs "options": a list of strings, or of objects with "label" and "value".';
      return fail('badType', `The input "${id}" ${needs}`, valueOf('options'));
    }
    case 'command': {
      const command = text('command') ?? '';
      if (command !== '') return { type: 'command', id, command, args: valueOf('args')?.value };
      return fail('missingCommand', `The input "${id}" of type "command" needs a "command".`);
    }
    default: {
      const message = `The input "${id}" needs a "type": "promptString", "pickString" or "command".`;
      return fail('unknownType', message, valueOf('type'));
    }
  }
}

function readOption(item: JsonNode): PickInput['options'] {
  if (isString(item.value)) return [{ label: item.value, value: item.value }];
  const value = textOf(item, 'value');
  return value === undefined ? [] : [{ label: textOf(item, 'label') ?? value, value }];
}

function textOf(node: JsonNode, key: string): string | undefined {
  const value = propertyOf(node, key)?.value.value;
  return isString(value) ? value : undefined;
}
