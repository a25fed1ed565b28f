import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { raceAbort } from '../../base/abort.ts';
import { isRecord } from '../../base/json.ts';
import type { DemoClient } from '../client.ts';
import { askPerson } from './elicitation.ts';
import { type DemoTool, textOutcome } from './tool.ts';

/** Asks the person to visit a page of the tool, and waits until they press its button (2025-11-25, Client / Elicitation, URL Mode Flow). */
export function createConfirmOnPageTool(client: DemoClient): DemoTool {
  return {
    definition: {
      name: 'confirm_on_page',
      title: 'Wait for a Page',
      description: 'Opens a page on this computer, and waits until its button is pressed (elicitation by URL).',
      inputSchema: { type: 'object' },
      annotations: { readOnlyHint: true, idempotentHint: false, openWorldHint: false },
    },
    async run(_input, call) {
      const page = await servePage();
      const elicitationId = page.url;
      const message = 'Please press the button on this page. Nothing else happens there.';
      try {
        return await askPerson(client, call.signal, 'elicitation url', {
          params: { mode: 'url', message, url: page.url, elicitationId },
          async toOutcome(result) {
            if (!isRecord(result) || result['action'] !== 'accept') return textOutcome('You did not open the page.');
            await raceAbort(page.confirmed, call.signal);
            client.notify('notifications/elicitation/complete', { elicitationId });
            return textOutcome('You pressed the button on the page.');
          },
        });
      } finally {
        page.close();
      }
    },
  };
}

interface Page {
  readonly url: string;
  /** Resolves when the person has pressed the button. */
  readonly confirmed: Promise<void>;
  close(): void;
}

const html = (body: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Patchbay Demo</title><body>${body}</body></html>`;
const question = html('<form method="post"><button>I have been here</button></form>');
const thanks = html('<p>Thank you. You can close this page.</p>');

/** Serves the page on this computer only, at a random path. */
async function servePage(): Promise<Page> {
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
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${path}`,
    confirmed,
    close() {
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
