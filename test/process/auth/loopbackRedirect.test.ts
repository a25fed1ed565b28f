import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { openLoopbackRedirect } from '../../../src/host/signIn/loopbackRedirect.ts';
import type { Redirect } from '../../../src/host/signIn/redirects.ts';
import { closeLater } from '../../fixtures/closeLater.ts';
import { listen } from '../../fixtures/listen.ts';

const path = '/callback/of-this-issuer';

function closable<T extends Redirect>(redirect: T) {
  return Object.assign(redirect, { close: () => redirect.dispose() });
}

async function openRedirect(...ports: readonly number[]): Promise<Redirect> {
  return closeLater(closable(await openLoopbackRedirect(ports, path)));
}

async function visit(url: string, headers = {}): Promise<{ status: number | undefined; text: string }> {
  const [response] = (await once(get(url, { headers }), 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return { status: response.statusCode, text };
}

describe('the loopback redirect', () => {
  it('hands on the address the browser came back to, once, and says that the page can be closed', async () => {
    const redirect = await openRedirect();
    const arrived: string[] = [];
    redirect.expect('s1', (url) => arrived.push(url.href));
    const back = `${redirect.redirectUri}?code=a%2Bb&state=s1`;
    expect(await visit(back)).toMatchObject({ status: 200, text: expect.stringContaining('You can close this page') });
    expect(arrived).toEqual([back]);
    expect((await visit(back)).status).toBe(400);
    expect(arrived).toHaveLength(1);
  });

  it.each(['?code=x&state=other', '?code=x', ''])(
    'goes on waiting after an answer of another sign-in: %s',
    async (query) => {
      const redirect = await openRedirect();
      const arrived: string[] = [];
      redirect.expect('s1', (url) => arrived.push(url.href));
      const answer = await visit(`${redirect.redirectUri}${query}`);
      expect(answer).toMatchObject({ status: 400, text: expect.stringContaining('nothing was changed') });
      expect(arrived).toEqual([]);
      expect((await visit(`${redirect.redirectUri}?code=y&state=s1`)).status).toBe(200);
      expect(arrived).toHaveLength(1);
    },
  );

  it('answers nobody who calls it by another name, or asks for something else', async () => {
    const redirect = await openRedirect();
    redirect.expect('s1', () => expect.unreachable());
    const back = `${redirect.redirectUri}?code=x&state=s1`;
    expect((await visit(back, { Host: 'evil.example' })).status).toBe(404);
    expect((await visit(back.replace(path, '/'))).status).toBe(404);
  });

  it('hands on what came to the address of another issuer, for the sign-in to end, and says so in the browser', async () => {
    const redirect = await openRedirect();
    const arrived: string[] = [];
    redirect.expect('s1', (url) => arrived.push(url.pathname));
    for (const other of ['/callback', '/callback/of-another-issuer']) {
      redirect.expect('s1', (url) => arrived.push(url.pathname));
      const back = `${redirect.redirectUri.replace(path, other)}?code=x&state=s1`;
      expect(await visit(back)).toMatchObject({ status: 400, text: expect.stringContaining('was not used') });
    }
    expect(arrived).toEqual(['/callback', '/callback/of-another-issuer']);
  });

  it('takes the port that is wished for, and a free one when that is taken', async () => {
    const { port: taken } = closeLater(await listen(createServer()));
    await expect(openRedirect(taken)).rejects.toThrow(`Port ${taken}`);
    const redirect = await openRedirect(taken, 0);
    expect(new URL(redirect.redirectUri).port).not.toBe(String(taken));
    const wished = Number(new URL(redirect.redirectUri).port);
    redirect.dispose();
    await expect.poll(async () => new URL((await openRedirect(taken, wished)).redirectUri).port).toBe(String(wished));
  });

  it.each([
    ['localhost', ['127.0.0.1', '[::1]']],
    ['[::1]', ['[::1]']],
  ])('is at all addresses that %s stands for', async (host, addresses) => {
    const redirect = closeLater(await openLoopbackRedirect([0], '', host).then(closable));
    expect(redirect.redirectUri).toMatch(/:\d+$/);
    const { port } = new URL(redirect.redirectUri);
    for (const address of addresses) {
      const answer = await visit(`http://${address}:${port}/?state=x`, { Host: `${host}:${port}` });
      expect(answer).toMatchObject({ status: 400 });
    }
  });

  it('wants a port that no other program has at either address', async () => {
    const { port: taken } = closeLater(await listen(createServer(), '::1'));
    await expect(openLoopbackRedirect([taken], path, 'localhost')).rejects.toThrow(/used by another program/);
  });

  it('is closed when it is over', async () => {
    const redirect = await openRedirect();
    redirect.dispose();
    await expect(visit(redirect.redirectUri)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});
