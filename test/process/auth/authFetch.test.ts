import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { AddressPolicy } from '../../../src/auth/addressPolicy.ts';
import { AuthFetch } from '../../../src/auth/authFetch.ts';
import { closeLater } from '../../fixtures/closeLater.ts';
import { countWork } from '../../fixtures/countWork.ts';
import { createTestHttpClient } from '../../fixtures/httpClients.ts';
import { listen } from '../../fixtures/listen.ts';
import { createManualClock } from '../../fixtures/manualClock.ts';
import { problem } from '../../fixtures/problem.ts';

const never = new AbortController().signal;

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = closeLater(await listen(createServer(answer)));
  const url = new URL(server.origin);
  const clock = createManualClock();
  const { close } = server;
  return { url, clock, close, authFetch: new AuthFetch(createTestHttpClient(), clock, new AddressPolicy(url, false)) };
}

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(302, { Location: location });
  response.end();
}

describe('AuthFetch', () => {
  it('follows redirects of metadata, up to five, and looks where each leads', async () => {
    const { url, authFetch } = await serve((request, response) => {
      const step = Number(request.url?.slice(1));
      if (step === 0) response.end('{"found": true}');
      else if (step === 99) redirect(response, 'http://169.254.169.254/latest/meta-data');
      else redirect(response, `/${step - 1}`);
    });
    const get = (path: string) => authFetch.getMetadata(new URL(path, url), 'The metadata', never);
    expect(await get('/5')).toEqual({ found: true });
    await expect(get('/6')).rejects.toThrow(/redirects again and again/);
    await expect(get('/99')).rejects.toThrow(/not encrypted: http:\/\/169\.254\.169\.254/);
  });

  it('reads one megabyte and no more', async () => {
    let sent = 0;
    const { url, authFetch } = await serve((_request, response) => {
      const chunk = Buffer.alloc(65_536, ' ');
      const write = (): void => {
        sent += chunk.length;
        if (!response.destroyed && sent < 100 * 1024 ** 2) response.write(chunk, write);
      };
      write();
    });
    await expect(authFetch.getMetadata(url, 'The metadata', never)).rejects.toThrow(/more than 1 MB/);
    expect(sent).toBeLessThan(50 * 1024 ** 2);
  });

  it.each([
    ['very many members', `{${'"a":1,'.repeat(100_000)}"b":2}`],
    ['very many levels', `{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`],
  ])('takes a document with %s for none, and does not parse it', async (_, document) => {
    const { url, authFetch } = await serve((_request, response) => response.end(document));
    let parsed = 0;
    const stop = countWork(JSON, 'parse', (_json, [text]) => (parsed += String(text).length));
    try {
      expect(await authFetch.getMetadata(url, 'The metadata', never)).toBeUndefined();
      expect(await authFetch.post(url, '', {}, 'The token endpoint', never)).toMatchObject({ body: undefined });
    } finally {
      stop();
    }
    expect(parsed).toBeLessThan(100);
  });

  it.each(['the head', 'the body'])('waits ten seconds for %s', async (part) => {
    let arrive = (): void => {};
    const arrived = new Promise<void>((resolve) => (arrive = resolve));
    const { url, clock, authFetch } = await serve((_request, response) => {
      if (part === 'the body') response.write('{');
      arrive();
    });
    const failure = expect(authFetch.getMetadata(url, 'The metadata', never)).rejects.toEqual(
      problem('unreachable', 'did not answer within 10 seconds'),
    );
    await arrived;
    await clock.advance(10_000);
    await failure;
    expect(clock.waiting).toBe(0);
  });

  it('tells a server that is away from one that has nothing, and both from one that is broken', async () => {
    const { url, close, authFetch } = await serve((request, response) => {
      response.statusCode = Number(request.url?.slice(1));
      response.end('<html>');
    });
    const get = (path: string) => authFetch.getMetadata(new URL(path, url), 'The metadata', never);
    expect(await get('/404')).toBeUndefined();
    expect(await get('/401')).toBeUndefined();
    expect(await get('/200')).toBeUndefined();
    await expect(get('/502')).rejects.toMatchObject({ code: 'unreachable' });
    await expect(get('/429')).rejects.toMatchObject({ code: 'unreachable' });
    await close();
    await expect(get('/404')).rejects.toEqual(problem('unreachable', /cannot be reached \(\w+\)/));
  });

  it('gives up with the reason of the signal', async () => {
    const abort = new AbortController();
    const { url, clock, authFetch } = await serve(() => abort.abort(new Error('enough')));
    await expect(authFetch.getMetadata(url, 'The metadata', abort.signal)).rejects.toThrow('enough');
    expect(clock.waiting).toBe(0);
  });

  it('sends nothing after a redirect, and hangs up', async () => {
    let posts = 0;
    let hangUp = (): void => {};
    const hungUp = new Promise<void>((resolve) => (hangUp = resolve));
    const { url, authFetch } = await serve((_request, response) => {
      posts += 1;
      response.on('close', () => hangUp());
      response.writeHead(307, { Location: '/elsewhere' });
      response.write('and so on');
    });
    await expect(authFetch.post(url, 'secret=1', {}, 'The token endpoint', never)).rejects.toThrow(
      /redirect, which is not allowed/,
    );
    await hungUp;
    expect(posts).toBe(1);
  });
});
