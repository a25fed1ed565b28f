import { once } from 'node:events';
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

async function tryPort(port: number): Promise<Socket | undefined> {
  const socket = connect(port, debugHost);
  // Ended by the program at its end, too.
  socket.on('error', () => socket.destroy());
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(socket.resume()));
    socket.once('close', () => resolve(undefined));
  });
}
