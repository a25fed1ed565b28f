import { describe, expect, it } from 'vitest';
import type { ServerState } from '../../../../src/client/server/server.ts';
import { Requesters, startFor, UnrequestedStartError } from '../../../../src/host/configuration/requester.ts';

const server = (state: ServerState, isInUse = false) => ({ label: 'notes', state, isInUse });

describe('who waits for a server', () => {
  it.each([
    ['starting by itself', server({ kind: 'starting' }), 'nobody'],
    ['starting again after a crash', server({ kind: 'starting', isRetry: true }), 'nobody'],
    ['running, without a call', server({ kind: 'running' }), 'nobody'],
    ['running, with a call under way', server({ kind: 'running' }, true), 'person'],
    ['stopped', server({ kind: 'stopped' }), 'nobody'],
  ])('%s', (_, candidate, expected) => {
    expect(new Requesters().of(candidate)).toBe(expected);
  });

  it('is whoever has started it, a person before an extension, until that is over', () => {
    const requesters = new Requesters();
    const extension = requesters.mark('notes', 'extension');
    expect(requesters.of(server({ kind: 'starting' }))).toBe('extension');
    const person = requesters.mark('notes', 'person');
    expect(requesters.of(server({ kind: 'starting', isRetry: true }))).toBe('person');
    expect(requesters.of({ ...server({ kind: 'starting' }), label: 'other' })).toBe('nobody');
    person.dispose();
    extension.dispose();
    expect(requesters.of(server({ kind: 'starting' }))).toBe('nobody');
  });
});

describe('startFor', () => {
  it('starts again where a start that nobody waited for had come to its question just before', async () => {
    const requesters = new Requesters();
    const seen: string[] = [];
    await startFor('person', 'notes', requesters, async () => {
      seen.push(requesters.of(server({ kind: 'starting' })));
      if (seen.length === 1) throw new UnrequestedStartError('notes', 'it is new');
    });
    expect(seen).toEqual(['person', 'person']);
    expect(requesters.of(server({ kind: 'starting' }))).toBe('nobody');
  });

  it('hands other failures on, and waits for nothing afterwards', async () => {
    const requesters = new Requesters();
    const failing = startFor('person', 'notes', requesters, () => Promise.reject(new Error('no')));
    await expect(failing).rejects.toThrow('no');
    expect(requesters.of(server({ kind: 'starting' }))).toBe('nobody');
  });
});
