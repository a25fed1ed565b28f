import { describe, expect, it } from 'vitest';
import { readToolUri, toToolUri } from '../../../../src/host/tools/toolUri.ts';

describe('the URI of a tool', () => {
  it.each([
    { server: 'demo', tool: 'add', occurrence: 0, copy: 0 },
    { server: 'My Server/é', tool: '../../etc/passwd', occurrence: 2, copy: 11 },
    { server: '', tool: '', occurrence: 0, copy: 0 },
    { server: 'A', tool: 'a?b#c%2F', occurrence: 0, copy: 1 },
  ])('gives back $server, $tool', (address) => {
    const uri = toToolUri(address, 'Add / Numbers');
    expect(uri.path.split('/')).toHaveLength(5);
    expect(readToolUri(uri)).toEqual(address);
  });

  it('ends with the title, and a number where there are several', () => {
    const address = { server: 'demo', tool: 'add', occurrence: 0, copy: 0 };
    expect(toToolUri(address, 'Add Numbers').path).toMatch(/\/Add Numbers$/);
    expect(toToolUri({ ...address, copy: 1 }, 'Add Numbers').path).toMatch(/\/Add Numbers \(2\)$/);
  });

  it.each([
    { scheme: 'file', authority: 'demo', path: '/mcp-arguments/add/0.0/x' },
    { scheme: 'patchbay-tool', authority: 'demo', path: '/other/add/0.0/x' },
    { scheme: 'patchbay-tool', authority: 'demo', path: '/mcp-arguments/add/0/x' },
    { scheme: 'patchbay-tool', authority: 'demo', path: '/mcp-arguments/add/0.0' },
    { scheme: 'patchbay-tool', authority: 'demo', path: '/mcp-arguments/add/0.0/x/y' },
    { scheme: 'patchbay-tool', authority: 'De%mo', path: '/mcp-arguments/add/0.0/x' },
    { scheme: 'patchbay-tool', authority: 'demo', path: '/mcp-arguments/a.b/0.9999/x' },
  ])('is none of its own for $scheme $authority $path', (uri) => {
    expect(readToolUri(uri)).toBeUndefined();
  });
});
