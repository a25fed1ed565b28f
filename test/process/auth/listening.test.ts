import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { closeLater } from '../../fixtures/closeLater.ts';
import { answerJson, createTransportUnderTest, event, openEvents } from '../http/httpHarness.ts';
import { startScene } from './signInHarness.ts';

describe("the server's own stream, whose sign-in was declined", () => {
  it('asks nobody again, and is opened after the sign-in that gives it the right', async () => {
    const { as, server, person, openWindow } = await startScene();
    const { authorizer, call } = openWindow();
    const gets: IncomingMessage[] = [];
    server.scopeOf = (request) => {
      if (request.method !== 'GET') return undefined;
      gets.push(request);
      return 'mcp:write';
    };
    server.serve = (request, response) => {
      request.resume();
      if (request.method === 'POST') return answerJson(response, { jsonrpc: '2.0', id: 'init', result: {} });
      openEvents(response);
      response.write(event({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' }));
    };
    await call();
    person.answer = 'no';
    const client = createTransportUnderTest(server.url.href, { authorizer });
    closeLater({ close: () => client.transport.dispose() });
    await client.transport.start(AbortSignal.timeout(30_000));
    await client.shakeHands();
    await client.log('wants a sign-in that was not made');
    expect(person.asked).toHaveLength(2);

    as.forget((model) => model === 'AccessToken');
    await call();
    const declinedAgain = new Promise<void>((resolve) => {
      client.transport.onLog(({ text }) => text.includes('wants a sign-in that was not made') && resolve());
    });
    await client.clock.pass(500);
    await declinedAgain;
    expect([gets.length, person.asked.length]).toEqual([2, 2]);

    person.answer = 'yes';
    await authorizer.signIn(AbortSignal.timeout(30_000));
    // It may be another account, so a new session begins.
    await client.lost;
    await client.shakeHands();
    await client.message('notifications/tools/list_changed');
    expect([gets.length, person.asked.length]).toEqual([3, 3]);
  });
});
