import { describe, expect, it } from 'vitest';
import { Emitter } from '../../../../src/base/event.ts';
import type { CheckJob, Validation } from '../../../../src/base/schemaCheck.ts';
import type { CheckerProcess, ProcessEnd } from '../../../../src/client/validation/checkerClient.ts';
import { QueuedValidator } from '../../../../src/client/validation/schemaValidator.ts';
import { createManualClock, settle } from '../../../fixtures/manualClock.ts';

const valid: Validation = { kind: 'valid' };
const notStarted = 'the process that checks could not be started';

/** A checker process whose answers the test gives. */
function createProcess() {
  const messages = new Emitter<unknown>();
  const exits = new Emitter<ProcessEnd>();
  const jobs: CheckJob[] = [];
  const keeps: boolean[] = [];
  let isKilled = false;
  const process: CheckerProcess = {
    post: (job) => void jobs.push(job),
    onMessage: messages.event,
    onExit: exits.event,
    keepAlive: (isWanted) => void keeps.push(isWanted),
    kill: () => void (isKilled = true),
  };
  return {
    process,
    jobs,
    keeps,
    get isKilled() {
      return isKilled;
    },
    say: async (message: unknown) => {
      messages.fire(message);
      await settle();
    },
    answer: async (validation: Validation = valid, isFinal = true) => {
      messages.fire({ type: 'result', id: jobs.at(-1)?.id, validation, isFinal });
      await settle();
    },
    exit: async (end: Partial<ProcessEnd>) => {
      exits.fire({ code: null, signal: null, ...end });
      await settle();
    },
  };
}

function setUp() {
  const clock = createManualClock();
  const processes: ReturnType<typeof createProcess>[] = [];
  let failure: Error | undefined;
  const validator = new QueuedValidator({
    clock,
    milliseconds: () => 1_000,
    startChecker() {
      if (failure !== undefined) throw failure;
      const created = createProcess();
      processes.push(created);
      return created.process;
    },
  });
  const outcomes: string[] = [];
  /** A check that needs the process, identified by `name`. */
  function check(server: string, name: string, schema: object = { pattern: name }): void {
    void Promise.resolve(validator.validate(server, { ...schema }, name)).then((validation) => {
      const detail = validation.kind === 'unsupported' ? validation.reason : validation.kind;
      outcomes.push(`${name}: ${detail}`);
    });
  }
  const processAt = (index: number) => processes[index] ?? expect.unreachable(`There is no process ${index}.`);
  return {
    clock,
    validator,
    processes,
    outcomes,
    check,
    processAt,
    fail: (error: Error | undefined) => void (failure = error),
    /** Starts a check in a process that is ready. */
    begin: async (name = 'a') => {
      check('server', name);
      await settle();
      const process = processAt(processes.length - 1);
      await process.say({ type: 'ready' });
      return process;
    },
  };
}

describe('what is checked in the process', () => {
  it('starts none for what is plainly valid', async () => {
    const { validator, processes } = setUp();
    expect(await validator.validate('server', { type: 'string' }, 'x')).toEqual(valid);
    expect(processes).toHaveLength(0);
  });

  it('goes there one after the other, the schema once, and keeps this process only meanwhile', async () => {
    const { validator, processAt } = setUp();
    const schema = { pattern: 'x' };
    const checks = [validator.validate('s', schema, 'x'), validator.validate('s', schema, 'y')];
    await settle();
    const process = processAt(0);
    await process.say({ type: 'ready' });
    expect(process.jobs).toHaveLength(1);
    await process.answer();
    await process.answer({ kind: 'invalid', problems: [] });
    expect(process.jobs).toEqual([
      { id: 1, key: 1, schema, value: 'x', firstOnly: false },
      { id: 2, key: 1, value: 'y', firstOnly: false },
    ]);
    expect([await checks[0], await checks[1]]).toEqual([valid, { kind: 'invalid', problems: [] }]);
    expect(process.keeps.at(-1)).toBe(false);
  });

  it('lets servers take turns', async () => {
    const { check, outcomes, begin } = setUp();
    const process = await begin('a1');
    for (const name of ['a2', 'a3']) check('server', name);
    check('other', 'b1');
    for (let turn = 0; turn < 4; turn += 1) await process.answer();
    expect(outcomes).toEqual(['a1: valid', 'b1: valid', 'a2: valid', 'a3: valid']);
  });

  it('ends a process without work after a while', async () => {
    const { clock, begin } = setUp();
    const process = await begin();
    await process.answer();
    await clock.advance(59_000);
    expect(process.isKilled).toBe(false);
    await clock.advance(1_000);
    expect(process.isKilled).toBe(true);
  });
});

