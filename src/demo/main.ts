import { createSystemClock } from '../base/clock.ts';
import { createDemoServer } from './demoServer.ts';

/** Runs the server over stdin and stdout until stdin ends. Only protocol messages go to stdout. */
function main(): void {
  const server = createDemoServer(
    createSystemClock(),
    (line) => process.stdout.write(line),
    (text) => process.stderr.write(`${text}\n`),
  );
  let pending = '';
  process.stdin.setEncoding('utf8');
  process.stdin.on('data', (text: string) => {
    // At `\n` only: a JSON string may contain the other line separators of Unicode.
    const [rest = '', ...lines] = text.split('\n');
    pending += rest;
    for (const line of lines) {
      server.receive(pending);
      pending = line;
    }
  });
  process.stdin.on('end', () => {
    server.receive(pending);
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
