import { expect, it } from 'vitest';
import { loopbackPorts, redirectOf } from '../../../src/auth/redirects.ts';
import type { AuthSettings } from '../../../src/base/authSettings.ts';

const known = ['http://127.0.0.1:4001/callback/x', 'http://localhost:4002/callback/x', 'vscode://a.b/callback/x'];

it.each<[settings: AuthSettings, host: string | undefined, ports: number[], again: number[]]>([
  [{}, undefined, [33_418, 0], [4001]],
  [{ redirectPort: 5000 }, undefined, [5000, 0], []],
  [{ redirectUri: 'http://localhost/back' }, 'localhost', [33_418, 0], [4002]],
  [{ redirectUri: 'http://localhost:3118/back' }, 'localhost', [3118], []],
  [{ redirectUri: 'http://localhost/back', redirectPort: 5000 }, 'localhost', [5000], []],
])('a client that registers itself keeps its own path: %j', async (settings, host, ports, again) => {
  const redirect = await redirectOf('dynamic', 'https://as.example', settings);
  expect(redirect).toEqual({ host, ports, path: expect.stringMatching(/^\/callback\/[\w-]{22}$/) as unknown });
  expect(loopbackPorts(known, settings)).toEqual(again);
});