describe('a check that reaches a limit [schema-bounds]', () => {
  it('is stopped in time, and its schema is not tried again under any name', async () => {
    const { clock, check, outcomes, processes, begin } = setUp();
    const process = await begin('a');
    check('server', 'b', { pattern: 'a' });
    await clock.advance(1_019);
    expect(process.isKilled).toBe(false);
    await clock.advance(1);
    expect(process.isKilled).toBe(true);
    expect(outcomes).toEqual(['a: checking took longer than 1 s']);
    check('server', 'c', { pattern: 'a' });
    await settle();
    expect(outcomes.at(-1)).toBe('c: checking took longer than 1 s before');
    // The check that was already waiting is another one, and has run.
    expect(processes).toHaveLength(2);
  });

  it('does not count the start of the process, nor a stall of this one', async () => {
    const { clock, check, outcomes, processAt } = setUp();
    check('server', 'a');
    await settle();
    await clock.advance(9_000);
    const process = processAt(0);
    await process.say({ type: 'ready' });
    // The timer runs first, and the answer that arrived in the meantime is read after it.
    await clock.advance(1_000);
    await process.answer();
    expect(outcomes).toEqual(['a: valid']);
  });

  it('has another process for what comes next', async () => {
    const { clock, check, outcomes, processAt, begin } = setUp();
    await begin('a');
    check('other', 'b');
    await clock.advance(1_020);
    const second = processAt(1);
    await second.say({ type: 'ready' });
    await second.answer();
    expect(outcomes).toEqual(['a: checking took longer than 1 s', 'b: valid']);
  });

  it('tells the first problem where there is no time for all, and looks for no more than one from then on', async () => {
    const { clock, validator, processAt } = setUp();
    const schema = { pattern: 'x' };
    const invalid: Validation = { kind: 'invalid', problems: [{ path: [], message: 'must match' }] };
    const first = validator.validate('s', schema, 'y');
    await settle();
    await processAt(0).say({ type: 'ready' });
    await processAt(0).answer(invalid, false);
    await clock.advance(1_020);
    expect(await first).toEqual(invalid);
    const second = validator.validate('s', schema, 'y');
    await settle();
    await processAt(1).say({ type: 'ready' });
    expect(processAt(1).jobs[0]?.firstOnly).toBe(true);
    await processAt(1).answer(invalid);
    expect(await second).toEqual(invalid);
  });

  it('that ran out of memory is tried once more in a process of its own: others may have filled the first', async () => {
    const { check, outcomes, processAt, begin } = setUp();
    const first = await begin('a');
    await first.answer();
    check('server', 'b');
    await settle();
    await first.exit({ signal: 'SIGABRT' });
    const second = processAt(1);
    await second.say({ type: 'ready' });
    await second.exit({ code: 134 });
    expect(outcomes).toEqual(['a: valid', 'b: checking took more than 128 MB of memory']);
    check('server', 'c', { pattern: 'b' });
    await settle();
    expect(outcomes.at(-1)).toBe('c: checking took more than 128 MB of memory before');
  });

  it('that ended the process, or made it say what nobody understands, is not tried again either', async () => {
    for (const spoil of ['exit', 'nonsense'] as const) {
      const { outcomes, begin } = setUp();
      const process = await begin('a');
      await (spoil === 'exit' ? process.exit({ code: 1 }) : process.say({ type: 'result' }));
      expect(outcomes, spoil).toEqual(['a: checking ended the process that does it']);
    }
  });
});

describe('a process that cannot be started', () => {
  it.each([
    ['throws', 'EAGAIN'],
    ['ends', 'spawn ENOENT'],
  ])('leaves values unchecked, says so, and is not tried at once again: %s', async (how, error) => {
    const { clock, check, outcomes, processes, processAt, fail } = setUp();
    if (how === 'throws') fail(new Error(error));
    check('server', 'a');
    await settle();
    if (how === 'ends') await processAt(0).exit({ error });
    expect(outcomes).toEqual([`a: ${notStarted}: ${error}`]);
    fail(undefined);
    const { length } = processes;
    check('server', 'b');
    await settle();
    expect(outcomes.at(-1)).toBe(`b: ${notStarted}`);
    await clock.advance(60_000);
    check('server', 'c');
    await settle();
    expect(processes).toHaveLength(length + 1);
  });

  it('is given up when it does not answer', async () => {
    const { clock, check, outcomes, processAt } = setUp();
    check('server', 'a');
    await settle();
    await clock.advance(10_020);
    expect(outcomes).toEqual([`a: ${notStarted}`]);
    expect(processAt(0).isKilled).toBe(true);
  });
});

it('disposing ends the process and leaves nothing waiting', async () => {
  const { clock, validator, check, outcomes, processes, begin } = setUp();
  const process = await begin('a');
  check('server', 'b');
  validator.dispose();
  await settle();
  check('server', 'c');
  await settle();
  expect(process.isKilled).toBe(true);
  expect(outcomes).toEqual(['a', 'b', 'c'].map((name) => `${name}: Patchbay is closing`));
  expect(processes).toHaveLength(1);
  expect(clock.waiting).toBe(0);
});
