import { request } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { AppOrigins } from '../../src/host/apps/appOrigins.ts';

interface Answer {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** Asks the loopback address, as a browser does for a name below `localhost`. */
function ask(address: string, changes: { method?: string; host?: string; path?: string } = {}): Promise<Answer> {
  const { host, port, pathname } = new URL(address);
  return new Promise((resolve, reject) => {
    request(
      {
        host: '127.0.0.1',
        port,
        method: changes.method ?? 'GET',
        path: changes.path ?? pathname,
        headers: { host: changes.host ?? host },
        agent: false,
      },
      (response) => {
        let body = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (body += chunk));
        response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, body }));
      },
    )
      .on('error', reject)
      .end();
  });
}

describe('the origins of apps', () => {
  let origins: AppOrigins;

  afterEach(() => origins.dispose());

  it('are different ones, of names that cannot be guessed', async () => {
    origins = new AppOrigins();
    const [one, two] = [await origins.open(), await origins.open()];
    expect(one.origin).toMatch(/^http:\/\/app-[0-9a-f]{32}\.localhost:\d+$/);
    expect(two.origin).not.toBe(one.origin);
    expect(new URL(one.serve('x', '')).pathname).toMatch(/^\/[0-9a-f]{32}$/);
  });

  it('serve a document once, with its policy and a sandbox', async () => {
    origins = new AppOrigins();
    const app = await origins.open();
    const address = app.serve('<p>grüezi', "default-src 'none'");
    const { status, headers, body } = await ask(address);
    expect([status, body]).toEqual([200, '<p>grüezi']);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; sandbox allow-scripts allow-same-origin",
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    });
    expect(await ask(address)).toMatchObject({ status: 404, body: '' });
  });

  it('answer nothing to another name, path or method, and nothing of an older document', async () => {
    origins = new AppOrigins();
    const [app, other] = [await origins.open(), await origins.open()];
    const older = app.serve('older', '');
    const address = app.serve('newer', '');
    const { port } = new URL(address);
    const refused = await Promise.all([
      ask(older),
      ask(address, { host: `127.0.0.1:${port}` }),
      ask(address, { host: `evil.example:${port}` }),
      ask(address, { host: new URL(other.origin).host }),
      ask(address, { path: '/' }),
      ask(address, { path: '/../x' }),
    ]);
    expect(refused.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404]);
    expect(await ask(address)).toMatchObject({ status: 200, body: 'newer' });
    const last = app.serve('last', '');
    expect(await ask(last, { method: 'POST' })).toMatchObject({ status: 404, body: '' });
  });

  it('serve nothing any more after their end', async () => {
    origins = new AppOrigins();
    const [app, other] = [await origins.open(), await origins.open()];
    const address = app.serve('x', '');
    app.dispose();
    expect(await ask(address)).toMatchObject({ status: 404 });
    const second = other.serve('x', '');
    origins.dispose();
    await expect(ask(second)).rejects.toThrow(/ECONNREFUSED/);
  });
});
