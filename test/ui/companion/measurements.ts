import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { commands, workspace } from 'vscode';
import { findExtension } from './startedServer.ts';

/**
 * A measurement in the extension host, for the benchmark. Extensions go by their ids. `watchDelay` starts and `delay` ends
 * the same one.
 */
export type Measurement =
  | { readonly what: 'activate'; readonly extension: string }
  | { readonly what: 'activationTimes'; readonly extensions: readonly string[] }
  | { readonly what: 'memory' | 'watchDelay' | 'delay' };

/** How often the report is shown until it has all rows. */
const reportAttempts = 10;
/** How often a report that is shown is read, and the milliseconds in between. */
const reportReads = 50;
const reportReadMs = 100;

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

/**
 * Reads the rows of these extensions in VS Code's report "Startup Performance". VS Code writes it when it is shown and leaves
 * out what it does not know yet, so it is shown again until it has all of them.
 */
async function activationTimes(extensions: readonly string[]): Promise<readonly ActivationTimes[]> {
  for (let attempt = 0; attempt < reportAttempts; attempt += 1) {
    await commands.executeCommand('perfview.show');
    const times = await waitForRows(extensions);
    await commands.executeCommand('workbench.action.closeActiveEditor');
    if (times !== undefined) return times;
  }
  throw new Error(`VS Code's report "Startup Performance" does not have ${extensions.join(', ')}.`);
}

/** @returns `undefined` when the report that is shown still lacks a row after a while */
async function waitForRows(extensions: readonly string[]): Promise<readonly ActivationTimes[] | undefined> {
  for (let read = 0; read < reportReads; read += 1) {
    for (const document of workspace.textDocuments) {
      const text = document.getText();
      const rows = extensions.flatMap((extension) => readRow(text, extension) ?? []);
      if (rows.length === extensions.length) return rows;
    }
    await setTimeout(reportReadMs);
  }
  return undefined;
}

function readRow(report: string, extension: string): ActivationTimes | undefined {
  const name = extension.replaceAll('.', String.raw`\.`);
  const row = new RegExp(String.raw`^\|\s*${name}\s*\|[^|]*\|\s*(\d+)\s*\|\s*(\d+)\s*\|\s*(\d+)\s*\|`, 'm');
  const found = row.exec(report);
  if (found === null) return undefined;
  const [, load, call, finish] = found;
  return { load: Number(load), call: Number(call), finish: Number(finish) };
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
