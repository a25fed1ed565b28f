import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { createHeadlessHost } from '../../src/headless.ts';
import { answers, exercise } from './exercise.ts';
import { sessionFile } from './sessions.ts';

const servers = {
  'sdk1-2024-11-05': ['partnerServer.mjs', '--sdk=1', '--revision=2024-11-05'],
  'sdk1-2025-03-26': ['partnerServer.mjs', '--sdk=1', '--revision=2025-03-26'],
  'sdk1-2025-06-18': ['partnerServer.mjs', '--sdk=1', '--revision=2025-06-18'],
  'sdk1-2025-11-25': ['partnerServer.mjs', '--sdk=1', '--revision=2025-11-25'],
  'sdk2-2026-07-28': ['partnerServer.mjs', '--sdk=2', '--revision=2026-07-28'],
  'raw-batches-2025-03-26': ['rawServer.mjs', '--revision=2025-03-26', '--batches'],
  'raw-tasks-2026-07-28': ['rawServer.mjs', '--revision=2026-07-28'],
};

/** Records the sessions of the partner servers again, with a host that uses all their features. */
export async function recordSessions(): Promise<number> {
  for (const [name, [script = '', ...flags]] of Object.entries(servers)) {
    const file = sessionFile(name);
    rmSync(file, { force: true });
    const command = [process.execPath, resolve(`test/fixtures/servers/${script}`), ...flags];
    const host = createHeadlessHost({
      ...answers,
      servers: { it: { command: process.execPath, args: [resolve('test/fuzz/session/record.mjs'), file, ...command] } },
      onLog: () => {},
    });
    await exercise(host, 'it', true);
    await host.dispose();
    console.log(`recorded ${name}`);
  }
  return 0;
}
