import { appendFile, chmod, mkdir, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { limits } from '../../../../src/base/limits.ts';
import { createLogger, createNullLogger } from '../../../../src/base/logger.ts';
import type { AuditEntry } from '../../../../src/client/auditLog.ts';
import { AuditFile } from '../../../../src/host/servers/auditFile.ts';
import { temporaryFolder } from '../../../fixtures/temporaryFolder.ts';

const entry: AuditEntry = { server: 's', action: 'toolCall', outcome: 'done', detail: { tool: 'add' } };
const now = (): number => Date.UTC(2026, 0, 2, 3, 4, 5);

describe('the audit file', () => {
  let folder: string;
  let path: string;

  const open = (logger = createNullLogger(), clock = now): AuditFile => new AuditFile(path, clock, logger);

  const outcomesOf = async (file: AuditFile): Promise<string[]> => (await file.read()).map(({ outcome }) => outcome);

  /** A log whose one record is on the disk. */
  async function written(outcome = 'done'): Promise<AuditFile> {
    const file = open();
    file.record({ ...entry, outcome });
    await file.dispose();
    return file;
  }

  beforeEach(async () => {
    folder = await temporaryFolder();
    path = join(folder, 'deep', 'audit.jsonl');
  });

  it('keeps records in order, with their time, over restarts', async () => {
    const first = open();
    first.record(entry);
    first.record({ ...entry, outcome: 'second' });
    await first.dispose();
    const again = open();
    again.record({ ...entry, outcome: 'third' });
    expect(await again.read()).toEqual([
      { time: '2026-01-02T03:04:05.000Z', ...entry },
      { time: '2026-01-02T03:04:05.000Z', ...entry, outcome: 'second' },
      { time: '2026-01-02T03:04:05.000Z', ...entry, outcome: 'third' },
    ]);
  });

  it('loses nothing that is recorded while it writes', async () => {
    const file = open();
    for (let count = 0; count < 300; count += 1) {
      file.record({ ...entry, outcome: `done ${count}` });
      await new Promise(setImmediate);
    }
    await file.dispose();
    expect((await readFile(path, 'utf8')).trimEnd().split('\n')).toHaveLength(300);
  });

  it('keeps only the beginning of a long text', async () => {
    const file = open();
    const long = 'x'.repeat(1_000_000);
    file.record({ ...entry, outcome: `failed: ${long}`, detail: { uri: long, size: 7 } });
    await file.dispose();
    expect((await stat(path)).size).toBeLessThan(10_000);
    expect(await file.read()).toMatchObject([
      { outcome: expect.stringMatching(/^failed: x+… \(/) as unknown, detail: { size: 7 } },
    ]);
  });

  it.runIf(process.platform !== 'win32')('is for the user alone to read', async () => {
    await written();
    expect((await stat(path)).mode & 0o077).toBe(0);
  });

  it('starts a new file when one is full, and still reads the one before', async () => {
    const file = await written();
    await appendFile(path, `${' '.repeat(5_000_001)}\n`);
    file.record({ ...entry, outcome: 'new file' });
    expect(await outcomesOf(file)).toEqual(['done', 'new file']);
    expect((await stat(path)).size).toBeLessThan(1_000);
  });

  it('keeps more of what was sent to a model and answered than of other texts, and a bounded number of facts', async () => {
    const file = open();
    const long = 'x'.repeat(1_000_000);
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`fact ${index}`, index]));
    file.record({ ...entry, server: long, detail: { request: long, answer: long, reason: long, ...many } });
    const [record] = await file.read();
    const lengths = ['request', 'answer', 'reason'].map((name) => /^x+/.exec(String(record?.detail[name]))?.[0].length);
    expect(lengths).toEqual([limits.audit.body, limits.audit.body, limits.audit.text]);
    expect(record?.server.length).toBeLessThan(limits.audit.text + 100);
    expect(Object.keys(record?.detail ?? {})).toHaveLength(limits.audit.members);
  });

  it('begins on a new line after a line that a crash has cut: neither it nor the next one is lost', async () => {
    await written();
    await appendFile(path, '{"time":"2026-01-02T03:04:05.000Z","server":"s","act');
    const next = open();
    next.record({ ...entry, outcome: 'after' });
    next.record({ ...entry, outcome: 'and so on' });
    expect(await outcomesOf(next)).toEqual(['done', 'after', 'and so on']);
    // A line that lacks only its end is a record.
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.trimEnd());
    next.record({ ...entry, outcome: 'last' });
    expect(await outcomesOf(next)).toEqual(['done', 'after', 'and so on', 'last']);
  });

  it('tells of each record once it is taken, and where a reading ends', async () => {
    const file = open();
    const told: string[] = [];
    file.onDidRecord(({ outcome }) => told.push(outcome));
    file.record(entry);
    const records = await file.read(() => told.push('snapshot'));
    file.record({ ...entry, outcome: 'later' });
    expect(records).toHaveLength(1);
    expect(told).toEqual(['done', 'snapshot', 'later']);
  });

  it('reads no record where a part is missing or is of another kind', async () => {
    await mkdir(dirname(path));
    const whole = {
      time: 't',
      server: 's',
      action: 'a',
      outcome: 'o',
      detail: { kept: true, lost: { deep: 1 }, none: null },
    };
    const broken = Object.keys(whole).map((name) => ({ ...whole, [name]: 1 }));
    await writeFile(path, [whole, ...broken, null, [], 'text'].map((value) => `${JSON.stringify(value)}\n`).join(''));
    const file = open();
    expect(await file.read()).toEqual([{ ...whole, detail: { kept: true } }]);
  });

  describe('in the hands of two windows', () => {
    it('gets the records of both', async () => {
      const windows = [1, 2].map(() => open());
      const work = windows.map(async (file, window) => {
        for (let index = 0; index < 200; index += 1) {
          file.record({ ...entry, outcome: `${window}-${index}` });
          if (index % 3 === window) await file.dispose();
        }
        await file.dispose();
      });
      await Promise.all(work);
      const outcomes = await outcomesOf(open());
      expect(new Set(outcomes).size).toBe(400);
      expect(outcomes).toHaveLength(400);
    });

    it.each([1, 2])('loses nothing when several find it full at once (%i)', async () => {
      const before = await written('before');
      await appendFile(path, `${' '.repeat(4_999_800)}\n`);
      const windows = Array.from({ length: 4 }, () => open());
      for (const [index, file] of windows.entries()) file.record({ ...entry, outcome: `window ${index}` });
      await Promise.all(windows.map((file) => file.dispose()));
      const outcomes = await outcomesOf(before);
      expect(outcomes.toSorted()).toEqual(['before', 'window 0', 'window 1', 'window 2', 'window 3']);
      expect((await readdir(dirname(path))).toSorted()).toEqual(['audit.jsonl', 'audit.jsonl.1']);
    });

    it('writes on while another one moves the file away, and removes a lock that was left behind', async () => {
      const file = open(undefined, Date.now);
      file.record({ ...entry, outcome: 'before' });
      await file.dispose();
      await appendFile(path, `${' '.repeat(5_000_001)}\n`);
      await writeFile(`${path}.lock`, '');
      file.record({ ...entry, outcome: 'beside it' });
      expect(await outcomesOf(file)).toEqual(['before', 'beside it']);
      expect((await stat(path)).size).toBeGreaterThan(5_000_000);
      await utimes(`${path}.lock`, 0, 0);
      file.record({ ...entry, outcome: 'found it' });
      await file.dispose();
      file.record({ ...entry, outcome: 'moved' });
      expect(await outcomesOf(file)).toEqual(['before', 'beside it', 'found it', 'moved']);
      expect((await stat(path)).size).toBeLessThan(1_000);
    });

    it('shows what another one has moved away', async () => {
      const file = await written();
      await writeFile(`${path}.1`, await readFile(path));
      await writeFile(path, '');
      file.record({ ...entry, outcome: 'later' });
      expect(await outcomesOf(file)).toEqual(['done', 'later']);
    });
  });

  describe('where something else is in its place', () => {
    async function recordAt(place: string): Promise<{ lines: string[]; file: AuditFile }> {
      const lines: string[] = [];
      const logger = createLogger((_, line) => lines.push(line));
      const file = new AuditFile(place, now, logger);
      file.record(entry);
      await file.dispose();
      return { lines, file };
    }

    it('follows no link, and leaves what it leads to as it is', async () => {
      const target = join(folder, 'target');
      await writeFile(target, 'mine');
      await symlink(target, join(folder, 'link.jsonl'));
      const { lines, file } = await recordAt(join(folder, 'link.jsonl'));
      expect(lines).toEqual([expect.stringContaining('it is not an ordinary file')]);
      expect(await readFile(target, 'utf8')).toBe('mine');
      expect(await file.read()).toMatchObject([entry]);
    });

    it('refuses a folder', async () => {
      await mkdir(join(folder, 'folder.jsonl'));
      expect((await recordAt(join(folder, 'folder.jsonl'))).lines).toEqual([
        expect.stringContaining('it is not an ordinary file'),
      ]);
      expect(await readdir(join(folder, 'folder.jsonl'))).toEqual([]);
    });

    it.runIf(process.platform !== 'win32')('takes a file that others could read for itself', async () => {
      await mkdir(dirname(path));
      await writeFile(path, '');
      await chmod(path, 0o644);
      expect((await recordAt(path)).lines).toEqual([]);
      expect((await stat(path)).mode & 0o777).toBe(0o600);
    });
  });

  describe('on a disk that cannot be written to', () => {
    let time: number;
    let lines: string[];
    let file: AuditFile;

    beforeEach(async () => {
      time = now();
      lines = [];
      await writeFile(dirname(path), 'a file, not a folder');
      const logger = createLogger((level, line) => lines.push(`${level}: ${line}`));
      file = open(logger, () => time);
    });

    const repair = (): Promise<void> => rm(dirname(path));

    it('keeps all in memory, says so once a minute, and writes it when it can', async () => {
      for (let second = 0; second < 90; second += 1) {
        file.record({ ...entry, outcome: `${second}` });
        await file.dispose();
        time += 1_000;
      }
      expect(lines).toHaveLength(2);
      expect(lines[0]).toContain(path);
      expect(lines[1]).toContain('(61 records wait)');
      await repair();
      const again = open();
      expect(await again.read()).toEqual([]);
      await file.dispose();
      expect((await again.read()).map(({ outcome }) => Number(outcome))).toEqual(
        Array.from({ length: 90 }, (_, i) => i),
      );
      expect(lines.at(-1)).toBe('info: The audit log can be written again.');
    });

    it('tries again after a second, with the next record', async () => {
      file.record(entry);
      await file.dispose();
      await repair();
      time += 1_000;
      file.record({ ...entry, outcome: 'next' });
      await expect.poll(() => readFile(path, 'utf8').catch(() => '')).toMatch(/done.*\n.*next.*\n$/);
    });

    it('counts what does not fit in memory, and a record says how many', async () => {
      for (let index = 0; index < limits.audit.waitingRecords + 7; index += 1) file.record(entry);
      await file.dispose();
      await repair();
      const records = await file.read();
      expect(records).toHaveLength(limits.audit.waitingRecords + 1);
      expect(records.at(-1)).toMatchObject({ action: 'log', outcome: 'lost records', detail: { dropped: 7 } });
    });

    it('bounds the memory of long records too', async () => {
      const long = { ...entry, detail: { request: 'x'.repeat(20_000), answer: 'y'.repeat(20_000) } };
      for (let index = 0; index < 200; index += 1) file.record(long);
      await file.dispose();
      await repair();
      const records = await file.read();
      expect(records.length).toBeLessThan(130);
      expect(records.at(-1)?.detail['dropped']).toBe(200 - (records.length - 1));
    });
  });
});
