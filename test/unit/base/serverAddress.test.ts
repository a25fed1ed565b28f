import { describe, expect, it } from 'vitest';
import {
  hostOf,
  originOf,
  parseServerAddress,
  type ServerAddress,
  socketUrl,
} from '../../../src/base/serverAddress.ts';

function read(text: string, isWindows?: boolean): ServerAddress {
  const address = parseServerAddress(text, isWindows);
  if ('problem' in address) throw new Error(address.problem);
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

  const absolute = /absolute path of a socket, after three slashes/;
  const ofThisMachine = /named pipe of this machine/;
  it.each([
    ['unix:run/my.sock', absolute],
    ['unix://run/my.sock', absolute],
    ['unix://', absolute],
    ['unix:///', absolute],
    ['unix:///run/', absolute],
    ['unix:///run/../etc/my.sock', /without "\.\."/],
    ['unix:///run/%2e%2e/my.sock', /without "\.\."/],
    ['unix:///run/my.sock%00.allowed', /control character/],
    ['unix:///run/my\n.sock', /control character/],
    ['unix:///run/\ud800.sock', /control character/],
    ['pipe:///my-server', ofThisMachine],
    ['pipe:///pipe/', ofThisMachine],
    ['pipe://other-machine/pipe/my-server', ofThisMachine],
    [String.raw`pipe:\\other-machine\pipe\my-server`, ofThisMachine],
    ['pipe:///pipe/../C:/x', /without "\.\."/],
    ['file:///run/my.sock', /must start with "https:\/\/", "http:\/\/", "unix:\/\/\/" or "pipe:\/\/\/", not "file:"/],
    ['/run/my.sock', /no whole address/],
    ['', /no whole address/],
  ])('refuses %j', (text, problem) => {
    expect(parseServerAddress(text)).toEqual({ problem: expect.stringMatching(problem) as string });
  });

  it('knows which sockets a platform has', () => {
    expect(read('pipe:///pipe/my-server', true).socketPath).toBe(pipe);
    expect(read('unix:///my.sock', false).socketPath).toBe('/my.sock');
    expect(parseServerAddress('pipe:///pipe/my-server', false)).toMatchObject({ problem: /only Windows has/ });
    expect(parseServerAddress('unix:///my.sock', true)).toMatchObject({ problem: /this is Windows/ });
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
