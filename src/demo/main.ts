import { createSystemClock } from '../base/clock.ts';
import { createDemoServer } from './demoServer.ts';
import { LineReader } from './rpcServer.ts';

/** Runs the server over stdin and stdout until stdin ends. Only protocol messages go to stdout. */
function main(): void {
  const server = createDemoServer(
    createSystemClock(),
    (line) => process.stdout.write(line),
    (text) => process.stderr.write(`${text}\n`),
  );
  const reader = new LineReader((line) => server.receive(line));
  process.stdin.on('data', (chunk: Uint8Array) => reader.push(chunk));
  process.stdin.on('end', () => {
    reader.end();
    server.dispose();
  });
  process.stdout.on('error', () => {
    // The client does not read any more, so there is no one to report to.
    server.dispose();
    process.stdin.destroy();
  });
  process.stderr.write('Patchbay demo server: speaks MCP on stdin and stdout.\n');
}

main();
