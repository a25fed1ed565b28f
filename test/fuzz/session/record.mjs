// @ts-check
// A proxy between a client and a server over stdio that records the messages of both:
//   node record.mjs FILE COMMAND [ARGUMENT …]
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [file = '', command = '', ...args] = process.argv.slice(2);
const server = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });

/** @param {string} mark @param {import('node:stream').Readable} from @param {import('node:stream').Writable} to */
function pass(mark, from, to) {
  createInterface({ input: from })
    .on('line', (line) => {
      appendFileSync(file, `${mark}${line}\n`);
      to.write(`${line}\n`);
    })
    .on('close', () => to.end());
}

pass('>', process.stdin, server.stdin);
pass('<', server.stdout, process.stdout);
server.on('exit', (code) => process.exit(code ?? 1));
