import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import type { Clock } from '../../base/clock.ts';
import { debugHost } from './debugLaunch.ts';

const everyMs = 100;

/** @returns a port of this machine that no program listens on now */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, debugHost);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('The system gave no port.');
  return address.port;
}

/**
 * Waits until a program listens on a port.
 * @returns the connection, which the caller ends: debugpy ends itself with its only one; `undefined` once the signal is aborted
 */
export async function reachPort(port: number, clock: Clock, signal: AbortSignal): Promise<Socket | undefined> {
  while (!signal.aborted) {
    const socket = await tryPort(port);
    if (socket !== undefined) return socket;
    await new Promise<void>((resolve) => void clock.after(everyMs, resolve));
  }
  return undefined;
}

/**
 * Whether a process of this user listens on a port, and none of another: between {@link freePort} and the start of a server anyone can
 * take it, and may close it while this looks, to open it again for the debugger. Known on Linux only; elsewhere it is taken for true.
 * @param tables of the sockets of the system, a line each (proc(5), `/proc/net/tcp`)
 */
export async function isOwnPort(port: number, tables = ['/proc/net/tcp', '/proc/net/tcp6']): Promise<boolean> {
  const own = process.getuid?.();
  const texts = await Promise.all(tables.map((table) => readFile(table, 'utf8').catch(() => '')));
  const rows = texts.flatMap((text) => text.split('\n').slice(1)).filter((line) => line.trim() !== '');
  // Some systems have such tables, and nothing in them.
  if (own === undefined || rows.length === 0) return true;
  const end = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const users = rows
    .map((line) => line.trim().split(/\s+/))
    .filter(([, address, , state]) => address?.endsWith(end) === true && state === listening)
    .map(([, , , , , , , user]) => Number(user));
  return users.length > 0 && users.every((user) => user === own);
}

const listening = '0A';

async function tryPort(port: number): Promise<Socket | undefined> {
  const socket = connect(port, debugHost);
  // Ended by the program at its end, too.
  socket.on('error', () => socket.destroy());
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(socket.resume()));
    socket.once('close', () => resolve(undefined));
  });
}
