import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { type Clock, createSystemClock } from '../../../src/base/clock.ts';
import { createLogger, createNullLogger } from '../../../src/base/logger.ts';
import { AuditFile } from '../../../src/host/servers/auditFile.ts';
import { withFileLock } from '../../../src/host/platform/fileLock.ts';
import { createRememberedContents } from '../../../src/host/servers/serverMemory.ts';
import type { Phase } from './cells.mjs';
import { describeFaults } from './describeFaults.ts';

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'patchbay-faults-'));
});
afterAll(() => rm(folder, { recursive: true }));

describeFaults('state', ({ id }, phase) => (id === 'full-disk' ? fillDisk(phase) : damage(phase)));

const actions = { calling: 'toolCall', sampling: 'sampling' } as const;
const actionOf = (phase: Phase): 'toolCall' | 'sampling' => (phase === 'sampling' ? actions.sampling : actions.calling);

/** Without a device that is always full: a folder in place of the file cannot be written to either. */
async function fillDisk(phase: Phase): Promise<string> {
  const seen: string[] = [];
  const logger = createLogger(
    (_level, message) => seen.push(`log: ${message}`),
    () => 'trace',
  );
  const file = new AuditFile(existsSync('/dev/full') ? '/dev/full' : folder, Date.now, logger);
  file.record({ server: 's', action: actionOf(phase), outcome: 'done', detail: {} });
  await file.dispose();
  return seen.join('\n');
}

async function damage(phase: Phase): Promise<string> {
  if (phase === 'starting') return await damageLock();
  if (phase === 'listing') return damageMemory();
  const path = join(folder, `audit-${phase}.jsonl`);
  const silent = createNullLogger();
  const entry = { server: 's', action: actionOf(phase), outcome: 'done', detail: {} } as const;
  const first = new AuditFile(path, Date.now, silent);
  first.record(entry);
  await first.dispose();
  await writeFile(path, '\u0000\u0000{"time":"x"\n[1,2]\nnull\n', { flag: 'a' });
  const second = new AuditFile(path, Date.now, silent);
  second.record(entry);
  return `the audit log shows what can be read: ${(await second.read()).length} records`;
}

/** Workspace state that an older version, or a person, has written. */
function damageMemory(): string {
  const stored = { it: { tools: 'many' }, '': null };
  const state = { keys: () => [], get: () => stored as never, update: () => Promise.resolve() };
  const memory = createRememberedContents(state, createSystemClock());
  return memory.load('it') === undefined ? 'what is remembered is forgotten' : 'it is believed';
}

async function damageLock(): Promise<string> {
  const path = join(folder, 'lock');
  await writeFile(path, '{"owner":"gone","unt');
  const clock = createSystemClock();
  // Ten times as fast: an unreadable lock ends after 15 s like any other.
  const fast: Clock = {
    now: () => clock.now() * 10,
    after: (milliseconds, callback) => clock.after(milliseconds / 10, callback),
  };
  const options = { clock: fast, owner: 'us', reachWindow: () => Promise.resolve() };
  return await withFileLock(
    path,
    options,
    async () => 'the lock of sign-ins is taken over',
    AbortSignal.timeout(10_000),
  );
}
