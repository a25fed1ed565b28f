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
    expect(uri.path.split('/')).toHaveLength(6);
    expect(readToolUri(seal, uri)).toEqual(address);
  });

  it('ends with the title, and a number where there are several', () => {
    const address = { server: 'demo', identity: '0a1b', tool: 'add', occurrence: 0, copy: 0 };
    expect(toToolUri(seal, address, 'Add Numbers').path).toMatch(/\/Add Numbers$/);
    expect(toToolUri(seal, { ...address, copy: 1 }, 'Add Numbers').path).toMatch(/\/Add Numbers \(2\)$/);
  });

  const made = toToolUri(seal, { server: 'demo', identity: '1', tool: 'add', occurrence: 0, copy: 0 }, 'x');
  const sealed = made.path.split('/')[2] ?? '';

  it.each([
    ['with another scheme', { scheme: 'file' }],
    ['with another server', { authority: 'other' }],
    ['with another spelling of the server', { authority: 'De%mo' }],
    ['in another folder', { path: `/other/${sealed}/add/0.0.1/x` }],
    ['without a seal', { path: '/mcp-arguments/add/0.0.1/x' }],
    ['with another tool', { path: `/mcp-arguments/${sealed}/drop/0.0.1/x` }],
    ['of another copy', { path: `/mcp-arguments/${sealed}/add/0.1.1/x` }],
    ['with half a number', { path: `/mcp-arguments/${sealed}/add/0/x` }],
    ['of another server with the label', { path: `/mcp-arguments/${sealed}/add/0.0.2/x` }],
    ['without a name', { path: `/mcp-arguments/${sealed}/add/0.0.1` }],
    ['with another name', { path: `/mcp-arguments/${sealed}/add/0.0.1/y` }],
    ['below it', { path: `${made.path}/y` }],
  ])('means nothing %s', (_, change) => {
    expect(readToolUri(seal, made)).toBeDefined();
    expect(readToolUri(seal, { ...made, ...change })).toBeUndefined();
    expect(readToolUri(sampleSeal({ key: 2 }), made)).toBeUndefined();
  });
});
