import { type ArgumentSecret, secretInArgument } from '../secrets/argumentSecret.ts';
import { secretMask } from '../secrets/secretNames.ts';
import { analyzeCommandLine } from './commandLineAnalysis.ts';

/** More are no command line of a person. Each needs a name of its own. */
const maximumSecrets = 100;

/**
 * Replaces the literal secrets in the arguments of a program. A person agrees to what runs, so what may be code stays: only
 * words without signs of a shell are replaced, no paths, and nothing where that makes a difference to what runs.
 * @param replace gives the text for a secret
 */
export function replaceArgumentSecrets(
  command: string,
  args: readonly string[],
  replace: (found: ArgumentSecret) => string,
): readonly string[] {
  let left = maximumSecrets;
  const found = args.map((argument, index) => {
    const secret = left === 0 ? undefined : secretInArgument(argument, args[index - 1]);
    if (secret === undefined || !isKey(secret.secret)) return undefined;
    left -= 1;
    return secret;
  });
  if (left === maximumSecrets) return args;
  const replaced = (textOf: (secret: ArgumentSecret) => string): string[] =>
    args.map((argument, index) => {
      const secret = found[index];
      return secret === undefined ? argument : secret.lead + textOf(secret);
    });
  const whatRuns = (line: readonly string[]): string => JSON.stringify(analyzeCommandLine([command, ...line]));
  return whatRuns(args) === whatRuns(replaced(() => 'key')) ? replaced(replace) : args;
}

/** @returns the arguments for display, with dots for the secrets of {@link replaceArgumentSecrets} */
export function shownArguments(command: string, args: readonly string[] = []): readonly string[] {
  return replaceArgumentSecrets(command, args, () => secretMask);
}

function isKey(text: string): boolean {
  return /^[\w~+=.:@/?#%!*,-]{1,4000}$/.test(text) && !/^(?:\.{0,2}\/|~|[A-Za-z]:)/.test(text);
}
