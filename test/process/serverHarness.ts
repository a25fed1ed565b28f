import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { createSystemClock } from '../../src/base/clock.ts';
import { isRecord, type UnknownRecord } from '../../src/base/json.ts';
import { limits, type MessageLimits } from '../../src/base/limits.ts';
import type { StdioCommand } from '../../src/transport/stdio/startProcess.ts';
import { createStdioTransports, type StdioPorts } from '../../src/transport/stdio/stdioTransport.ts';
import type { CloseReason, Transport, TransportLog } from '../../src/transport/transport.ts';
import { processesWith } from './processMarks.ts';

/** A transport to a fixture server, with all messages so far. */
export interface ServerUnderTest {
  readonly transport: Transport;
  readonly messages: UnknownRecord[];
  readonly logs: TransportLog[];
  readonly closed: Promise<CloseReason>;
  /** The first message, received already or later, for which `accept` is true. */
  message(matches: (message: UnknownRecord) => boolean): Promise<UnknownRecord>;
  request(id: number, method: string, params?: object): Promise<UnknownRecord>;
  /** Ids of the living processes of this server and of all it started. */
  processes(): number[];
}

export interface HarnessOptions {
  readonly command?: Partial<StdioCommand>;
  readonly ports?: Partial<StdioPorts>;
  readonly limits?: MessageLimits;
}

const markName = 'PATCHBAY_TEST_MARK';

/** @param fixture file name in `test/fixtures/servers` */
export function createServerUnderTest(
  fixture: string,
  flags: readonly string[] = [],
  options: HarnessOptions = {},
): ServerUnderTest {
  const mark = randomUUID();
  const script = fileURLToPath(new URL(`../fixtures/servers/${fixture}`, import.meta.url));
  const create = createStdioTransports({
    clock: createSystemClock(),
    platform: process.platform,
    environment: async () => process.env,
    graceMs: 500,
    ...options.ports,
  });
  const env = { [markName]: mark, ...options.command?.env };
  const command = { command: process.execPath, args: [script, ...flags], cwd: undefined, ...options.command, env };
  const transport = create(command, options.limits ?? limits.message);
  const messages: UnknownRecord[] = [];
  const logs: TransportLog[] = [];
  const waiting: ((message: UnknownRecord) => void)[] = [];
  transport.onMessage((value) => {
    if (!isRecord(value)) return;
    messages.push(value);
    for (const tell of waiting) tell(value);
  });
  transport.onLog((entry) => logs.push(entry));
  const closed = new Promise<CloseReason>((resolve) => transport.onDidClose(resolve));

  function message(matches: (message: UnknownRecord) => boolean): Promise<UnknownRecord> {
    const past = messages.find(matches);
    if (past !== undefined) return Promise.resolve(past);
    return new Promise((resolve) => waiting.push((candidate) => void (matches(candidate) && resolve(candidate))));
  }

  return {
    transport,
    messages,
    logs,
    closed,
    message,
    async request(id, method, params = {}) {
      await transport.send({ jsonrpc: '2.0', id, method, params });
      return message((candidate) => candidate['id'] === id);
    },
    processes: () => processesWith(`${markName}=${mark}`),
  };
}
