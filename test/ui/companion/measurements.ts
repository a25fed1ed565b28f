import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { commands, type TextDocument, workspace } from 'vscode';
import { findPatchbay } from './startedServer.ts';

/** A measurement in the extension host, for the benchmark. `watchDelay` starts and `delay` ends the same one. */
export type Measurement = 'activate' | 'activationTimes' | 'memory' | 'watchDelay' | 'delay';

export async function measure(what: Measurement): Promise<unknown> {
  switch (what) {
    case 'activate':
      return findPatchbay()
        .activate()
        .then(() => undefined);
    case 'activationTimes':
      return activationTimes();
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

/** Reads the row of Patchbay in VS Code's report "Startup Performance". */
async function activationTimes(): Promise<ActivationTimes> {
  const row = /^\|\s*patchbay\.patchbay\s*\|[^|]*\|\s*(\d+)\s*\|\s*(\d+)\s*\|\s*(\d+)\s*\|/m;
  const found = untilDocument((document) => row.exec(document.getText()) ?? undefined);
  await commands.executeCommand('perfview.show');
  const [, load, call, finish] = await found;
  await commands.executeCommand('workbench.action.closeAllEditors');
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
