import { createSystemClock } from '../base/clock.ts';
import { createDemoServer } from './demoServer.ts';
import { createLineReader } from './lineReader.ts';

/** Runs the server over stdin and stdout until stdin ends. Stdout carries the protocol and nothing else. */
function main(): void {
  const server = createDemoServer({
    clock: createSystemClock(),
    write: (line) => process.stdout.write(line),
    reportFault: (text) => process.stderr.write(`${text}\n`),
  });
  const reader = createLineReader((line) => server.receive(line));
  process.stdin.on('data', (chunk: Uint8Array) => reader.push(chunk));
  process.stdin.on('end', () => {
    reader.end();
    server.dispose();
  });
  process.stdout.on('error', () => {
    // The client stopped reading; there is nobody left to tell.
    server.dispose();
    process.stdin.destroy();
  });
  process.stderr.write('Patchbay demo server: speaks MCP on stdin and stdout.\n');
}

main();
