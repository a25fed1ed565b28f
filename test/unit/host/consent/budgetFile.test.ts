import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Clock, createSystemClock } from '../../../../src/base/clock.ts';
import { createLogger } from '../../../../src/base/logger.ts';
import { localDay, TokenBudget } from '../../../../src/client/sampling/tokenBudget.ts';
import { createBudgetFile } from '../../../../src/host/consent/consentFiles.ts';
import { createManualClock, settle } from '../../../fixtures/manualClock.ts';
import { temporaryFolder } from '../../../fixtures/temporaryFolder.ts';

const system = createSystemClock();
let folder = '';
let path = '';
let logged: string[] = [];
/** Only the time of the budget moves: locks wait in real time. */
let passed = 0;
const clock = { ...system, now: () => system.now() + passed };
const start = new Date(2026, 10, 23, 12).getTime();
const day = 24 * 3_600_000;

function open(owner = 'one', lockClock: Clock = clock): TokenBudget {
  const logger = createLogger((_level, line) => void logged.push(line));
  const time = { ...clock, now: () => start + passed };
  return new TokenBudget(
    createBudgetFile(path, { clock: lockClock, owner, reachWindow: async () => {} }),
    time,
    logger,
  );
}

/** @returns the tokens of the day afterwards */
async function take(budget: TokenBudget, tokens: number): Promise<number> {
  await budget.take(tokens, undefined);
  return budget.used();
}
const stored = async (): Promise<unknown> => JSON.parse(await readFile(path, 'utf8'));
/** Writing fails as long as this is in the way of the window's temporary file. */
const obstruct = (owner = 'one') => mkdir(`${path}.${owner}.new`, { recursive: true });
const clear = (owner = 'one') => rm(`${path}.${owner}.new`, { recursive: true });

describe('the file of the tokens of today', () => {
  beforeEach(async () => {
    folder = await temporaryFolder();
    path = join(folder, 'tokens-today.json');
    logged = [];
    passed = 0;
  });

  it('counts what all windows take at the same time', async () => {
    const windows = [open('one'), open('two')];
    await Promise.all([1, 2, 4, 8, 16, 32].map((tokens, index) => take(windows[index % 2] ?? open(), tokens)));
    expect(await stored()).toEqual({ day: '2026-11-23', tokens: 63 });
    expect(await readdir(folder)).toEqual(['tokens-today.json']);
  });

  it('is not made by asking how much was used', async () => {
    const budget = open();
    expect(await budget.used()).toBe(0);
    expect(await readdir(folder)).toEqual([]);
  });

  it('keeps what a budget takes and gives back for the next window', async () => {
    const share = await open().take(1_000, 2_000);
    share?.settle(300);
    const next = open('two');
    await expect.poll(() => next.used()).toBe(300);
    expect(await next.take(1_701, 2_000)).toBeUndefined();
    expect(await next.take(1_700, 2_000)).toBeDefined();
  });

  it.each([
    ['text', 'tokens'],
    ['another day format', '{"day":"today","tokens":1}'],
    ['less than nothing', '{"day":"2026-11-23","tokens":-5}'],
    ['no number', '{"day":"2026-11-23","tokens":"5"}'],
    ['much more than it holds', `{"day":"2026-11-23","tokens":5,"x":"${'x'.repeat(1_000)}"}`],
  ])('begins again where it holds %s', async (_what, text) => {
    await writeFile(path, text);
    expect(await take(open(), 7)).toBe(7);
    expect(await stored()).toEqual({ day: '2026-11-23', tokens: 7 });
  });

  it('goes on in memory where it cannot be written, says so once, and adds what was taken as soon as it can', async () => {
    const window = open('one');
    await take(window, 10);
    await obstruct();
    expect(await take(window, 5)).toBe(15);
    passed += 11_000;
    expect(await take(window, 5)).toBe(20);
    expect(logged).toEqual([expect.stringContaining('counted in this window only')]);
    await take(open('two'), 100);
    await clear();
    // Within ten seconds the file is not tried again.
    expect(await take(window, 1)).toBe(21);
    passed += 11_000;
    expect(await take(window, 1)).toBe(122);
    expect(await stored()).toEqual({ day: '2026-11-23', tokens: 122 });
    expect(logged).toHaveLength(1);
  });

  it('counts in memory from the start where its folder cannot be made', async () => {
    await writeFile(join(folder, 'file'), '');
    path = join(folder, 'file', 'tokens-today.json');
    const window = open();
    await take(window, 10);
    expect(await take(window, 5)).toBe(15);
    expect(logged).toHaveLength(1);
  });

  it('does not wait long for a window that has locked it and does not answer', async () => {
    const manual = createManualClock();
    const file = open('one', manual);
    await writeFile(`${path}.lock`, JSON.stringify({ owner: 'two', until: manual.now() + 14_000 }));
    const taken = take(file, 10);
    const state = { isDone: false };
    void taken.then(() => (state.isDone = true));
    // Time passes only while two things wait for it: the next look at the lock, and the end of patience.
    while (!state.isDone) await (manual.waiting > 1 ? manual.advance(100) : settle());
    expect(await taken).toBe(10);
    expect(logged).toEqual([expect.stringContaining('locked the file for too long')]);
  });

  it('does not make free what this window has seen used, if it is deleted or of an earlier day', async () => {
    const window = open();
    await take(window, 10);
    await rm(path);
    expect(await take(window, 5)).toBe(15);
    await writeFile(path, '{"day":"2026-11-22","tokens":1}');
    expect(await take(window, 5)).toBe(20);
  });

  it('takes what another window has given back', async () => {
    const [one, two] = [open('one'), open('two')];
    const share = await one.take(1_000, undefined);
    await take(two, 50);
    share?.settle(100);
    await one.used();
    expect(await take(two, 1)).toBe(151);
  });

  it('begins a new day with nothing, in memory too', async () => {
    const window = open();
    await take(window, 10);
    await obstruct();
    await take(window, 10);
    passed += day;
    expect(await take(window, 3)).toBe(3);
    await clear();
    passed += 11_000;
    expect(await take(window, 4)).toBe(7);
    expect(await stored()).toEqual({ day: '2026-11-24', tokens: 7 });
  });

  it('tells of a new count, and of nothing else', async () => {
    const window = open();
    let changes = 0;
    window.onDidChange(() => (changes += 1));
    await take(window, 10);
    await take(window, 0);
    expect(changes).toBe(1);
  });

  it('names the day in the time zone of the person', () => {
    expect(localDay(new Date(2026, 10, 3, 23, 59).getTime())).toBe('2026-11-03');
    expect(localDay(new Date(2026, 10, 4, 0, 0).getTime())).toBe('2026-11-04');
  });
});
