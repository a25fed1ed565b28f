import { describe, expect, it } from 'vitest';
import { canonicalResource, coversServer } from '../../../src/auth/resourceMetadata.ts';

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
