import { describe, expect, it } from 'vitest';
import { Emitter } from '../../../../src/base/event.ts';
import { endGrants } from '../../../../src/host/sampling/endGrants.ts';
import type { HostServer } from '../../../../src/host/serverRegistry.ts';
import { running, sampleServer } from '../sampleServer.ts';

describe('endGrants', () => {
  it('takes back what a server was allowed as soon as it no longer runs', () => {
    const onDidChangeAny = new Emitter<HostServer>();
    const revoked: (string | undefined)[] = [];
    const sampling = { revokeGrants: async (server?: string) => revoked.push(server) };
    const ending = endGrants({ onDidChangeAny: onDidChangeAny.event }, sampling);
    onDidChangeAny.fire(sampleServer('a', { state: running }));
    expect(revoked).toEqual([]);
    onDidChangeAny.fire(sampleServer('a', { state: { kind: 'starting' } }));
    expect(revoked).toEqual(['a']);
    ending.dispose();
    onDidChangeAny.fire(sampleServer('a'));
    expect(revoked).toEqual(['a']);
  });
});
