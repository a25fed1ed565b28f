import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, vi } from 'vitest';
import { processesWith } from '../processMarks.ts';
import type { Phase } from './cells.mjs';
import { describeFaults } from './describeFaults.ts';
import { phaseMarks, watchFault } from './scene.ts';

const day = 24 * 3_600_000;
const script = fileURLToPath(new URL('../../fixtures/servers/faultyServer.mjs', import.meta.url));
const hostScript = fileURLToPath(new URL('../../fixtures/hostProcess.mjs', import.meta.url));

afterEach(() => void vi.restoreAllMocks());

// One at a time: they share the clock of this process.
describeFaults('host', ({ id }, phase) => (id === 'clock' ? jump(phase) : kill(phase)), { isConcurrent: false });

function jump(phase: Phase): Promise<string> {
  const now = Date.now.bind(Date);
  return watchFault({ command: process.execPath, args: [script] }, phase, () => {
    vi.spyOn(Date, 'now').mockImplementation(() => now() + day);
  });
}

/** Kills a host of another process, which has a server that is in that phase. */
async function kill(phase: Phase): Promise<string> {
  const mark = randomUUID();
  const host = spawn(process.execPath, [hostScript, script, phase, phaseMarks[phase].source, mark], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(host.stdout, 'data');
  expect(processesWith(mark).length).toBeGreaterThan(0);
  host.kill('SIGKILL');
  await vi.waitFor(() => expect(processesWith(mark)).toEqual([]), { timeout: 10_000 });
  return 'no process of the server is left';
}
