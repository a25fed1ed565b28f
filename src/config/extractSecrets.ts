import { inputTarget } from './inputTarget.ts';
import type { PromptInput } from './inputs.ts';
import { looksSecret } from './secretNames.ts';
import { isStdio, type ServerDefinition } from './serverDefinition.ts';
import { freeLabel } from './suggestLabel.ts';

export interface ExtractedSecrets {
  /** The definition with `${input:…}` in place of each secret. */
  readonly definition: ServerDefinition;
  readonly secrets: readonly ExtractedSecret[];
}

export interface ExtractedSecret {
  /** Of the server it was found in, and where it goes there; see `inputTarget`. */
  readonly label: string;
  readonly target: string;
  readonly input: PromptInput;
  readonly value: string;
}

/**
 * Takes the secrets that a definition holds in plain out of it, so that it can be written to a file others may read.
 * Looks at environment variables and headers whose names say "secret"; values with variables in them stay.
 * @param taken ids of inputs that are in use; the new ones are added, since two secrets of one id would be one
 */
export function extractSecrets(
  label: string,
  definition: ServerDefinition,
  taken: Set<string> = new Set(),
): ExtractedSecrets {
  const secrets: ExtractedSecret[] = [];
  const target = inputTarget(definition);
  const replace = <T>(record: Readonly<Record<string, T>>): Record<string, T | string> => {
    const entries = Object.entries(record).map(([name, value]): [string, T | string] => {
      if (typeof value !== 'string' || value === '' || value.includes('${') || !looksSecret(name)) return [name, value];
      const { text, secret } = extract(label, name, value, taken);
      taken.add(secret.input.id);
      secrets.push({ label, target, ...secret });
      return [name, text];
    });
    return Object.fromEntries(entries);
  };
  const changed = isStdio(definition)
    ? { ...definition, ...(definition.env !== undefined && { env: replace(definition.env) }) }
    : { ...definition, ...(definition.headers !== undefined && { headers: replace(definition.headers) }) };
  return { definition: changed, secrets };
}

function extract(
  label: string,
  name: string,
  value: string,
  taken: ReadonlySet<string>,
): { readonly text: string; readonly secret: Pick<ExtractedSecret, 'input' | 'value'> } {
  const id = freeLabel(`${label}-${name}`.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '-'), taken);
  // The scheme of an Authorization header is no secret, and shows what kind of secret is wanted.
  const scheme = /^(?:Bearer|Basic|Token)\s+/i.exec(value)?.[0] ?? '';
  const input: PromptInput = {
    type: 'promptString',
    id,
    description: `${name} for ${label}`,
    default: undefined,
    password: true,
  };
  return { text: `${scheme}\${input:${id}}`, secret: { input, value: value.slice(scheme.length) } };
}
