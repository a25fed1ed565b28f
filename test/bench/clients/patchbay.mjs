// @ts-check
// Patchbay's client core, through the headless host.
import { serverCommand } from '../serverCommand.mjs';

/** @param {string} path of what `npm run bench` builds, from dist @returns {Promise<any>} */
const load = (path) => import(new URL(`../../../dist/${path}`, import.meta.url).href);
const { createHeadlessHost } = await load('headless.mjs');

let notifications = 0;
const slots = 60;

/** One host, as in an editor; every connection is one of its servers. */
function createHost() {
  // Known from an earlier start in an editor; the other clients get it as an option, or do not need it.
  const local = { ...serverCommand(10), patchbay: { revision: '2025-11-25' } };
  const remote = ['2025-11-25', '2026-07-28'].map((revision) => ({ type: 'http', url, patchbay: { revision } }));
  const definitions = [...Array.from({ length: slots }, () => local), ...remote, ...remote];
  return createHeadlessHost({
    servers: Object.fromEntries(definitions.map((definition, index) => [String(index), definition])),
    onLog: () => {
      notifications += 1;
    },
  });
}

const url = process.argv[3];
const host = createHost();

/** @type {import('../client.d.ts').Connect} */
export async function connect(target) {
  const server = takeServer(target);
  await server.start();
  return {
    call: (name, args) => server.callTool(name, args),
    list: async () => server.tools.length,
    notifications: () => notifications,
    close: () => server.stop(),
  };
}

/** @param {import('../client.d.ts').Target} target */
function takeServer(target) {
  const stateless = target.kind === 'http' && target.revision === '2026-07-28' ? 1 : 0;
  const candidates =
    target.kind === 'stdio'
      ? Array.from({ length: slots }, (_, index) => index)
      : [slots + stateless, slots + 2 + stateless];
  const free = candidates.map((index) => host.getServer(String(index))).find((server) => server.state === 'stopped');
  if (free === undefined) throw new Error('All servers of the host are taken.');
  return free;
}

/** Lists repeatedly, or calls without the gate for calls. @param {import('../client.d.ts').Target} target */
export async function connectLister(target) {
  const { connectCore } = await load('test/benchCore.mjs');
  const plan =
    target.kind === 'stdio'
      ? { kind: 'stdio', ...serverCommand(target.tools), cwd: undefined, env: {} }
      : { kind: 'http', url: new URL(target.url), headers: {} };
  return await connectCore(plan);
}
