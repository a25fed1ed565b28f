import { describe, expect, it } from 'vitest';
import { problem } from '../../fixtures/problem.ts';
import { signInWithBrowser } from './browser.ts';
import { serveMcp } from './serveMcp.ts';
import { expectNoSecrets, openHeadless, startScene } from './signInHarness.ts';

describe('a headless host and a server that wants sign-in', () => {
  it('signs in on the way, and again with more rights, and logs every step but no token', async () => {
    const scene = await startScene();
    serveMcp(scene.server);
    const visited: URL[] = [];
    const server = openHeadless(scene, {
      openAuthorizationUrl: (url) => {
        visited.push(url);
        return signInWithBrowser(url);
      },
      onLog: ({ message }) => scene.seen.push(message),
    });
    await server.start();
    expect(server.tools.map(({ name }) => name)).toEqual(['add']);
    scene.server.scopeOf = () => 'mcp:write';
    expect(await server.callTool('add')).toMatchObject({ content: [{ text: 'added' }] });
    expect(visited.map(({ searchParams }) => searchParams.get('scope'))).toEqual([
      'mcp:read offline_access',
      'mcp:read offline_access mcp:write',
    ]);
    expect(scene.seen.join('\n')).toContain(`Signed in at ${scene.as.issuer}.`);
    expectNoSecrets(scene);
  });

  it('shows no token in the trace, not even one that the server repeats in words of its own', async () => {
    const scene = await startScene();
    const said: string[] = [];
    serveMcp(scene.server, (token) => {
      said.push(token);
      return `you came with ${token} today`;
    });
    const server = openHeadless(scene, {
      openAuthorizationUrl: signInWithBrowser,
      onLog: ({ message }) => scene.seen.push(message),
    });
    await server.start();
    await server.callTool('add');
    scene.as.forget((model) => model === 'AccessToken');
    await server.callTool('add');
    expect(new Set(said).size).toBe(2);
    expect(scene.seen.join('\n').match(/you came with •+ today/g)).toHaveLength(2);
    expectNoSecrets(scene);
  });

  it('shows no token in an error, not even where the server repeats it', async () => {
    const scene = await startScene();
    serveMcp(scene.server);
    const server = openHeadless(scene, {
      openAuthorizationUrl: signInWithBrowser,
      onLog: ({ message }) => scene.seen.push(message),
    });
    await server.start();
    scene.server.serve = (request, response) => {
      const [, token] = (request.headers.authorization ?? '').split(' ');
      request.resume();
      response.writeHead(403).end(`The token ${token} may not do this`);
    };
    const failure = await server.callTool('add').catch((error: unknown) => error);
    expect(failure).toMatchObject({ message: expect.stringContaining('The token … may not do this') as string });
    expectNoSecrets(scene);
  });

  it('signs in at the second try when nothing came of the first', async () => {
    const scene = await startScene();
    serveMcp(scene.server);
    const abort = new AbortController();
    let visits = 0;
    const server = openHeadless(scene, {
      openAuthorizationUrl(url) {
        visits += 1;
        if (visits > 1) return signInWithBrowser(url);
        abort.abort(new Error('enough'));
        return new Promise(() => {});
      },
    });
    await expect(server.start(abort.signal)).rejects.toThrow('enough');
    await server.stop();
    await server.start();
    expect(visits).toBe(2);
  });

  it('says that it cannot, without a browser', async () => {
    const scene = await startScene();
    serveMcp(scene.server);
    const server = openHeadless(scene, {});
    await expect(server.start()).rejects.toEqual(problem('needsSignIn', '“notes”'));
    expect(server.state).toBe('failed');
  });

  it('reports settings that make no sense', async () => {
    const server = openHeadless(await startScene(), {}, { redirectPort: 0 });
    await expect(server.start()).rejects.toEqual(problem('configuration', '"auth.redirectPort" must be a port'));
  });

  it('leaves a server alone that brings its own Authorization header', async () => {
    const scene = await startScene();
    serveMcp(scene.server);
    const openAuthorizationUrl = (): Promise<URL> => Promise.reject(new Error('was opened'));
    const server = openHeadless(scene, { openAuthorizationUrl }, undefined, { Authorization: 'Bearer own' });
    await expect(server.start()).rejects.toMatchObject({ code: 'needsSignIn' });
    expect(scene.as.requests).toEqual([]);
  });
});
