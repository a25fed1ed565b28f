import { describe, expect, it } from 'vitest';
import { CancelledError } from '../../../src/base/errors.ts';
import { SharedTask } from '../../../src/base/sharedPromise.ts';

function deferred() {
  let resolve = (_value: string): void => {};
  const promise = new Promise<string>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

const never = new AbortController().signal;

describe('SharedTask', () => {
  it('lets one go without ending the task, and ends it when the last has gone', async () => {
    const task = new SharedTask<string>();
    const work = deferred();
    let taskSignal: AbortSignal | undefined;
    const run = (signal: AbortSignal): Promise<string> => {
      taskSignal = signal;
      return work.promise;
    };
    const one = new AbortController();
    const two = new AbortController();
    const joined = [task.joinOrStart(run, one.signal), task.joinOrStart(run, two.signal)];
    one.abort(new Error('one'));
    await expect(joined[0]).rejects.toThrow('one');
    expect(taskSignal?.aborted).toBe(false);
    two.abort(new Error('two'));
    await expect(joined[1]).rejects.toThrow('two');
    expect(taskSignal?.reason).toBeInstanceOf(CancelledError);
    // A later caller does not get the abandoned task.
    expect(await task.joinOrStart(() => Promise.resolve('fresh'), never)).toBe('fresh');
  });

  it('hands a failure to all, and starts anew after it', async () => {
    const task = new SharedTask<string>();
    const failing = (): Promise<string> => Promise.reject(new Error('no'));
    const joined = [task.joinOrStart(failing, never), task.joinOrStart(failing, never)];
    for (const promise of joined) await expect(promise).rejects.toThrow('no');
    expect(await task.joinOrStart(() => Promise.resolve('yes'), never)).toBe('yes');
  });

  it('does not start for one who has left already', async () => {
    const gone = AbortSignal.abort(new Error('gone'));
    const run = (): Promise<string> => Promise.reject(new Error('started'));
    await expect(new SharedTask<string>().joinOrStart(run, gone)).rejects.toThrow('gone');
  });
});
