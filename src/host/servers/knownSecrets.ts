import type { Uri } from 'vscode';
import { joinedTexts } from '../../secrets/jsonTexts.ts';
import type { KnownSecret, KnownSecrets } from '../../secrets/knownValues.ts';
import { secretsOfPlan, secretTokens, withoutRepeated } from '../../secrets/planSecrets.ts';
import { createRedactor, type Redactor } from '../../secrets/redactor.ts';
import { prepareSecretSearch, type SecretSearch } from '../../secrets/secretSearch.ts';
import { runPaused } from '../../secrets/steps.ts';
import { createEnvFiles } from './envFiles.ts';
import type { SecretSources } from './windowSecrets.ts';

export interface KnownSecretsOptions {
  readonly sources: SecretSources;
  /** The workspace folders. */
  readonly folders: () => readonly Uri[];
  /** Lets other work run, and resolves soon: called between pieces of work of a few milliseconds. */
  readonly pause: () => Promise<void>;
}

export interface SecretCollector {
  /** Reads env files that have changed first. */
  readonly collect: () => Promise<KnownSecrets>;
  /** The same with env files as they were last read; the same list while nothing changes. */
  readonly current: () => readonly KnownSecret[];
  /** What finds those of {@link collect}. */
  readonly search: () => Promise<SecretSearch>;
  /**
   * True for a text that holds a known secret, however it is written, also split over several texts of the JSON in it; true
   * too for a text that could not be searched as a whole.
   */
  readonly holdsSecret: (text: string) => Promise<boolean>;
  /** Hides what {@link current} lists, and what looks secret. */
  readonly redact: Redactor['text'];
}

/**
 * Collects secret inputs, secret variables and settings, arguments, addresses and env files of all servers that were started,
 * tokens of sign-ins and keys of models, then the env files of the workspace folders.
 */
export function createSecretCollector({ sources, folders, pause }: KnownSecretsOptions): SecretCollector {
  const files = createEnvFiles({ folders, pause });
  let list: { readonly parts: readonly unknown[]; readonly secrets: readonly KnownSecret[] } = {
    parts: [],
    secrets: [],
  };
  let made: { readonly secrets: readonly KnownSecret[]; readonly search: SecretSearch } | undefined;
  let redactor: { readonly secrets: readonly KnownSecret[]; readonly redactor: Redactor } | undefined;

  function current(): readonly KnownSecret[] {
    const { plans, tokens, modelKeys } = sources;
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

  const collect = async (): Promise<KnownSecrets> => {
    const isWhole = await files.refresh();
    return { secrets: current(), isWhole };
  };

  async function search(): Promise<SecretSearch> {
    const { secrets } = await collect();
    if (made?.secrets !== secrets) made = { secrets, search: await runPaused(prepareSecretSearch(secrets), pause) };
    return made.search;
  }

  return {
    collect,
    current,
    search,
    async holdsSecret(text) {
      const known = await search();
      if (known.left.length > 0) return true;
      for (const part of [text, ...joinedTexts(text)]) {
        const { hits, isWhole } = await runPaused(known.search(part), pause);
        if (hits.length > 0 || !isWhole) return true;
      }
      return false;
    },
    redact(text, maximum) {
      const secrets = current();
      if (redactor?.secrets !== secrets) redactor = { secrets, redactor: createRedactor(secrets) };
      return redactor.redactor.text(text, maximum);
    },
  };
}
