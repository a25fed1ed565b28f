// Loaded by NODE_OPTIONS into each Node.js process of a server that is started by npx, npm, tsx and the like, for Debug Server. The one
// that reads its standard input is the server: it alone opens the port for the debugger. Launchers hand their input on unread.
'use strict';

const { basename } = require('node:path');
const { isMainThread } = require('node:worker_threads');

const port = Number(process.env.PATCHBAY_DEBUG_PORT);
// Launchers that read their input, as for a command to restart.
const launcher = /^(?:np[mx](?:-cli)?|pnpm|pnpx|yarn|corepack|nodemon|tsx|ts-node-dev)(?:\.[cm]?js)?$/;
const isLauncher =
  launcher.test(basename(process.argv[1] ?? '')) || /[\\/]tsx[\\/]dist[\\/]cli\.[cm]?js$/.test(process.argv[1] ?? '');

if (isMainThread && Number.isInteger(port) && port > 0 && port < 65_536 && !isLauncher) openOnFirstRead();

function openOnFirstRead() {
  const own = Object.getOwnPropertyDescriptor(process, 'stdin');
  if (own?.get === undefined) return;
  const readers = ['on', 'addListener', 'once', 'prependListener', 'read', 'resume', 'pipe'];
  Object.defineProperty(process, 'stdin', {
    configurable: true,
    enumerable: true,
    get() {
      const stdin = own.get.call(process);
      if (readers.length > 0) watch(stdin, readers.splice(0));
      return stdin;
    },
  });
}

function watch(stdin, names) {
  for (const name of names) {
    const own = stdin[name];
    stdin[name] = function (...args) {
      const isEvent = name === 'on' || name === 'addListener' || name === 'once' || name === 'prependListener';
      if (isEvent && args[0] !== 'data' && args[0] !== 'readable') return own.apply(this, args);
      for (const other of names) delete stdin[other];
      open();
      return own.apply(this, args);
    };
  }
}

function open() {
  // What the server itself starts is not debugged.
  delete process.env.PATCHBAY_DEBUG_PORT;
  const options = (process.env.NODE_OPTIONS ?? '').replace(`--require ${JSON.stringify(__filename)}`, '').trim();
  if (options === '') delete process.env.NODE_OPTIONS;
  else process.env.NODE_OPTIONS = options;
  require('node:inspector').open(port, '127.0.0.1', false);
}
