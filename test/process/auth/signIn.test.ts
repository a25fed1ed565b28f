import { describe, expect, it } from 'vitest';
import { startScene } from './signInHarness.ts';

describe('signing in', () => {
  it('finds the way, registers, asks, signs in and gets through', async () => {
    const { as, server, person, openWindow } = await startScene();
    const { authorizer, call } = openWindow();
    expect(await call()).toBe(200);
    expect(server.statuses).toEqual([401, 200]);
    expect(person.asked).toEqual([
      {
        label: 'notes',
        server: server.url,
        issuer: as.issuer,
        scopes: ['mcp:read', 'offline_access'],
        clientName: 'Patchbay',
        registration: 'dynamic',
        knownRedirectUris: [],
        redirectPort: undefined,
      },
    ]);
    expect(person.open).toBe(0);
    expect(await authorizer.describe()).toMatchObject({
      issuer: as.issuer,
      registration: 'dynamic',
      canRefresh: true,
      isDpop: false,
      scopes: ['mcp:read'],
    });
    expect(await call()).toBe(200);
    expect(as.requests.filter((request) => request.startsWith('POST /token'))).toEqual([
      'POST /token authorization_code',
    ]);
  });
});
