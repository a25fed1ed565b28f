import { describe, expect, it } from 'vitest';
import { createAddressPolicy, networkOf } from '../../../src/auth/addressPolicy.ts';

describe('networkOf', () => {
  it.each([
    ['https://example.com', 'public'],
    ['https://8.8.8.8', 'public'],
    ['https://172.15.0.1', 'public'],
    ['https://172.32.0.1', 'public'],
    ['https://[2001:db8::1]', 'public'],
    ['https://localhost', 'loopback'],
    ['https://LOCALHOST.', 'loopback'],
    ['https://a.localhost', 'loopback'],
    ['https://notlocalhost', 'public'],
    ['https://127.0.0.1', 'loopback'],
    ['https://0x7f.1', 'loopback'],
    ['https://2130706433', 'loopback'],
    ['https://0.0.0.0', 'loopback'],
    ['https://[::1]', 'loopback'],
    ['https://[::]', 'loopback'],
    ['https://[::ffff:127.0.0.1]', 'loopback'],
    ['https://[::ffff:169.254.169.254]', 'linkLocal'],
    ['https://[64:ff9b::10.0.0.1]', 'private'],
    ['https://169.254.169.254', 'linkLocal'],
    ['https://[fe80::1]', 'linkLocal'],
    ['https://10.1.2.3', 'private'],
    ['https://172.16.0.1', 'private'],
    ['https://192.168.1.1', 'private'],
    ['https://100.64.0.1', 'private'],
    ['https://[fd00::1]', 'private'],
    ['https://255.255.255.255', 'private'],
  ])('%s is %s', (address, expected) => {
    expect(networkOf(new URL(address).hostname)).toBe(expected);
  });
});

describe('createAddressPolicy', () => {
  const remote = new URL('https://mcp.example.com/mcp');
  const local = new URL('http://localhost:3000/mcp');

  it.each<[URL, string]>([
    [remote, 'https://auth.example.com/token'],
    [local, 'http://127.0.0.1:4000/token'],
    [local, 'https://auth.example.com'],
    [new URL('https://10.0.0.1/mcp'), 'https://10.9.9.9/token'],
  ])('from %s allows %s', (server, address) => {
    expect(createAddressPolicy(server, false).check(address, 'it').href).toBe(new URL(address).href);
  });

  it.each<[URL, string, RegExp]>([
    [remote, 'http://auth.example.com/token', /^Its endpoint is not encrypted/],
    [remote, 'http://localhost:3000/token', /lies in a private network where the server is not/],
    [remote, 'https://127.0.0.1/token', /private network/],
    [remote, 'https://169.254.169.254/latest', /private network/],
    [remote, 'https://10.0.0.1/token', /private network/],
    [local, 'https://192.168.0.1/token', /private network/],
    [local, 'https://169.254.169.254/', /private network/],
    [remote, 'javascript:alert(1)', /a kind that is not safe/],
    [remote, 'file:///etc/passwd', /a kind that is not safe/],
    [remote, 'https://user:pass@auth.example.com/', /a kind that is not safe/],
    [remote, 'not an address', /no address/],
  ])('from %s refuses %s', (server, address, message) => {
    expect(() => createAddressPolicy(server, false).check(address, 'its endpoint')).toThrow(message);
  });

  it('shows neither query nor user in its errors', () => {
    const check = () => createAddressPolicy(remote, false).check('http://me:pw@a.example/x?token=secret#y', 'it');
    expect(check).toThrow(expect.not.objectContaining({ message: expect.stringMatching(/pw|secret/) }) as Error);
  });

  it('allows test setups when told to, but no other kinds of address', () => {
    const policy = createAddressPolicy(remote, true);
    expect(policy.check('http://10.0.0.1/token', 'it').host).toBe('10.0.0.1');
    expect(() => policy.check('file:///etc/passwd', 'it')).toThrow(/not safe/);
  });
});
