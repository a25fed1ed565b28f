import { expect, it } from 'vitest';
import { Emitter } from '../../../../src/base/event.ts';
import type { Transport, TransportLog } from '../../../../src/transport/transport.ts';
import { StartDeadline } from '../../../../src/client/connection/startDeadline.ts';
import { createManualClock } from '../../../fixtures/manualClock.ts';

function setUp(unfinished = '', startsAgain = false, [command = 'server', ...args]: readonly string[] = []) {
  const clock = createManualClock();
  const [onLog, onMessage] = [new Emitter<TransportLog>(), new Emitter<unknown>()];
  const transport = { onLog: onLog.event, onMessage: onMessage.event, unfinishedOutput: () => unfinished };
  const ended: string[] = [];
  const plan = { kind: 'stdio', command, args, cwd: undefined, env: {} } as const;
  const deadline = new StartDeadline(clock, 60_000, plan, ({ message }) => ended.push(message));
  deadline.start();
  deadline.follow(transport as unknown as Transport, startsAgain);
  const write = (text: string, source: TransportLog['source'] = 'stderr'): void => onLog.fire({ source, text });
  return { clock, deadline, ended, write, onLog, onMessage };
}

it('waits for a server that still writes, up to ten minutes', async () => {
  const { clock, ended, write } = setUp();
  for (let minute = 0; minute < 11; minute += 1) {
    await clock.advance(40_000);
    write(`layer ${minute}: downloading`);
    await clock.advance(10_000);
  }
  expect(ended).toEqual([]);
  await clock.advance(60_000);
  expect(ended).toHaveLength(1);
});

it.each([
  ['', false, 120],
  [' that may have stopped reading', true, 60],
])('does not wait for ever for a server%s, whatever it logs', async (_what, startsAgain, seconds) => {
  const { clock, ended, write } = setUp('', startsAgain);
  for (let waited = 0; waited < seconds; waited += 30) {
    expect(ended).toEqual([]);
    write('retrying database …');
    await clock.advance(30_000);
  }
  expect(ended).toEqual([expect.stringContaining(`within ${seconds} s`)]);
});

it.each<[what: string, everyMs: number, line: (index: number) => string, endsAfter: number]>([
  ['steadily writes something new', 5_000, (index) => `${'x'.repeat(index)} is ready`, 600],
  ['steadily writes the same', 5_000, (index) => `still there at 12:00:${index}`, 120],
  ['writes from time to time', 30_000, (index) => `2026/11/26 12:00:${index} ${'x'.repeat(index)}`, 60],
  ['writes what it installs from time to time', 30_000, () => 'Creating virtual environment', 600],
])('for a server that may have stopped reading and %s', async (_what, everyMs, line, endsAfter) => {
  const { clock, ended, write } = setUp('', true);
  for (let waitedMs = 0; waitedMs < 700_000; waitedMs += everyMs) {
    write(line(waitedMs / everyMs));
    await clock.advance(everyMs);
  }
  expect(ended).toEqual([expect.stringContaining(`within ${endsAfter} s`)]);
});

it('reads no text that does not count, and none once it is over', () => {
  const { deadline, onLog } = setUp();
  const read: string[] = [];
  const log = (source: TransportLog['source']): void =>
    onLog.fire({
      source,
      get text() {
        read.push(source);
        return source;
      },
    });
  log('http');
  log('stderr');
  deadline.dispose();
  log('noise');
  expect(new Set(read)).toEqual(new Set(['stderr']));
});

it('ends a start without signs of life at its limit', async () => {
  const { clock, ended, write } = setUp();
  write('a remark of the transport', 'note');
  await clock.advance(59_999);
  expect(ended).toEqual([]);
  await clock.advance(1);
  expect(ended).toEqual([expect.stringContaining('did not finish its handshake within 60 s')]);
  expect(clock.waiting).toBe(0);
});

