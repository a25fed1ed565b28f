import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { commands, type TextDocument, workspace } from 'vscode';
import { findExtension } from './startedServer.ts';

/**
 * A measurement in the extension host, for the benchmark. Extensions go by their ids. `watchDelay` starts and `delay` ends
 * the same one.
 */
export type Measurement =
  | { readonly what: 'activate'; readonly extension: string }
  | { readonly what: 'activationTimes'; readonly extensions: readonly string[] }
  | { readonly what: 'memory' | 'watchDelay' | 'delay' };

export async function measure(measurement: Measurement): Promise<unknown> {
  switch (measurement.what) {
    case 'activate':
      return findExtension(measurement.extension)
        .activate()
        .then(() => undefined);
    case 'activationTimes':
      return activationTimes(measurement.extensions);
    case 'memory':
      return memory();
    case 'watchDelay':
      return watchDelay();
    case 'delay':
      return delay();
  }
}

/** Memory that the extension host uses, in bytes. */
export interface Memory {
  readonly heap: number;
  readonly resident: number;
}

function memory(): Memory {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let round = 0; round < 4; round += 1) collect();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heap: heapUsed + external, resident: rss };
}

/** Milliseconds, as VS Code itself measured them in this window. */
export interface ActivationTimes {
  readonly load: number;
  readonly call: number;
  readonly finish: number;
}

/** Reads the rows of these extensions in VS Code's report "Startup Performance". */
async function activationTimes(extensions: readonly string[]): Promise<readonly ActivationTimes[]> {
  const found = untilDocument((document) => {
    const text = document.getText();
    const rows = extensions.flatMap((extension) => readRow(text, extension) ?? []);
    return rows.length === extensions.length ? rows : undefined;
  });
  await commands.executeCommand('perfview.show');
  const times = await found;
  await commands.executeCommand('workbench.action.closeActiveEditor');
  return times;
}

function readRow(report: string, extension: string): ActivationTimes | undefined {
  const name = extension.replaceAll('.', String.raw`\.`);
  const row = new RegExp(String.raw`^\|\s*${name}\s*\|[^|]*\|\s*(\d+)\s*\|\s*(\d+)\s*\|\s*(\d+)\s*\|`, 'm');
  const found = row.exec(report);
  if (found === null) return undefined;
  const [, load, call, finish] = found;
  return { load: Number(load), call: Number(call), finish: Number(finish) };
}

/** Resolves with the first result of `find`, called for each document that opens or changes from now on. */
function untilDocument<T>(find: (document: TextDocument) => T | undefined): Promise<T> {
  return new Promise((resolve) => {
    const look = (document: TextDocument): void => {
      const found = find(document);
      if (found === undefined) return;
      for (const subscription of subscriptions) subscription.dispose();
      resolve(found);
    };
    const subscriptions = [
      workspace.onDidOpenTextDocument(look),
      workspace.onDidChangeTextDocument(({ document }) => look(document)),
    ];
  });
}

/** How late the event loop of the extension host was, in milliseconds. */
export interface Delay {
  readonly median: number;
  readonly p99: number;
  readonly max: number;
}

const resolutionMs = 10;
let histogram: IntervalHistogram | undefined;

function watchDelay(): void {
  histogram = monitorEventLoopDelay({ resolution: resolutionMs });
  histogram.enable();
}

function delay(): Delay {
  histogram?.disable();
  // The histogram holds the time from one tick to the next.
  const late = (nanoseconds = 0): number => Math.max(0, nanoseconds / 1e6 - resolutionMs);
  return {
    median: late(histogram?.percentile(50)),
    p99: late(histogram?.percentile(99)),
    max: late(histogram?.max),
  };
}
