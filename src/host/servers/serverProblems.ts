import { type Diagnostic, languages, Range, Uri } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { Coalescer } from '../../base/coalescer.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { createLocator } from '../../config/configurationProblem.ts';
import type { ConfigurationService } from '../configuration/configurationService.ts';
import type { HostServer, ServerRegistry } from './serverRegistry.ts';

/** The problems are drawn at most once in this time. */
const intervalMs = 1_000;

export type ShownConfiguration = Pick<ConfigurationService, 'snapshot' | 'onDidChange'>;

/**
 * What is in the Problems view about servers, at their entries in their files.
 * @param diagnosticsOf those of a server, at the range of its entry
 */
export function createServerProblems(
  name: string,
  registry: Pick<ServerRegistry, 'servers'>,
  configuration: ShownConfiguration,
  clock: Clock,
  diagnosticsOf: (hostServer: HostServer, range: Range) => readonly Diagnostic[],
) {
  const store = new DisposableStore();
  const collection = store.add(languages.createDiagnosticCollection(name));
  const drawAll = (): void => {
    const all = new Map<string, Diagnostic[]>();
    for (const hostServer of registry.servers) {
      const { source, range } = hostServer.configured;
      const { uri = '' } = source;
      const text = configuration.snapshot.files.get(uri)?.text;
      if (text === undefined) continue;
      const shown = diagnosticsOf(hostServer, rangeIn(text, range));
      if (shown.length > 0) all.set(uri, [...(all.get(uri) ?? []), ...shown]);
    }
    collection.clear();
    for (const [uri, diagnostics] of all) collection.set(Uri.parse(uri), diagnostics);
  };
  const draws = store.add(new Coalescer(clock, intervalMs, drawAll));
  const draw = (): void => draws.request();
  store.add(configuration.onDidChange(draw));
  return { draw, dispose: () => store.dispose() };
}

function rangeIn(text: string, range: HostServer['configured']['range']): Range {
  const { offset, length } = range ?? { offset: 0, length: 0 };
  const placeOf = createLocator(text);
  const [start, end] = [placeOf(offset), placeOf(offset + length)];
  return new Range(start.line, start.character, end.line, end.character);
}
