import type { UnknownRecord } from '../../base/json.ts';

/** An argument does not match the tool's schema; the message names it. */
export class ToolInputError extends Error {
  override readonly name = 'ToolInputError';
}

interface TextRule {
  readonly type: 'string';
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly default?: string;
}

interface NumberRule {
  readonly type: 'number' | 'integer';
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: number;
}

interface ChoiceRule<T extends string> {
  readonly type: 'string';
  readonly enum: readonly T[];
  readonly default?: T;
}

interface FlagRule {
  readonly type: 'boolean';
  readonly default: boolean;
}

/** The arguments of one call. Each is read with the part of the input schema that describes it. */
export interface ToolInput {
  text(name: string, rule: TextRule): string;
  number(name: string, rule: NumberRule): number;
  choice<T extends string>(name: string, rule: ChoiceRule<T>): T;
  flag(name: string, rule: FlagRule): boolean;
}

/** @returns functions that read an argument of `values`, and throw a {@link ToolInputError} if it is invalid */
export function createToolInput(values: UnknownRecord): ToolInput {
  return {
    text(name, rule) {
      const value = values[name] ?? rule.default;
      if (typeof value !== 'string') throw new ToolInputError(`"${name}" must be a string.`);
      const { minLength = 0, maxLength = Infinity } = rule;
      if (value.length < minLength) throw new ToolInputError(`"${name}" must have at least ${minLength} characters.`);
      if (value.length > maxLength) throw new ToolInputError(`"${name}" must have at most ${maxLength} characters.`);
      return value;
    },
    number(name, rule) {
      const value = values[name] ?? rule.default;
      const isRightKind = rule.type === 'integer' ? Number.isInteger(value) : Number.isFinite(value);
      const article = rule.type === 'integer' ? 'an integer' : 'a number';
      if (!isRightKind || typeof value !== 'number') throw new ToolInputError(`"${name}" must be ${article}.`);
      const { minimum = -Infinity, maximum = Infinity } = rule;
      if (value < minimum || value > maximum) {
        throw new ToolInputError(`"${name}" must be between ${minimum} and ${maximum}.`);
      }
      return value;
    },
    choice(name, rule) {
      const value = values[name] ?? rule.default;
      const chosen = rule.enum.find((option) => option === value);
      if (chosen === undefined) throw new ToolInputError(`"${name}" must be one of: ${rule.enum.join(', ')}.`);
      return chosen;
    },
    flag(name, rule) {
      const value = values[name] ?? rule.default;
      if (typeof value !== 'boolean') throw new ToolInputError(`"${name}" must be true or false.`);
      return value;
    },
  };
}
