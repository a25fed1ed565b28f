import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { processesWith } from '../../process/processMarks.ts';
import { sessionCases } from '../arbitraries.ts';
import { exerciseAll } from '../exercise.ts';
import { sessionFile, sessionNames } from '../sessions.ts';
import type { SessionCase } from '../session/session.d.ts';
import type { Target } from '../target.ts';

const script = resolve('test/fuzz/session/stdioServer.mjs');

export const stdioTarget: Target<SessionCase[]> = {
  name: 'stdio',
  title: 'recorded sessions of every revision with faults, over the stdio of processes',
  async open() {
    const mark = randomUUID();
    return {
      cases: sessionCases(sessionNames()),
      run: (sessions) =>
        exerciseAll(
          sessions.map(({ session, mutations }) => ({
            command: process.execPath,
            args: [script, sessionFile(session), JSON.stringify(mutations)],
            env: { PATCHBAY_TEST_MARK: mark },
          })),
        ),
      close: async () => processesWith(mark).map((pid) => `process ${pid}`),
    };
  },
};
