import { type ConfigurationProblem, createProblemList } from './configurationProblem.ts';
import type { ConfigurationSource, ConfiguredServer } from './configuredServer.ts';
import { describeWithheld, effectiveOptions, type OptionSettings } from './effectiveOptions.ts';
import type { ParsedConfiguration } from './parseConfiguration.ts';

/** A source and what was read from it. */
export interface LoadedSource {
  readonly source: ConfigurationSource;
  readonly parsed: ParsedConfiguration;
}

export interface MergedConfiguration {
  /** One for each label, in the order of the sources. */
  readonly servers: readonly ConfiguredServer[];
  /** The problems of each source, in the order of `sources`, with a note at each entry that is shadowed or goes without options. */
  readonly problems: readonly (readonly ConfigurationProblem[])[];
}

/**
 * Puts all sources together. Of several servers with one label the one of the first source counts; it names the others.
 * @param sources in order of precedence
 */
export function mergeConfiguration(sources: readonly LoadedSource[], settings: OptionSettings): MergedConfiguration {
  const servers = new Map<string, ConfiguredServer>();
  const problems = sources.map(({ source, parsed }) => {
    const found = createProblemList();
    for (const entry of parsed.servers) {
      const { label, definition, range } = entry;
      const first = servers.get(label);
      if (first === undefined) {
        const { withheld, ...effective } = effectiveOptions(entry, source, settings);
        servers.set(label, { label, definition, ...effective, withheld, source, range, shadows: [] });
        if (withheld !== undefined) {
          const message = `Server "${label}": ${describeWithheld(withheld)}`;
          found.report({ code: 'optionsWithheld', severity: 'warning', message, range });
        }
      } else {
        servers.set(label, { ...first, shadows: [...first.shadows, source] });
        const message = `Server "${label}": this entry is not used, because ${first.source.title} defines the same name and comes first.`;
        found.report({ code: 'shadowed', severity: 'information', message, range });
      }
    }
    return [...parsed.problems, ...found.problems];
  });
  return { servers: [...servers.values()], problems };
}
