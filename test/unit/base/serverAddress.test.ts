import { describe, expect, it } from 'vitest';
import {
  hostOf,
  originOf,
  parseServerAddress,
  type ServerAddress,
  socketUrl,
} from '../../../src/base/serverAddress.ts';

function read(text: string): ServerAddress {
  const address = parseServerAddress(text);
  if (address === undefined) throw new Error(`${text} is no address`);
  return address;
}

const pipe = String.raw`\\.\pipe\my-server`;

describe('parseServerAddress', () => {
  it('leaves a URL as it is', () => {
    expect(read('https://me@a.example:1/mcp?x=1')).toEqual({ url: new URL('https://me@a.example:1/mcp?x=1') });
  });

  it.each([
    ['unix:///run/my.sock', '/run/my.sock', '/'],
    ['unix:///run/my.sock#/mcp', '/run/my.sock', '/mcp'],
    ['UNIX:/run/my.sock#mcp', '/run/my.sock', '/mcp'],
    ['unix:///tmp/server.sock#/mcp/subpath', '/tmp/server.sock', '/mcp/subpath'],
    ['unix:///a/my%20server%23%3f.sock?key=1%2F2#/mcp', '/a/my server#?.sock', '/mcp?key=1%2F2'],
    ['unix:///tmp/100%.sock', '/tmp/100%.sock', '/'],
    ['unix:///a/ü.sock#/ü', '/a/ü.sock', '/%C3%BC'],
    ['unix:////a/..b/c..', '//a/..b/c..', '/'],
    ['unix:///a.sock#//evil.example/x', '/a.sock', '//evil.example/x'],
    ['unix:///a.sock#@evil.example', '/a.sock', '/@evil.example'],
    ['pipe:///pipe/my-server#/mcp', pipe, '/mcp'],
    ['pipe://./pipe/my-server#/mcp', pipe, '/mcp'],
    ['pipe:////./pipe/my-server', pipe, '/'],
    ['pipe:///PIPE/my-server', pipe, '/'],
    [String.raw`pipe:\\.\pipe\my-server#/mcp`, pipe, '/mcp'],
    // What `Uri.from({ scheme: 'pipe', path: '\\\\.\\pipe\\my-server', fragment: '/mcp' }).toString()` writes.
    ['pipe:%5C%5C.%5Cpipe%5Cmy-server#/mcp', pipe, '/mcp'],
    ['pipe:%5C%5C%3F%5Cpipe%5Cmy-server', pipe, '/'],
  ])('reads %s as VS Code does', (text, socketPath, path) => {
    const address = read(text);
    expect(address).toEqual({ socketPath, url: address.url });
    expect(address.url.href).toBe(`http://localhost${path}`);
  });

  it.each([
    'unix:run/my.sock',
    'unix://run/my.sock',
    'unix://',
    'unix:///',
    'unix:///run/',
    'unix:///run/../etc/my.sock',
    'unix:///run/%2e%2e/my.sock',
    'unix:///run/my.sock%00.allowed',
    'unix:///run/my\n.sock',
    `unix:///${'x'.repeat(103)}`,
    `unix:///${'ü'.repeat(52)}`,
    `pipe:///pipe/${'x'.repeat(256)}`,
    'unix:///run/\ud800.sock',
    'pipe:///my-server',
    'pipe:///pipe/',
    'pipe://other-machine/pipe/my-server',
    String.raw`pipe:\\other-machine\pipe\my-server`,
    'pipe:///pipe/../C:/x',
    'pipe:///pipe/%5C..%5CC:/x',
    'file:///run/my.sock',
    '/run/my.sock',
    '',
  ])('refuses %j', (text) => {
    expect(parseServerAddress(text)).toBeUndefined();
  });
});

it('names a host, or a socket by its URL without the path of the requests', () => {
  expect(hostOf(read('https://me:pass@a.example:8443/mcp'))).toBe('a.example:8443');
  expect(originOf(read('https://me:pass@a.example:8443/mcp'))).toBe('https://a.example:8443');
  for (const name of [hostOf, originOf]) {
    expect(name(read('unix:/run/my.sock?key=1#/mcp'))).toBe('unix:///run/my.sock');
    expect(name(read(String.raw`pipe:\\.\pipe\my-server#/mcp`))).toBe('pipe:///pipe/my-server');
  }
});

it.each(['unix:///a%20b%23%3F%25/%E2%80%AE.sock', 'pipe:///pipe/a%20b'])('writes %s as it reads it', (text) => {
  expect(socketUrl(read(text).socketPath ?? '')).toBe(text);
});
