// @ts-check
import { createGzip, gzipSync } from 'node:zlib';

/** @typedef {import('./attack.d.ts').Attack} Attack */

const megabyte = 1_000_000;

/** `text` repeated, separated by commas. @param {string} text @param {number} bytes */
function repeated(text, bytes) {
  const unit = `${text},`;
  const filled = Buffer.alloc(bytes - (bytes % unit.length), unit);
  return filled.subarray(0, -1);
}

/** A result with a list of that content. @param {string} text @param {number} [bytes] */
function listResult(text, bytes = 60 * megabyte) {
  return Buffer.concat([
    Buffer.from('{"content":[],"structuredContent":{"list":['),
    repeated(text, bytes),
    Buffer.from(']}}'),
  ]);
}

/** @param {string} id @param {string} title @param {() => string | Buffer} result @returns {Attack} */
function resultAttack(id, title, result) {
  return { id, title, answers: { 'tools/call': (io) => io.answer(result()) } };
}

/** A whole answer to `message`. @param {import('./attack.d.ts').WireMessage} message @param {Buffer} result */
function answerTo(message, result) {
  return Buffer.concat([
    Buffer.from(`{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"result":`),
    result,
    Buffer.from('}'),
  ]);
}

/**
 * Answers a call over HTTP with a body that grew from a few bytes.
 * @param {string} id
 * @param {string} title
 * @param {string} type
 * @param {(message: import('./attack.d.ts').WireMessage) => Buffer} body
 * @returns {Attack}
 */
function bombAttack(id, title, type, body) {
  return {
    id,
    title,
    respond(_request, response, message) {
      if (message?.method !== 'tools/call') return false;
      response
        .writeHead(200, { 'content-type': type, 'content-encoding': 'gzip' })
        .end(gzipSync(body(message), { level: 9 }));
      return true;
    },
  };
}

const deep = (/** @type {number} */ depth, /** @type {string} */ leaf) =>
  `{"content":[],"structuredContent":{"x":${'[1,'.repeat(depth)}${leaf}${']'.repeat(depth)}}}`;

/** @type {readonly Attack[]} */
export const messageAttacks = [
  resultAttack('line-objects', '60 MB of {}, in one line', () => listResult('{}')),
  resultAttack('line-lists', '60 MB of [[[ in one line', () => '['.repeat(60 * megabyte)),
  resultAttack('line-keys', '30 MB of different keys', () => {
    const keys = Array.from({ length: 1_500_000 }, (_, index) => `"key-${index}":1`);
    return `{"content":[],"structuredContent":{${keys.join(',')}}}`;
  }),
  resultAttack('line-strings', '60 MB of short strings', () => listResult('"ab"')),
  resultAttack('line-blocks', '500,000 blocks of content', () => {
    const block = repeated('{"type":"text","text":"a"}', 13_500_000);
    return Buffer.concat([Buffer.from('{"content":['), block, Buffer.from(']}')]);
  }),
  resultAttack('deep-900', '1 MB, nested 900 deep', () => deep(900, JSON.stringify('x'.repeat(megabyte)))),
  resultAttack('deep-400', '1 MB, nested 400 deep', () => deep(400, JSON.stringify('x'.repeat(megabyte)))),
  resultAttack('deep-100000', 'nested 100,000 deep', () => deep(100_000, '1')),
  resultAttack('proto', '__proto__ and lone surrogates', () =>
    JSON.stringify({ content: [{ type: 'text', text: '\uD800' }], structuredContent: { list: [] } }).replace(
      '"list"',
      '"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"\\uDC00"',
    ),
  ),
  bombAttack('gzip-objects', '60 MB of {}, that came as 60 kB of gzip', 'application/json', (message) =>
    answerTo(message, listResult('{}')),
  ),
  bombAttack('gzip-spaces', '200 MB of spaces, gzip', 'application/json', (message) =>
    Buffer.concat([Buffer.alloc(200 * megabyte, ' '), answerTo(message, Buffer.from('{"content":[]}'))]),
  ),
  bombAttack('sse-objects', 'an event of 60 MB of {},', 'text/event-stream', (message) =>
    Buffer.concat([Buffer.from('data: '), answerTo(message, listResult('{}')), Buffer.from('\n\n')]),
  ),
  bombAttack('sse-lines', 'an event of 10,000,000 empty lines of data', 'text/event-stream', () =>
    Buffer.alloc(60 * megabyte, 'data:\n'),
  ),
  bombAttack('sse-events', '2,000,000 events that are no messages', 'text/event-stream', () =>
    Buffer.alloc(40 * megabyte, 'id: 1\ndata: {}\n\n'),
  ),
  {
    id: 'endless-body',
    title: 'a body of 2 GB that came as 2 MB of gzip',
    respond(_request, response, message) {
      if (message?.method !== 'tools/call') return false;
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      const gzip = createGzip();
      gzip.pipe(response);
      const chunk = Buffer.alloc(megabyte, ' ');
      let left = 2_000;
      const more = () => {
        for (; left > 0; left -= 1) if (!gzip.write(chunk)) return void gzip.once('drain', more);
        gzip.end();
      };
      more();
      response.on('close', () => (left = 0));
      return true;
    },
  },
  {
    id: 'batch-pings',
    title: 'a batch of 1,000,000 requests',
    answers: {
      'tools/call': async (io) => {
        const batch = repeated('{"jsonrpc":"2.0","id":1,"method":"ping"}', 41 * megabyte);
        await io.write(Buffer.concat([Buffer.from('['), batch, Buffer.from(']\n')]));
        return { content: [] };
      },
    },
  },
  {
    id: 'batch-numbers',
    title: '30,000,000 numbers in one line',
    answers: {
      'tools/call': async (io) => {
        await io.write(Buffer.concat([Buffer.from('['), repeated('1', 60 * megabyte), Buffer.from(']\n')]));
        return { content: [] };
      },
    },
  },
];
