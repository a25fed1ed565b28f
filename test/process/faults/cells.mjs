// @ts-check
// What a user sees of each fault, by phase. The words are parts of the host's messages, with which tests compare them.

/**
 * @typedef {'starting' | 'listing' | 'calling' | 'sampling' | 'idle'} Phase
 *
 * @typedef {object} Cell
 * @property {readonly string[]} [sees] parts of what a person can read
 * @property {string} [none] why there is nothing to see
 *
 * @typedef {object} Fault
 * @property {string} id
 * @property {string} name
 * @property {'stdio' | 'http' | 'host' | 'state'} at what it happens to
 * @property {Readonly<Record<Phase, Cell>>} cells
 */

/** @type {readonly Phase[]} */
export const phases = ['starting', 'listing', 'calling', 'sampling', 'idle'];

const works = 'call: it works';

/** @param {string[]} words @returns {Cell} */
const sees = (...words) => ({ sees: words });
/** @param {string} reason @returns {Cell} */
const none = (reason) => ({ none: reason });
/** The same in every phase. @param {Cell} cell */
const everywhere = (cell) => ({ starting: cell, listing: cell, calling: cell, sampling: cell, idle: cell });

// Windows has no signals.
const killed =
  process.platform === 'win32'
    ? 'The server stopped unexpectedly (exit code 1)'
    : 'The server stopped unexpectedly (ended by SIGKILL).';
const silent = 'call: The server did not answer tools/call within 2 s.';
const tooDeep = 'nested deeper than 10000 levels';

/** @type {readonly Fault[]} */
export const faults = [
  {
    id: 'kill',
    name: 'kill -9 of the server',
    at: 'stdio',
    cells: {
      starting: sees(`start: ${killed}`, 'state: failed'),
      listing: sees(`start: ${killed}`, 'state: waiting'),
      calling: sees(`call: ${killed}`, 'state: waiting'),
      sampling: sees(`call: ${killed}`, 'state: waiting'),
      // The call may be on its way when the end is seen.
      idle: sees('next call: The server', 'state: waiting', `error: ${killed}`),
    },
  },
  {
    id: 'stop',
    name: 'SIGSTOP',
    at: 'stdio',
    cells: {
      starting: sees('start: The server did not finish its handshake within', 'state: failed'),
      listing: sees('start: done', '0 tools', silent),
      calling: sees(silent, 'state: running'),
      sampling: sees(silent, 'state: running'),
      idle: sees(works, `next ${silent}`, 'state: running'),
    },
  },
  {
    id: 'close-stdin',
    name: 'closed stdin',
    at: 'stdio',
    cells: {
      starting: sees('0 tools', 'call: The server'),
      listing: sees('2 tools', 'call: The server'),
      calling: sees(works),
      sampling: sees('call: The server'),
      idle: sees(works, 'next call: The server'),
    },
  },
  {
    id: 'flood',
    name: '1 MB/s of notifications',
    at: 'stdio',
    cells: everywhere(sees('start: done', '2 tools', works, 'state: running')),
  },
  {
    id: 'schema',
    name: 'hostile schema',
    at: 'stdio',
    cells: {
      starting: none('a handshake brings no schema'),
      listing: sees('2 tools', 'call: ', 'It returned no structured content.', 'state: running'),
      calling: sees(works, 'structuredContent'),
      sampling: sees(works),
      idle: none('no schema comes unasked'),
    },
  },
  {
    id: 'deep',
    name: 'deep JSON',
    at: 'stdio',
    cells: {
      starting: sees('start: The server sent a message', tooDeep, 'state: failed'),
      listing: sees('start: done', '0 tools', tooDeep, works),
      calling: sees('call: The server sent a message', tooDeep, 'state: running'),
      sampling: sees('call: ', `log: A message was skipped: The server sent a message that is ${tooDeep}`),
      idle: sees(`log: A message was skipped: The server sent a message that is ${tooDeep}`, `next ${works}`),
    },
  },
  {
    id: 'duplicate',
    name: 'duplicate ids',
    at: 'stdio',
    cells: {
      starting: sees(works, 'log: Dropped a late or unknown answer'),
      listing: sees('2 tools', works, 'log: Dropped a late or unknown answer'),
      calling: sees(works, 'state: running'),
      sampling: sees(works, 'state: running'),
      idle: sees(`next ${works}`, 'state: running'),
    },
  },
  { id: 'proto', name: '__proto__', at: 'stdio', cells: everywhere(sees('2 tools', works, 'state: running')) },
  {
    id: 'surrogate',
    name: 'lone surrogates',
    at: 'stdio',
    cells: {
      starting: sees(works),
      listing: sees('2 tools', works),
      calling: sees(String.raw`call: \ud800 works \udc00`),
      sampling: sees(works),
      idle: sees('log: [info] ⟨U+D800⟩ works ⟨U+DC00⟩', `next ${works}`),
    },
  },
  {
    id: 'half-open',
    name: 'half-open socket',
    at: 'http',
    cells: {
      starting: sees('start: The server did not finish its handshake within', 'state: failed'),
      listing: sees('start: done', '0 tools', works),
      calling: sees(silent, 'state: running'),
      sampling: sees(silent, 'state: running'),
      idle: sees(works, `next ${works}`, 'state: running'),
    },
  },
  {
    id: 'slow-loris',
    name: 'slow loris',
    at: 'http',
    cells: {
      starting: sees('start: The server did not finish its handshake within', 'state: failed'),
      listing: sees('start: done', '0 tools', works),
      calling: sees(silent, 'state: running'),
      sampling: sees(silent, 'state: running'),
      idle: sees(works, `next ${works}`, 'state: running'),
    },
  },
  {
    id: 'clock',
    name: 'clock jump, a day on',
    at: 'host',
    cells: everywhere(sees('start: done', '2 tools', works, 'state: running')),
  },
  {
    id: 'kill-host',
    name: 'kill -9 of the host',
    at: 'host',
    cells: everywhere(sees('no process of the server is left')),
  },
  {
    id: 'full-disk',
    name: 'full disk for state',
    at: 'state',
    cells: {
      starting: none('VS Code keeps what is remembered of servers, and reports its own full disk'),
      listing: none('as above'),
      calling: sees('log: The audit log could not be written to'),
      sampling: sees('log: The audit log could not be written to'),
      idle: none('nothing is written'),
    },
  },
  {
    id: 'damaged',
    name: 'damaged state file',
    at: 'state',
    cells: {
      starting: sees('the lock of sign-ins is taken over'),
      listing: sees('what is remembered is forgotten'),
      calling: sees('the audit log shows what can be read: 2 records'),
      sampling: sees('the audit log shows what can be read: 2 records'),
      idle: none('nothing is read'),
    },
  },
];
