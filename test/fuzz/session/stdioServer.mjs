// @ts-check
// A server over stdio that replays a mutated session: node stdioServer.mjs SESSION MUTATIONS
// SESSION is a file, MUTATIONS a list in JSON.
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { readSession } from './readSession.mjs';
import { createReplay } from './replay.mjs';

const [file = '', mutations = '[]'] = process.argv.slice(2);
const answer = createReplay(readSession(file), JSON.parse(mutations));
let sent = Promise.resolve();

/** @param {readonly import('./session.d.ts').Delivery[]} deliveries */
async function write(deliveries) {
  for (const { chunks, closes } of deliveries) {
    for (const [index, chunk] of chunks.entries()) {
      if (index > 0) await pause(1);
      process.stdout.write(chunk);
    }
    process.stdout.write('\n');
    if (closes) process.exit(0);
  }
}

process.stdout.on('error', () => process.exit(0));
createInterface({ input: process.stdin })
  .on('line', (line) => {
    const deliveries = answer(JSON.parse(line));
    sent = sent.then(() => write(deliveries));
  })
  .on('close', () => process.exit(0));
