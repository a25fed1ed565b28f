// @ts-check
import { setTimeout as delay } from 'node:timers/promises';

/** @typedef {import('./attack.d.ts').Attack} Attack */

const timeouts = { connectMs: 5_000, requestMs: 5_000 };

/**
 * @param {string} id
 * @param {string} title
 * @param {NonNullable<Attack['respond']>} respond
 * @returns {Attack}
 */
function callAttack(id, title, respond) {
  return {
    id,
    title,
    timeouts,
    respond: (request, response, message) => message?.method === 'tools/call' && respond(request, response, message),
  };
}

/** @param {import('node:http').ServerResponse} response @param {string} text @param {number} pauseMs */
async function writeSlowly(response, text, pauseMs) {
  while (!response.destroyed) {
    response.write(text);
    await delay(pauseMs);
  }
}

/** A redirect to the address with one step more. @param {import('node:http').IncomingMessage} request */
function further(request) {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  return `${pathname}?step=${Number(searchParams.get('step') ?? 0) + 1}`;
}

/** @type {readonly Attack[]} */
export const networkAttacks = [
  callAttack('slow-body', 'a body of one byte every 20 ms', (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    void writeSlowly(response, ' ', 20);
    return true;
  }),
  callAttack('slow-events', 'an event stream of comments only', (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    void writeSlowly(response, ': still there\n', 1);
    return true;
  }),
  callAttack('silent', 'headers that never come', () => true),
  callAttack(
    'half-open',
    'a stream that ends again and again, to be resumed at once',
    (_request, response, message) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(`id: ${String(message?.id)}\nretry: 0\ndata:\n\n`);
      return true;
    },
  ),
  {
    id: 'redirects',
    title: 'endless redirects',
    timeouts,
    respond(request, response) {
      response.writeHead(307, { location: further(request) }).end();
      return true;
    },
  },
  {
    id: 'redirect-elsewhere',
    title: 'a redirect to another origin',
    timeouts,
    respond(_request, response) {
      response.writeHead(307, { location: 'http://169.254.169.254/latest/meta-data' }).end();
      return true;
    },
  },
  {
    id: 'sessions',
    title: 'sessions that are forgotten at once',
    timeouts,
    respond(_request, response, message) {
      if (message?.method === 'initialize') response.setHeader('mcp-session-id', 's'.repeat(8_000));
      if (message?.method !== 'tools/call') return false;
      response.writeHead(404).end();
      return true;
    },
  },
  {
    id: 'challenge',
    title: 'a challenge of many words',
    timeouts,
    respond(_request, response) {
      response.writeHead(401, { 'www-authenticate': `Bearer ${'a="b\\"", '.repeat(1_400)}` }).end();
      return true;
    },
  },
];
