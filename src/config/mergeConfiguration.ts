import { type ConfigurationProblem, createProblemList } from './configurationProblem.ts';
import type { ConfigurationSource, ConfiguredServer } from './configuredServer.ts';
import type { ParsedConfiguration } from './parseConfiguration.ts';
import type { ServerOptions } from './serverDefinition.ts';

/** A source and what was read from it. */
export interface LoadedSource {
  readonly source: ConfigurationSource;
  readonly parsed: ParsedConfiguration;
}

export interface MergedConfiguration {
  /** One for each label, in the order of the sources. */
  readonly servers: readonly ConfiguredServer[];
  /** The problems of each source, in the order of `sources`, with a note at each entry that is shadowed. */
  readonly problems: readonly (readonly ConfigurationProblem[])[];
}

/**
 * Puts all sources together. Of several servers with one label the one of the first source counts; it names the others.
 * @param sources in order of precedence
 * @param optionsOf what `patchbay.serverOptions` says of a label, for a server of this source; wins over the entry's own key by key
 */
export function mergeConfiguration(
  sources: readonly LoadedSource[],
  optionsOf: (label: string, source: ConfigurationSource) => ServerOptions | undefined,
): MergedConfiguration {
  const servers = new Map<string, ConfiguredServer>();
  const problems = sources.map(({ source, parsed }) => {
    const shadowed = createProblemList();
    for (const { label, definition, options, range } of parsed.servers) {
      const first = servers.get(label);
      if (first === undefined) {
        const merged = mergeOptions(options, optionsOf(label, source));
        servers.set(label, { label, definition, options: merged, source, range, shadows: [] });
      } else {
        servers.set(label, { ...first, shadows: [...first.shadows, source] });
        const message = `Server "${label}": this entry is not used, because ${first.source.title} defines the same name and comes first.`;
        shadowed.report({ code: 'shadowed', severity: 'information', message, range });
      }
    }
    return [...parsed.problems, ...shadowed.problems];
  });
  return { servers: [...servers.values()], problems };
}

function mergeOptions(entry: ServerOptions, setting: ServerOptions | undefined): ServerOptions {
  if (setting === undefined) return entry;
  const merged = { ...entry, ...setting };
  return entry.timeouts === undefined && setting.timeouts === undefined
    ? merged
    : { ...merged, timeouts: { ...entry.timeouts, ...setting.timeouts } };
}
