import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import * as fc from 'fast-check';
import { sessionCases } from '../arbitraries.ts';
import { exerciseAll } from '../exercise.ts';
import { sessionNames } from '../sessions.ts';
import type { SessionCase } from '../session/session.d.ts';
import type { Target } from '../target.ts';

interface HttpCase {
  readonly sessions: readonly SessionCase[];
  /** As `session/httpServer.mjs` has them. */
  readonly form: 'json' | 'sse' | 'old';
}

export const httpTarget: Target<HttpCase> = {
  name: 'http',
  title: 'the same over Streamable HTTP, as JSON and as event streams, and over HTTP+SSE',
  async open() {
    const server = spawn(process.execPath, [resolve('test/fuzz/session/httpServer.mjs')], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const [line] = (await once(server.stdout, 'data')) as [Buffer];
    const url = line.toString().trim();
    return {
      cases: fc.record({
        sessions: sessionCases(sessionNames(), { isHttp: true }),
        form: fc.constantFrom('json', 'sse', 'old'),
      }),
      run: (input) => run(input, url),
      async close() {
        server.stdin.end();
        const [code] = (await once(server, 'exit')) as [number | null];
        return code === 0 ? [] : [`the server ended with code ${code}`];
      },
    };
  },
};

async function run({ sessions, form }: HttpCase, url: string): Promise<void> {
  await fetch(url, { method: 'PUT', body: JSON.stringify(sessions) });
  const type = form === 'old' ? 'sse' : 'http';
  await exerciseAll(sessions.map((_, index) => ({ type, url: `${url}/${form}/${index}` })));
}
