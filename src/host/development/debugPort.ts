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
 * Whether another user listens on a port: between {@link freePort} and the start of a server, anyone can take it. Known on Linux only.
 * @param tables of the sockets of the system, a line each (proc(5), `/proc/net/tcp`)
 */
export async function isOfAnotherUser(port: number, tables = ['/proc/net/tcp', '/proc/net/tcp6']): Promise<boolean> {
  const own = process.getuid?.();
  const texts = await Promise.all(tables.map((table) => readFile(table, 'utf8').catch(() => '')));
  const end = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return texts
    .flatMap((text) => text.split('\n'))
    .map((line) => line.trim().split(/\s+/))
    .some(([, address, , state, , , , user]) => address?.endsWith(end) && state === listening && Number(user) !== own);
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