it('knows whether the server has sent a message', () => {
  const { deadline, onMessage } = setUp();
  expect(deadline.hasAnswered).toBe(false);
  onMessage.fire({});
  expect(deadline.hasAnswered).toBe(true);
});

it.each([
  ['Ok to proceed? (y) ', /wait for an answer.*“Ok to proceed\? \(y\)”/],
  ['Enter passphrase for key: ', /wait for an answer/],
  ['Continue [Y/n]', /wait for an answer/],
  ['Press any key to go on', /wait for an answer/],
  ['Ok to proceed? (y) \u001b[0m', /wait for an answer/],
])('says that a program asks: %s', async (unfinished, words) => {
  const { clock, ended } = setUp(unfinished);
  await clock.advance(60_000);
  expect(ended).toEqual([expect.stringMatching(words)]);
});

it('finds the question at the end of a long line', async () => {
  const { clock, ended } = setUp(`${'package, '.repeat(100)}Continue [Y/n]`);
  await clock.advance(60_000);
  expect(ended).toEqual([expect.stringMatching(/wait for an answer.*“…[^“]*Continue \[Y\/n\]”/)]);
});

it.each([
  ['Downloading model weights (2.1 GB)', /install something: “Downloading model weights/],
  ...[
    'added 240 packages, installing',
    'Determining projects to restore...',
    'Restored x.csproj (in 200 ms).',
    'Updating crates.io index',
    'Solving environment: done',
    "Cloning into 'x'...",
    'Step 3/12 : RUN make',
    '#5 [2/6] RUN apk add',
    'Setting up libfoo (1.2)',
    'Get:1 http://deb.example/ stable',
    'Linking...',
    'Loading model shard 3 of 12',
    'Compile src/main.c',
  ].map((line): [string, RegExp] => [line, /install something/]),
  ['2026/11/26 10:00:00 ready', /The last it wrote is/],
  ['Listening on port 3000', /The last it wrote is: “Listening on port 3000”/],
  ['', /See its log/],
])('says what a server wrote last: %j', async (line, words) => {
  const { clock, ended, write } = setUp();
  if (line !== '') write(line);
  await clock.advance(60_000);
  expect(ended).toEqual([expect.stringMatching(words)]);
});

it.each<[command: readonly string[], endsAfter: number]>([
  [['npx', '-y', 'a-server'], 180],
  [['/usr/local/bin/uvx', 'a-server'], 180],
  [['C:\\nodejs\\npx.cmd', '-y', 'a-server'], 180],
  [['cmd.exe', '/c', 'npx', '-y', 'a-server'], 180],
  [['go', 'run', '.'], 180],
  [['node', 'npx'], 60],
  [['cmd', '/c', 'server.cmd'], 60],
  [['mynpx'], 60],
])('waits for %j, which is silent, for longer where it may install', async (command, endsAfter) => {
  const { clock, ended } = setUp('', true, command);
  await clock.advance(endsAfter * 1_000 - 1);
  expect(ended).toEqual([]);
  await clock.advance(1);
  const cause =
    endsAfter > 60
      ? /within 180 s. It has written nothing: \w+ may still be installing it/
      : /within 60 s. See its log/;
  expect(ended).toEqual([expect.stringMatching(cause)]);
});

it('waits no longer for a program that installs once the server writes or answers', async () => {
  const written = setUp('', true, ['npx', 'a-server']);
  written.write('}');
  await written.clock.advance(60_000);
  const answered = setUp('', true, ['npx', 'a-server']);
  answered.onMessage.fire({});
  await answered.clock.advance(60_000);
  expect([written.ended.length, answered.ended.length]).toEqual([1, 1]);
});

it('shows the last line with words', async () => {
  const { clock, ended, write } = setUp();
  for (const line of ['Error: no such host', '  }', '}']) write(line);
  await clock.advance(120_000);
  expect(ended).toEqual([expect.stringContaining('The last it wrote is: “Error: no such host”')]);
});
