import { appendFile, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLogger, createNullLogger } from '../../../../src/base/logger.ts';
import type { AuditEntry } from '../../../../src/client/auditLog.ts';
import { createAuditFile } from '../../../../src/host/servers/auditFile.ts';

const entry: AuditEntry = { server: 's', action: 'toolCall', outcome: 'done', detail: { tool: 'add' } };
const now = (): number => Date.UTC(2026, 0, 2, 3, 4, 5);

describe('the audit file', () => {
  let folder: string;
  let path: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'patchbay-audit-'));
    path = join(folder, 'deep', 'audit.jsonl');
  });

  afterEach(() => rm(folder, { recursive: true }));

  it('keeps records in order, with their time, over restarts', async () => {
    const first = createAuditFile(path, now, createNullLogger());
    first.record(entry);
    first.record({ ...entry, outcome: 'second' });
    await first.dispose();
    const again = createAuditFile(path, now, createNullLogger());
    again.record({ ...entry, outcome: 'third' });
    expect(await again.read()).toEqual([
      { time: '2026-01-02T03:04:05.000Z', ...entry },
      { time: '2026-01-02T03:04:05.000Z', ...entry, outcome: 'second' },
      { time: '2026-01-02T03:04:05.000Z', ...entry, outcome: 'third' },
    ]);
  });

  it('keeps only the beginning of a long text', async () => {
    const file = createAuditFile(path, now, createNullLogger());
    const long = 'x'.repeat(1_000_000);
    file.record({ ...entry, outcome: `failed: ${long}`, detail: { uri: long, size: 7 } });
    await file.dispose();
    expect((await stat(path)).size).toBeLessThan(10_000);
    expect(await file.read()).toMatchObject([
      { outcome: expect.stringMatching(/^failed: x+… \(/) as unknown, detail: { size: 7 } },
    ]);
  });

  it('is for the user alone to read', async () => {
    const file = createAuditFile(path, now, createNullLogger());
    file.record(entry);
    await file.dispose();
    expect((await stat(path)).mode & 0o077).toBe(0);
  });

  it('reads past a line that was cut short', async () => {
    const file = createAuditFile(path, now, createNullLogger());
    file.record(entry);
    await file.dispose();
    await appendFile(path, '{"time":"2026-\n');
    file.record({ ...entry, outcome: 'after' });
    expect((await file.read()).map(({ outcome }) => outcome)).toEqual(['done', 'after']);
  });

  it('starts a new file when one is full, and still reads the one before', async () => {
    const file = createAuditFile(path, now, createNullLogger());
    file.record(entry);
    await file.dispose();
    await appendFile(path, `${' '.repeat(5_000_001)}\n`);
    file.record({ ...entry, outcome: 'new file' });
    expect((await file.read()).map(({ outcome }) => outcome)).toEqual(['done', 'new file']);
    expect((await stat(path)).size).toBeLessThan(1_000);
  });

  it('says in the log where it could not write, and goes on', async () => {
    const lines: string[] = [];
    const blocked = join(folder, 'blocked');
    await writeFile(blocked, 'a file, not a folder');
    const file = createAuditFile(
      join(blocked, 'audit.jsonl'),
      now,
      createLogger((_, line) => lines.push(line)),
    );
    file.record(entry);
    expect(await file.read()).toEqual([]);
    expect(lines).toEqual([expect.stringContaining(blocked)]);
  });
});
