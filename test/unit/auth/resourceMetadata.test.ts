import { describe, expect, it } from 'vitest';
import type { UnknownRecord } from '../../../src/base/json.ts';
import { canonicalResource, coversServer, findResourceMetadata } from '../../../src/auth/resourceMetadata.ts';

describe('coversServer', () => {
  it.each([
    ['https://a.example/mcp', 'https://a.example/mcp', true],
    ['https://a.example', 'https://a.example/mcp', true],
    ['https://a.example/', 'https://a.example/mcp', true],
    ['https://a.example/mcp/', 'https://a.example/mcp', true],
    ['https://A.example:443/mcp', 'https://a.example/mcp/x', true],
    ['https://a.example/mc', 'https://a.example/mcp', false],
    ['https://a.example/mcp/x', 'https://a.example/mcp', false],
    ['https://b.example/mcp', 'https://a.example/mcp', false],
    ['http://a.example/mcp', 'https://a.example/mcp', false],
    ['https://a.example:444/mcp', 'https://a.example/mcp', false],
    ['nothing', 'https://a.example/mcp', false],
  ])('%s for %s: %s', (resource, server, expected) => {
    expect(coversServer(resource, new URL(server))).toBe(expected);
  });
});

describe('canonicalResource', () => {
  it.each([
    ['https://me:pw@A.example:443/mcp/#x', 'https://a.example/mcp'],
    ['https://a.example/', 'https://a.example'],
    ['https://a.example/mcp?tenant=1', 'https://a.example/mcp?tenant=1'],
  ])('%s is %s', (server, expected) => {
    expect(canonicalResource(new URL(server))).toBe(expected);
  });
});

describe('findResourceMetadata', () => {
  const server = new URL('https://a.example/mcp');
  const find = (documents: Readonly<Record<string, UnknownRecord>>, named?: string) =>
    findResourceMetadata(
      server,
      named,
      { getMetadata: (address) => Promise.resolve(documents[address.href]) },
      new AbortController().signal,
    );

  it('looks below the path of the server last', async () => {
    const appended = 'https://a.example/mcp/.well-known/oauth-protected-resource';
    const root = 'https://a.example/.well-known/oauth-protected-resource';
    const { found } = await find({ [appended]: { resource: server.href } });
    expect(found?.resource).toBe(server.href);
    const second = await find({ [appended]: { resource: server.href }, [root]: { resource: 'https://a.example' } });
    expect(second.found?.resource).toBe('https://a.example');
  });

  it('goes on where those that the server names have no resource, and says so where there are no others', async () => {
    const named = 'https://a.example/named';
    const inserted = 'https://a.example/.well-known/oauth-protected-resource/mcp';
    const { found } = await find({ [named]: {}, [inserted]: { resource: server.href } }, named);
    expect(found?.resource).toBe(server.href);
    const { failure } = await find({ [named]: { authorization_servers: ['https://a.example'] } }, named);
    expect(failure).toMatchObject({ message: expect.stringContaining('names no "resource"') as string });
  });
});
