import { isString } from '../base/json.ts';
import type { ConfigurationProblem, ReportProblem } from './configurationProblem.ts';
import type { TextRange } from './configuredServer.ts';
import { type JsonNode, propertyOf } from './jsonDocument.ts';
import { looksLikeSecretName } from '../secrets/secretNames.ts';

/** A value that the person enters once, and server definitions use as `${input:id}`. */
export type InputDefinition = PromptInput | PickInput | CommandInput;

export interface PromptInput {
  readonly type: 'promptString';
  readonly id: string;
  readonly description: string;
  readonly default: string | undefined;
  /** Hidden while typed, stored in the editor's secret storage, and masked wherever it is shown. */
  readonly password: boolean;
}

export interface PickInput {
  readonly type: 'pickString';
  readonly id: string;
  readonly description: string;
  readonly default: string | undefined;
  readonly options: readonly PickOption[];
}

export interface PickOption {
  readonly label: string;
  readonly value: string;
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
  if (node.type !== 'array') {
    report(problem('badType', '"inputs" must be a list.', node.range));
    return [];
  }
  const inputs = new Map<string, { readonly input: InputDefinition; readonly range: TextRange }>();
  for (const item of node.items) {
    const input = readInput(item, report);
    if (input === undefined) continue;
    const earlier = inputs.get(input.id);
    if (earlier !== undefined) {
      const message = `The input "${input.id}" is defined again further down; the last definition counts.`;
      report(problem('duplicateInput', message, earlier.range, 'warning'));
    }
    inputs.set(input.id, { input, range: item.range });
  }
  return [...inputs.values()].map(({ input }) => input);
}

function readInput(node: JsonNode, report: ReportProblem): InputDefinition | undefined {
  const id = text(node, 'id');
  const type = propertyOf(node, 'type');
  if (id === undefined || id === '') {
    report(problem('badType', 'An input needs an "id", a string that is not empty.', node.range));
    return undefined;
  }
  const description = text(node, 'description') ?? `Value for ${id}`;
  const initial = text(node, 'default');
  switch (type?.value.value) {
    case 'promptString':
      return {
        type: 'promptString',
        id,
        description,
        default: initial,
        password: propertyOf(node, 'password')?.value.value === true,
      };
    case 'pickString':
      return readPick(
        node,
        { type: 'pickString', id, description, default: initial, options: readOptions(node) },
        report,
      );
    case 'command':
      return readCommand(node, id, report);
    default: {
      const message = `The input "${id}" needs a "type": "promptString", "pickString" or "command".`;
      report(problem('unknownType', message, type?.value.range ?? node.range));
      return undefined;
    }
  }
}

function readPick(node: JsonNode, input: PickInput, report: ReportProblem): PickInput | undefined {
  if (input.options.length > 0) return input;
  const message = `The input "${input.id}" needs "options": a list of strings, or of objects with "label" and "value".`;
  report(problem('badType', message, propertyOf(node, 'options')?.value.range ?? node.range));
  return undefined;
}

function readOptions(node: JsonNode): PickOption[] {
  const items = propertyOf(node, 'options')?.value.items ?? [];
  return items.flatMap((item) => {
    if (isString(item.value)) return [{ label: item.value, value: item.value }];
    const value = text(item, 'value');
    return value === undefined ? [] : [{ label: text(item, 'label') ?? value, value }];
  });
}

function readCommand(node: JsonNode, id: string, report: ReportProblem): CommandInput | undefined {
  const command = text(node, 'command');
  if (command !== undefined && command !== '') {
    return { type: 'command', id, command, args: propertyOf(node, 'args')?.value.value };
  }
  report(problem('missingCommand', `The input "${id}" of type "command" needs a "command".`, node.range));
  return undefined;
}

function text(node: JsonNode, key: string): string | undefined {
  const value = propertyOf(node, key)?.value.value;
  return isString(value) ? value : undefined;
}

function problem(
  code: ConfigurationProblem['code'],
  message: string,
  range: TextRange,
  severity: ConfigurationProblem['severity'] = 'error',
): ConfigurationProblem {
  return { code, severity, message, range };
}
