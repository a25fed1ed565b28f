// @ts-check
/**
 * @typedef {import('./client.d.ts').BenchClient} BenchClient
 * @typedef {import('./client.d.ts').Target} Target
 * @typedef {'floor' | 'patchbay' | 'sdk2' | 'sdk1'} ClientName
 *
 * @typedef {object} Row one line of the table
 * @property {string} id
 * @property {string} title
 * @property {'ms' | 'kB' | 'MB'} unit of what `run` gives
 * @property {number} rounds how often each client runs it
 * @property {number} [warmUps] runs before those, which do not count: one unless given
 * @property {readonly ClientName[]} [clients] `defaultClients` unless given
 * @property {Target | ((url: string) => Target)} [target] what stays connected over all rounds; absent: `run` connects by itself
 * @property {'connect' | 'connectLister'} [connectWith] of a client that has it; `connect` unless given
 * @property {boolean} [leavesMuch] collects garbage before each run, so that none pays for the one before. A collection
 *   throws compiled code away too, so rows of many small calls go without.
 * @property {boolean} [isOnOneCore] client and server share a core: see `onOneCore`
 * @property {boolean} [isFresh] each run has a process of its own
 * @property {(client: BenchClient, tools: RunTools) => Promise<number | void>} run its time is taken, unless it gives a number itself
 *
 * @typedef {object} RunTools
 * @property {(target: Target, how?: Row['connectWith']) => Promise<BenchClient>} connect
 * @property {string} url of the HTTP server
 * @property {() => number} memory bytes in use after a collection
 * @property {() => number} peakMemory bytes: the most the process has ever had
 */

const megabyte = 1024 * 1024;
/** @type {readonly ClientName[]} */
const defaultClients = ['floor', 'patchbay', 'sdk2', 'sdk1'];
/** @type {Target} */
const local = { kind: 'stdio', tools: 10 };
/** @type {readonly ['2025-11-25', '2026-07-28']} */
const httpRevisions = ['2025-11-25', '2026-07-28'];

/** @param {BenchClient} client @param {number} count @param {object} [args] */
async function callInTurn(client, count, args = { text: 'hello' }) {
  for (let call = 0; call < count; call += 1) await client.call('echo', args);
}

/** @param {BenchClient} client @param {number} inFlight @param {number} batches @param {object} [args] */
async function callAtOnce(client, inFlight, batches, args = { text: 'hello' }) {
  for (let batch = 0; batch < batches; batch += 1) {
    await Promise.all(Array.from({ length: inFlight }, () => client.call('echo', args)));
  }
}

/** @param {number} size in MB @returns {Row} */
function bigMessage(size) {
  return {
    id: `stdio-${size}mb`,
    title: `stdio: one message of ${size} MB`,
    unit: 'ms',
    rounds: size > 8 ? 3 : 7,
    target: local,
    leavesMuch: true,
    // Their time grows with the square of the size: 64 MB would take minutes.
    clients: size > 32 ? ['floor', 'patchbay'] : defaultClients,
    run: async (client) => void (await client.call('big', { bytes: size * megabyte })),
  };
}

/** V8 compiles the code of small calls during the first rounds. The more code a client has, the more rounds that takes. */
const callWarmUps = 10;

/**
 * Calls over stdio one after another are taken in short runs and many: after some 30 ms the system may move client and server to
 * cores where waking each other takes three times as long as everything else, which then dominates the run.
 *
 * @type {readonly Row[]}
 */
const callRows = [
  {
    id: 'stdio-sequential',
    title: 'stdio: 500 calls, one after another',
    unit: 'ms',
    rounds: 41,
    warmUps: callWarmUps,
    target: local,
    run: (client) => callInTurn(client, 500),
  },
  {
    id: 'stdio-parallel',
    title: 'stdio: 10,000 calls, 500 in flight',
    unit: 'ms',
    rounds: 9,
    warmUps: 3,
    target: local,
    run: (client) => callAtOnce(client, 500, 20),
  },
];

/** Before the long messages: a process with much memory is slow to spawn others. @type {readonly Row[]} */
const startRows = [
  {
    id: 'stdio-start',
    title: 'stdio: from spawn to listed',
    unit: 'ms',
    rounds: 9,
    run: async (_, { connect }) => {
      const startedAt = performance.now();
      const client = await connect(local);
      expectCount(await client.list(), 10);
      const took = performance.now() - startedAt;
      await client.close();
      return took;
    },
  },
  {
    id: 'stdio-many',
    title: 'stdio: 50 servers started at once, all listed',
    unit: 'ms',
    rounds: 3,
    run: async (_, { connect }) => {
      const startedAt = performance.now();
      const clients = await Promise.all(
        Array.from({ length: 50 }, async () => {
          const client = await connect(local);
          expectCount(await client.list(), 10);
          return client;
        }),
      );
      const took = performance.now() - startedAt;
      await Promise.all(clients.map((client) => client.close()));
      return took;
    },
  },
  {
    id: 'stdio-memory',
    title: 'stdio: memory of an idle connection',
    unit: 'kB',
    rounds: 3,
    run: async (_, { connect, memory }) => {
      const count = 10;
      await (await connect(local)).close();
      const before = memory();
      const clients = await Promise.all(Array.from({ length: count }, () => connect(local)));
      const used = memory() - before;
      await Promise.all(clients.map((client) => client.close()));
      return used / count / 1024;
    },
  },
];

