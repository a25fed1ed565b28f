import { describe, expect, it } from 'vitest';
import { AddressPolicy } from '../../../src/auth/addressPolicy.ts';

describe('AddressPolicy', () => {
  const remote = new URL('https://mcp.example.com/mcp');
  const local = new URL('http://localhost:3000/mcp');

  it.each<[URL, string]>([
    [remote, 'https://auth.example.com/token'],
    [local, 'http://127.0.0.1:4000/token'],
    [local, 'https://auth.example.com'],
    [new URL('https://10.0.0.1/mcp'), 'https://10.9.9.9/token'],
    [new URL('https://mcp.corp.internal/mcp'), 'https://10.9.9.9/token'],
    [local, 'http://[::ffff:127.0.0.1]:4000/token'],
  ])('from %s allows %s', (server, address) => {
    expect(new AddressPolicy(server, false).check(address, 'it').href).toBe(new URL(address).href);
  });

  it.each<[URL, string, RegExp]>([
    [remote, 'http://auth.example.com/token', /^Its endpoint is not encrypted/],
    [remote, 'http://localhost:3000/token', /lies in a private network where the server is not/],
    [remote, 'https://127.0.0.1/token', /private network/],
    [remote, 'https://169.254.169.254/latest', /private network/],
    [remote, 'https://10.0.0.1/token', /private network/],
    [local, 'https://192.168.0.1/token', /private network/],
    [remote, 'https://[::7f00:1]/token', /private network/],
    [remote, 'https://[2002:7f00:1::]/token', /private network/],
    [remote, 'https://[64:ff9b:1::a9fe:a9fe]/latest', /private network/],
    [remote, 'https://[fec0::1]/token', /private network/],
    [remote, 'https://192.0.0.192/opc', /private network/],
    [remote, 'https://metadata.google.internal/token', /private network/],
    [remote, 'https://login.corp.internal./token', /private network/],
    [remote, 'https://router.lan/token', /private network/],
    [local, 'http://[2002:7f00:1::]/token', /not encrypted/],
    [local, 'https://169.254.169.254/', /private network/],
    [remote, 'javascript:alert(1)', /not a safe kind of address/],
    [remote, 'file:///etc/passwd', /not a safe kind of address/],
    [remote, 'https://user:pass@auth.example.com/', /not a safe kind of address/],
    [remote, 'not an address', /is not an address/],
  ])('from %s refuses %s', (server, address, message) => {
    expect(() => new AddressPolicy(server, false).check(address, 'its endpoint')).toThrow(message);
  });

  it('shows neither query nor user in its errors', () => {
    const check = () => new AddressPolicy(remote, false).check('http://me:pw@a.example/x?token=secret#y', 'it');
    expect(check).toThrow(expect.not.objectContaining({ message: expect.stringMatching(/pw|secret/) }) as Error);
  });

  it('allows test setups when told to, but no other kinds of address', () => {
    const policy = new AddressPolicy(remote, true);
    expect(policy.check('http://10.0.0.1/token', 'it').host).toBe('10.0.0.1');
    expect(() => policy.check('file:///etc/passwd', 'it')).toThrow(/not a safe kind/);
  });
});
