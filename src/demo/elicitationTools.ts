import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { raceAbort } from '../base/abort.ts';
import { isRecord, isString } from '../base/json.ts';
import { askClient, type DemoTool, defineTool, errorResult, textResult, type ToolResult } from './tool.ts';

const annotations = { readOnlyHint: true, idempotentHint: false, openWorldHint: false };

const lunch = {
  name: { type: 'string', title: 'Name', description: 'As it should stand on the box.', minLength: 1, maxLength: 40 },
  dish: {
    type: 'string',
    title: 'Main dish',
    enum: ['soup', 'curry', 'salad'],
    enumNames: ['Soup of the day', 'Vegetable curry', 'Greek salad'],
    default: 'curry',
  },
  portions: { type: 'integer', title: 'Portions', minimum: 1, maximum: 4, default: 1 },
  day: { type: 'string', format: 'date', title: 'Day' },
  email: { type: 'string', format: 'email', title: 'Email', description: 'For the receipt, if you want one.' },
  cutlery: { type: 'boolean', title: 'With cutlery', default: false },
};

/** Lists with several choices exist since 2025-11-25 (Client / Elicitation). */
const extras = {
  type: 'array',
  title: 'Extras',
  description: 'All of them are free.',
  items: { type: 'string', enum: ['bread', 'fruit', 'tea'] },
  maxItems: 2,
  default: ['bread'],
};

/** Tools that ask the person: in a form, by a link, and by a page of the tool itself. */
export const elicitationTools: readonly DemoTool[] = [
  defineTool({
    name: 'order_lunch',
    title: 'Order Lunch With a Form',
    description: 'Asks the person for a lunch order in a form (elicitation). Nothing is ordered.',
    annotations,
    run(_args, session, { signal }) {
      const params = {
        message: 'What would you like for lunch? This is a demonstration: nothing is ordered.',
        requestedSchema: {
          type: 'object',
          properties: session.isAtLeast('2025-11-25') ? { ...lunch, extras } : lunch,
          required: ['name', 'dish'],
        },
      };
      return askClient(session, signal, 'elicitation.form', params, describeAnswer);
    },
  }),
  defineTool({
    name: 'open_guide',
    title: 'Open the Guide in the Browser',
    description: 'Asks the person to visit a page about the Model Context Protocol (elicitation by URL).',
    annotations,
    run(_args, session, { signal }) {
      const params = {
        mode: 'url',
        message: 'The introduction to the Model Context Protocol, for reading.',
        url: 'https://modelcontextprotocol.io/docs/getting-started/intro',
        elicitationId: crypto.randomUUID(),
      };
      return askClient(session, signal, 'elicitation.url', params, describeAnswer);
    },
  }),
  // Waits until the person presses the button of the page (2025-11-25, Client / Elicitation, URL Mode Flow).
  defineTool({
    name: 'confirm_on_page',
    title: 'Wait for a Page',
    description: 'Opens a page on this computer, and waits until its button is pressed (elicitation by URL).',
    annotations,
    async run(_args, session, { signal }) {
      const { url, confirmed, close } = await servePage();
      const message = 'Please press the button on this page. Nothing else happens there.';
      const params = { mode: 'url', message, url, elicitationId: url };
      const wait = async (reply: unknown): Promise<ToolResult> => {
        if (!isRecord(reply) || reply['action'] !== 'accept') return textResult('You did not open the page.');
        await raceAbort(confirmed, signal);
        session.notify('notifications/elicitation/complete', { elicitationId: url });
        return textResult('You pressed the button on the page.');
      };
      try {
        return await askClient(session, signal, 'elicitation.url', params, wait);
      } finally {
        close();
      }
    },
  }),
];

function describeAnswer(result: unknown): ToolResult {
  const { action, content } = isRecord(result) ? result : {};
  if (!isString(action)) return errorResult('The client sent an answer without an action.');
  if (action !== 'accept') return textResult(`The answer was "${action}".`);
  const filled = isRecord(content) ? Object.entries(content) : [];
  const lines = filled.map(([name, value]) => `${name}: ${[value].flat().join(', ')}`);
  return textResult(['The answer was "accept".', ...lines].join('\n'));
}

const html = (body: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Patchbay Demo</title><body>${body}</body></html>`;
const question = html('<form method="post"><button>I have been here</button></form>');
const thanks = html('<p>Thank you. You can close this page.</p>');

/** Serves the page on this computer only, at a random path. */
async function servePage() {
  const path = `/${crypto.randomUUID()}`;
  let confirm = (): void => {};
  const confirmed = new Promise<void>((resolve) => {
    confirm = resolve;
  });
  const server = createServer((request, response) => {
    request.resume();
    if (request.url !== path) return answer(response, 404, html('<p>There is no such page.</p>'));
    if (request.method !== 'POST') return answer(response, 200, question);
    response.on('close', confirm);
    return answer(response, 200, thanks);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  // What fails later fails one request.
  server.on('error', () => {});
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${path}`,
    confirmed,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function answer(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; form-action 'self'",
    connection: 'close',
  });
  response.end(body);
}
