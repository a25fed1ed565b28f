/** Parts of the client core that the benchmark needs besides the headless host: bundled to `dist/test/benchCore.mjs`. */
import { appendFile, writeFile } from 'node:fs/promises';
import { createSystemClock } from '../../src/base/clock.ts';
import type { CreateHttpClient, HttpClient } from '../../src/base/httpClient.ts';
import type { LaunchPlan } from '../../src/base/launchPlan.ts';
import { createNullLogger } from '../../src/base/logger.ts';
import { Catalogue } from '../../src/client/lists/catalogue.ts';
import { openConnection } from '../../src/client/connection/connection.ts';
import { TrafficLog } from '../../src/client/trace/trafficLog.ts';
import { TrafficView } from '../../src/client/trace/trafficView.ts';
import { defaultTimeouts } from '../../src/config/serverDefinition.ts';
import { NodeHttpClient } from '../../src/transport/network/nodeHttpClient.ts';
import { createTransports } from '../../src/transport/launch/createTransports.ts';
import { SessionRecorder } from '../../src/workshop/sessions/sessionRecorder.ts';

/** Connects as a managed server does, without listing. */
export async function connectCore(plan: LaunchPlan) {
  const clock = createSystemClock();
  const logger = createNullLogger();
  const environment = (): Promise<NodeJS.ProcessEnv> => Promise.resolve(process.env);
  const ports = { clock, platform: process.platform, environment, random: Math.random };
  const createHttpClient = (): HttpClient => new NodeHttpClient({ userAgent: 'patchbay/bench' });
  const loadHttp = (): Promise<CreateHttpClient> => Promise.resolve(createHttpClient);
  const connection = await openConnection({
    plan,
    remembered: plan.kind === 'stdio' ? 'handshake' : undefined,
    createTransport: createTransports({ ...ports, loadHttp }),
    setup: {
      clientInfo: { name: 'bench', version: '1' },
      capabilities: {},
      requests: {},
      events: { listChanged: () => {}, resourceUpdated: () => {}, logged: () => {}, taskChanged: () => {} },
      revision: undefined,
      random: Math.random,
    },
    tap: undefined,
    timeouts: defaultTimeouts,
    clock,
    logger,
    signal: new AbortController().signal,
  });
  return {
    async list(): Promise<number> {
      const catalogue = new Catalogue(connection.session, clock, logger);
      catalogue.listAll();
      await catalogue.whenListed();
      catalogue.dispose();
      return catalogue.contents.tools.length;
    },
    call: (name: string, args: object): Promise<unknown> =>
      connection.session.request('tools/call', { name, arguments: args }),
    notifications: () => 0,
    close: () => connection.dispose(),
  };
}

/** All messages are kept, as in an editor. */
export function keepTraffic() {
  const log = new TrafficLog(createSystemClock());
  return { tap: log.tap, log, openView: () => new TrafficView(log) };
}

/**
 * A session is recorded to a file, as the command does it.
 * @returns `written` resolves when the file has so many lines
 */
export function recordSession(path: string) {
  let lines = 0;
  let ended: string | undefined;
  let look = (): void => {};
  const recorder = new SessionRecorder({
    clock: createSystemClock(),
    writer: 'bench',
    write: async (text, isStart) => {
      await (isStart ? writeFile(path, text) : appendFile(path, text));
      lines += text.split('\n').length - 1;
      look();
    },
    onEnd(problem) {
      ended = problem;
      look();
    },
  });
  const written = (wanted: number): Promise<void> =>
    new Promise((resolve, reject) => {
      look = () => {
        if (ended !== undefined) reject(new Error(ended));
        else if (lines >= wanted) resolve();
      };
      look();
    });
  return { tap: recorder.open, written };
}
