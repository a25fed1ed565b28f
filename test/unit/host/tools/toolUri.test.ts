import { describe, expect, it } from 'vitest';
import { sampleSeal } from '../sampleSeal.ts';
import { readToolUri, toToolUri } from '../../../../src/host/tools/toolUri.ts';

const seal = sampleSeal();

describe('the URI of a tool', () => {
  it.each([
    { server: 'demo', identity: '0a1b', tool: 'add', occurrence: 0, copy: 0 },
    { server: 'My Server/é', identity: 'A.b/c', tool: '../../etc/passwd', occurrence: 2, copy: 11 },
    { server: '', identity: '', tool: '', occurrence: 0, copy: 0 },
    { server: 'A', identity: '1', tool: 'a?b#c%2F', occurrence: 0, copy: 1 },
  ])('gives back $server, $tool', (address) => {
    const uri = toToolUri(seal, address, 'Add / Numbers');
    expect(uri.path.split('/')).toHaveLength(3);
    expect(readToolUri(seal, uri)).toEqual(address);
  });

  it('shows people the names of the server and the tool, and nothing else', () => {
    const address = { server: 'My/Server', identity: '0a1b', tool: 'add', occurrence: 0, copy: 0 };
    expect(toToolUri(seal, address, 'Add Numbers').path).toBe('/My_Server (MCP)/Add Numbers');
  });

  it('ends with the title, and a number where there are several', () => {
    const address = { server: 'demo', identity: '0a1b', tool: 'add', occurrence: 0, copy: 0 };
    expect(toToolUri(seal, address, 'Add Numbers').path).toMatch(/\/Add Numbers$/);
    expect(toToolUri(seal, { ...address, copy: 1 }, 'Add Numbers').path).toMatch(/\/Add Numbers \(2\)$/);
  });

  const made = toToolUri(seal, { server: 'demo', identity: '1', tool: 'add', occurrence: 0, copy: 0 }, 'x');
  const sealed = made.query.split('/')[0] ?? '';
  const old = { ...made, path: `/mcp-arguments/${sealed}/add/0.0.1/x`, query: '' };

  it.each([
    ['with another scheme', { scheme: 'file' }],
    ['with another server', { authority: 'other' }],
    ['with another spelling of the server', { authority: 'De%mo' }],
    ['in another folder', { path: '/other (MCP)/x' }],
    ['without a seal', { query: 'add/0.0.1' }],
    ['with another tool', { query: `${sealed}/drop/0.0.1` }],
    ['of another copy', { query: `${sealed}/add/0.1.1` }],
    ['with half a number', { query: `${sealed}/add/0` }],
    ['of another server with the label', { query: `${sealed}/add/0.0.2` }],
    ['with more in it', { query: `${sealed}/add/0.0.1/x` }],
    ['without what is asked for', { query: '' }],
    ['without a name', { path: '/demo (MCP)' }],
    ['with another name', { path: '/demo (MCP)/y' }],
    ['below it', { path: `${made.path}/y` }],
  ])('means nothing %s', (_, change) => {
    expect(readToolUri(seal, made)).toBeDefined();
    expect(readToolUri(seal, { ...made, ...change })).toBeUndefined();
    expect(readToolUri(sampleSeal({ key: 2 }), made)).toBeUndefined();
  });

  it('is still read where an older Patchbay made it', () => {
    expect(readToolUri(seal, old)).toEqual(readToolUri(seal, made));
    expect(readToolUri(seal, { ...old, query: made.query })).toBeUndefined();
    expect(readToolUri(seal, { ...old, path: `/mcp-arguments/${sealed}/drop/0.0.1/x` })).toBeUndefined();
  });
});
