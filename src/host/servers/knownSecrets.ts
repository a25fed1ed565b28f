import type { Uri } from 'vscode';
import type { LaunchPlan } from '../../base/launchPlan.ts';
import { joinedTexts } from '../../secrets/jsonTexts.ts';
import type { KnownSecret, KnownSecrets } from '../../secrets/knownValues.ts';
import { secretsOfPlan, secretTokens, withoutRepeated } from '../../secrets/planSecrets.ts';
import { createRedactor } from '../../secrets/redactor.ts';
import { prepareSecretSearch, type SecretSearch } from '../../secrets/secretSearch.ts';
import { runPaused } from '../../secrets/steps.ts';
import { createEnvFiles } from './envFiles.ts';

/** Where the secrets that this window knows come from. */
export interface SecretSources {
  /** What servers were started with, by label: the values of one server must not leave through another one either. */
  readonly plans: Map<string, LaunchPlan>;
  /** The tokens of sign-ins, by label: a new array for each new token. */
  readonly tokens: Map<string, () => readonly string[]>;
  /** The keys of models that were used, by name of the model. */
  readonly modelKeys: Map<string, string>;
}

/**
 * Collects secret inputs, secret variables and settings, arguments, addresses and env files of all servers that were started,
 * tokens of sign-ins and keys of models, then the env files of the workspace folders.
 * @param folders the workspace folders
 * @param pause lets other work run, and resolves soon: called between pieces of work of a few milliseconds
 */
export function createSecretCollector(
  { plans, tokens, modelKeys }: SecretSources,
  folders: () => readonly Uri[],
  pause: () => Promise<void>,
) {
  const files = createEnvFiles(folders, pause);
  let list = { parts: [] as readonly unknown[], secrets: [] as readonly KnownSecret[] };
  let made: { readonly secrets: readonly KnownSecret[]; readonly search: SecretSearch } | undefined;
  let redactor:
    | { readonly secrets: readonly KnownSecret[]; readonly made: ReturnType<typeof createRedactor> }
    | undefined;

  /** The secrets with env files as they were last read; the same list while nothing changes. */
  function current(): readonly KnownSecret[] {
    const ofServers = [...tokens].map(([label, read]) => ({ label, tokens: read() }));
    const parts = [
      ...plans.values(),
      ...ofServers.map((each) => each.tokens),
      ...modelKeys.values(),
      ...files.secrets(),
    ];
    if (parts.length === list.parts.length && parts.every((part, index) => part === list.parts[index])) {
      return list.secrets;
    }
    const secrets = withoutRepeated([
      ...[...plans].flatMap(([label, plan]) => secretsOfPlan(label, plan)),
      ...ofServers.flatMap((each) => secretTokens(each.label, each.tokens)),
      ...[...modelKeys].map(([name, value]) => ({ value, kind: 'secretInput' as const, what: `the key of "${name}"` })),
      ...files.secrets().flat(),
    ]);
    list = { parts, secrets };
    return secrets;
  }

  async function collect(): Promise<KnownSecrets> {
    const isWhole = await files.refresh();
    return { secrets: current(), isWhole };
  }

  async function search(): Promise<SecretSearch> {
    const { secrets } = await collect();
    // One that failed is made again.
    if (made?.secrets !== secrets) made = { secrets, search: await runPaused(prepareSecretSearch(secrets), pause) };
    return made.search;
  }

  /**
   * True for a text that holds a known secret, however it is written, also split over several texts of the JSON in it; true
   * too for a text that could not be searched as a whole.
   */
  async function holdsSecret(text: string): Promise<boolean> {
    const known = await search();
    if (known.left.length > 0) return true;
    for (const part of [text, ...joinedTexts(text)]) {
      const { hits, isWhole } = await runPaused(known.search(part), pause);
      if (hits.length > 0 || !isWhole) return true;
    }
    return false;
  }

  /** Hides what `current` lists, and what looks secret. */
  function redact(text: string, maximum?: number): string {
    const secrets = current();
    if (redactor?.secrets !== secrets) redactor = { secrets, made: createRedactor(secrets) };
    return redactor.made.text(text, maximum);
  }

  return { collect, current, search, holdsSecret, redact };
}

export type SecretCollector = ReturnType<typeof createSecretCollector>;
