import process from 'node:process';
import { Worker } from 'node:worker_threads';
import type { CheckerMessage, CheckJob, Validation } from '../base/schemaCheck.ts';
import { SchemaChecker } from './schemaChecker.ts';

/*
 * The checker process, in which schemas and patterns of servers run. The parent sends one job at a time, and kills the process
 * when a job takes too long. It exits when the parent has exited.
 */

const checker = new SchemaChecker();
const state = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

/** The counter is odd while a job runs. */
function changeState(): void {
  Atomics.add(state, 0, 1);
}

/** Send errors are ignored: they mean that the parent has exited. */
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
  // Finding all problems may exceed the time limit: the first one is sent before.
  send({ type: 'result', id, validation: first, isFinal: false }, () => {
    let validation: Validation = first;
    try {
      validation = checker.checkAll(job);
    } catch {
      // Stack overflow: the first problem stays.
    }
    changeState();
    send({ type: 'result', id, validation, isFinal: true });
  });
}

/**
 * A thread that kills this process when a job has run for twice its time limit: a parent that was killed cannot do it, and a
 * busy event loop does not receive the disconnect.
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
// ajv generates code from schemas. If a schema could inject code, it would at least not reach `process`.
Reflect.deleteProperty(globalThis, 'process');
send({ type: 'ready' });
