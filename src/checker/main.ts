import process from 'node:process';
import { Worker } from 'node:worker_threads';
import type { CheckerMessage, CheckJob } from '../base/schemaCheck.ts';
import { createSchemaChecker } from './schemaChecker.ts';

/*
 * The process in which schemas and patterns of servers run. Its parent sends one job at a time, and ends it when one
 * takes too long; it ends by itself when the parent is gone.
 */

const checker = createSchemaChecker();
const state = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

/** Odd while a job runs. */
function changeState(): void {
  Atomics.add(state, 0, 1);
}

/** What the parent does not read any more is of no interest. */
function send(message: CheckerMessage, then: () => void = () => {}): void {
  process.send?.(message, undefined, undefined, then);
}

function runJob(job: CheckJob): void {
  const { id } = job;
  changeState();
  const first = checker.checkFirst(job);
  if (first.kind !== 'invalid' || job.firstOnly) {
    changeState();
    return send({ type: 'result', id, validation: first, isFinal: true });
  }
  // Looking for the others may take longer than there is time: the first one goes ahead.
  send({ type: 'result', id, validation: first, isFinal: false }, () => {
    const validation = tryOrElse(() => checker.checkAll(job), first);
    changeState();
    send({ type: 'result', id, validation, isFinal: true });
  });
}

function tryOrElse<T>(attempt: () => T, fallback: T): T {
  try {
    return attempt();
  } catch {
    // The stack was used up on the way.
    return fallback;
  }
}

/**
 * A thread that ends this process when a job is still the same after twice the time it had: a parent that was killed
 * cannot, and a busy loop does not hear that it is gone.
 */
const watch = `
  const { workerData: { state, milliseconds } } = require('node:worker_threads');
  let last = 0;
  setInterval(() => {
    const now = Atomics.load(state, 0);
    if (now % 2 !== 0 && now === last) process.kill(process.pid, 'SIGKILL');
    last = now;
  }, milliseconds);
`;

const milliseconds = 2 * Number(process.argv[2]);
new Worker(watch, { eval: true, workerData: { state, milliseconds }, env: {}, execArgv: [] }).unref();

process.on('disconnect', () => process.exit());
process.on('message', (job) => runJob(job as CheckJob));
// ajv makes code of schemas. Should a schema ever slip some of its own in, there is little for it to reach.
Reflect.deleteProperty(globalThis, 'process');
send({ type: 'ready' });
