import { parseTemplate } from 'url-template';
import { messageOf, PatchbayError } from '../base/errors.ts';

export interface TemplateVariable {
  readonly name: string;
  /** It is part of the path and needs a value, unlike one in a query or a fragment. */
  readonly isRequired: boolean;
  /** Set for variables with `*`: the value is a list whose items are separated by this text. */
  readonly listSeparator: string | undefined;
}

/** Operators of RFC 6570, section 2.2, whose variables are optional. */
const optionalOperators = new Set(['?', '&', ';', '#', '.', '/']);
const variableName = /^(?:[\w.]|%[0-9A-Fa-f]{2})+$/;

/** Reads all four levels of RFC 6570. @throws {PatchbayError} `invalidMessage`, with what is wrong */
export function parseUriTemplate(template: string) {
  const variables = new Map<string, TemplateVariable>();
  for (const expression of expressionsOf(template)) {
    for (const variable of readExpression(expression, template)) {
      const known = variables.get(variable.name) ?? variable;
      variables.set(variable.name, { ...known, isRequired: known.isRequired || variable.isRequired });
    }
  }
  const parsed = parseTemplate(template);
  return {
    /** The variables without duplicates, in order of first appearance. */
    variables: [...variables.values()] as readonly TemplateVariable[],
    /** @throws {PatchbayError} `invalidArguments` when a value cannot be part of a URI */
    expand(values: Readonly<Record<string, string>>): string {
      // Without a prototype: a variable named "constructor" has no value by default.
      const context = Object.create(null) as Record<string, string | string[]>;
      for (const [name, value] of Object.entries(values)) {
        const separator = variables.get(name)?.listSeparator;
        context[name] = separator === undefined ? value : value.split(separator);
      }
      try {
        return parsed.expand(context);
      } catch (error) {
        throw new PatchbayError('invalidArguments', `A value cannot be part of a URI: ${messageOf(error)}.`, {
          cause: error,
        });
      }
    },
  };
}

/** The texts between braces. Unbalanced braces are an error (RFC 6570, section 3). */
function expressionsOf(template: string): string[] {
  const literals = template.replace(/\{[^{}]+\}/g, '');
  if (/[{}]/.test(literals)) throw badTemplate(template, 'its braces do not match or are empty');
  return [...template.matchAll(/\{([^{}]+)\}/g)].map(([, expression = '']) => expression);
}

function readExpression(expression: string, template: string): TemplateVariable[] {
  const operator = /^[+#./;?&]/.exec(expression)?.[0] ?? '';
  return expression
    .slice(operator.length)
    .split(',')
    .map((part) => {
      const [, name = '', isList] = /^(.*?)(?:(\*)|:[1-9]\d{0,3})?$/s.exec(part) ?? [];
      if (!variableName.test(name)) throw badTemplate(template, `"${part}" is not a variable`);
      return {
        name,
        isRequired: !optionalOperators.has(operator),
        listSeparator: isList === undefined ? undefined : operator === '/' ? '/' : ',',
      };
    });
}

function badTemplate(template: string, reason: string): PatchbayError {
  const message = `The server's URI template "${template.slice(0, 200)}" cannot be used: ${reason}.`;
  return new PatchbayError('invalidMessage', message);
}