/** @type {readonly Row[]} */
const stdioRows = [
  {
    id: 'stdio-list',
    title: 'stdio: 10,000 tools in pages of 1,000',
    unit: 'ms',
    rounds: 9,
    target: { kind: 'stdio', tools: 10_000 },
    connectWith: 'connectLister',
    run: async (client) => expectCount(await client.list(), 10_000),
  },
  ...[1, 8, 32, 64].map(bigMessage),
  {
    id: 'stdio-notifications',
    title: 'stdio: 100,000 notifications',
    unit: 'ms',
    rounds: 5,
    target: local,
    run: async (client) => {
      const before = client.notifications();
      await client.call('storm', { count: 100_000 });
      // All are read, as the answer follows them. Patchbay shows 500 log messages a second and counts the others; of the second
      // in which the storm begins, other messages may have taken a few.
      const shown = client.notifications() - before;
      if (shown < 400) throw new Error(`Expected at least 400, got ${shown}.`);
    },
  },
];

/** @param {'2025-11-25' | '2026-07-28'} revision @returns {readonly Row[]} */
function httpRows(revision) {
  /** @param {string} url @returns {Target} */
  const target = (url) => ({ kind: 'http', url, revision });
  const clients = revision === '2026-07-28' ? defaultClients.filter((name) => name !== 'sdk1') : defaultClients;
  const common = /** @type {const} */ ({ unit: 'ms', target, clients });
  return [
    {
      ...common,
      id: `http-sequential-${revision}`,
      title: `HTTP ${revision}: 300 calls, one after another`,
      rounds: 41,
      warmUps: callWarmUps,
      isOnOneCore: true,
      run: (client) => callInTurn(client, 300),
    },
    {
      ...common,
      id: `http-parallel-${revision}`,
      title: `HTTP ${revision}: 1,000 calls, 200 in flight`,
      rounds: 21,
      warmUps: callWarmUps,
      run: (client) => callAtOnce(client, 200, 5),
    },
    {
      ...common,
      id: `http-sse-${revision}`,
      title: `HTTP ${revision}: 300 calls answered as SSE`,
      rounds: 41,
      warmUps: callWarmUps,
      isOnOneCore: true,
      run: (client) => callInTurn(client, 300, { sse: true }),
    },
    {
      ...common,
      id: `http-sse-parallel-${revision}`,
      title: `HTTP ${revision}: 1,000 calls, 200 in flight, answered as SSE`,
      rounds: 21,
      warmUps: callWarmUps,
      run: (client) => callAtOnce(client, 200, 5, { sse: true }),
    },
    ...bigAnswers(revision, target, clients),
    {
      id: `http-start-${revision}`,
      title: `HTTP ${revision}: from nothing to listed`,
      unit: 'ms',
      rounds: 9,
      clients,
      run: async (_, { connect, url }) => {
        const startedAt = performance.now();
        const client = await connect(target(url));
        expectCount(await client.list(), 10);
        const took = performance.now() - startedAt;
        await client.close();
        return took;
      },
    },
  ];
}

/**
 * @param {'2025-11-25' | '2026-07-28'} revision
 * @param {(url: string) => Target} target
 * @param {readonly ClientName[]} clients
 * @returns {readonly Row[]}
 */
function bigAnswers(revision, target, clients) {
  const common = { rounds: 3, clients };
  const kinds = [
    { kind: 'json', sse: false },
    { kind: 'sse', sse: true },
  ];
  const timed = [32, 64].flatMap((size) =>
    kinds.map(({ kind, sse }) => ({
      ...common,
      id: `http-${size}mb-${kind}-${revision}`,
      title: `HTTP ${revision}: one answer of ${size} MB, ${kind.toUpperCase()}`,
      unit: /** @type {const} */ ('ms'),
      target,
      leavesMuch: true,
      run: async (/** @type {BenchClient} */ client) =>
        void (await client.call('big', { bytes: size * megabyte, sse })),
    })),
  );
  const weighed = kinds.map(({ kind, sse }) => ({
    ...common,
    id: `http-100mb-memory-${kind}-${revision}`,
    title: `HTTP ${revision}: memory for one answer of 100 MB, ${kind.toUpperCase()}`,
    unit: /** @type {const} */ ('MB'),
    isFresh: true,
    run: (/** @type {BenchClient} */ _, /** @type {RunTools} */ tools) => weighBigAnswer(target(tools.url), tools, sse),
  }));
  return [...timed, ...weighed];
}

/**
 * @param {Target} target
 * @param {RunTools} tools
 * @param {boolean} sse
 * @returns {Promise<number>} MB by which the most memory that the process has ever had grows
 */
async function weighBigAnswer(target, { connect, memory, peakMemory }, sse) {
  const client = await connect(target);
  await callInTurn(client, 20, { text: 'hello', sse });
  memory();
  const before = peakMemory();
  const bytes = 100 * 1_000_000;
  const { content } = /** @type {{ content: { text: string }[] }} */ (await client.call('big', { bytes, sse }));
  const grown = peakMemory() - before;
  expectCount(content[0]?.text.length ?? 0, bytes);
  await client.close();
  return grown / 1_000_000;
}

/** @type {Omit<Row, 'id' | 'title'>} */
const validation = {
  unit: 'ms',
  // A round takes a few milliseconds, and the machine may be disturbed for longer.
  rounds: 41,
  warmUps: callWarmUps,
  run: async () => {
    throw new Error('run by validation.mjs');
  },
};
/** @type {readonly Row[]} */
const validationRows = [
  { ...validation, id: 'validation', title: '10,000 structured results against an outputSchema' },
  {
    ...validation,
    id: 'validation-varied',
    title: '10,000 different results of three tools against their outputSchemas',
  },
];

/** Who runs a row. @param {Row} row */
export function clientsOf({ clients = defaultClients }) {
  return clients;
}

export const rows = [...callRows, ...startRows, ...stdioRows, ...httpRevisions.flatMap(httpRows), ...validationRows];

/** @param {number} actual @param {number} expected */
function expectCount(actual, expected) {
  if (actual < expected) throw new Error(`Expected ${expected}, got ${actual}.`);
}
