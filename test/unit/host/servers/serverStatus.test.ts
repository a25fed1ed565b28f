import { describe, expect, it } from 'vitest';
import { PatchbayError } from '../../../../src/base/errors.ts';
import { abilitiesOf, describeServer, needsAttention, statusOf } from '../../../../src/host/servers/serverStatus.ts';
import { running, sampleServer, session } from '../sampleServer.ts';

const tool = { name: 'add', inputSchema: {} };
const refused = { kind: 'failed', error: new PatchbayError('needsTrust', 'Not trusted.') } as const;
const unauthorized = { kind: 'failed', error: new PatchbayError('needsSignIn', 'Sign in.') } as const;
const timedOut = { kind: 'failed', error: new PatchbayError('timeout', 'No answer.') } as const;

describe('describeServer', () => {
  it.each([
    ['stopped', sampleServer('a'), 'stopped'],
    [
      'stopped, seen before',
      sampleServer('a', { contents: { tools: [tool] }, isRemembered: true }),
      'stopped · 1 tool last seen',
    ],
    [
      'running',
      sampleServer('a', { state: running, session, contents: { tools: [tool, tool] } }),
      '2 tools · 2025-11-25',
    ],
    [
      'only prompts',
      sampleServer('a', { state: running, session, contents: { prompts: [{ name: 'p' }] } }),
      '1 prompt · 2025-11-25',
    ],
    ['nothing offered', sampleServer('a', { state: running, session }), 'offers nothing · 2025-11-25'],
    [
      'stale',
      sampleServer('a', { state: running, session, isStale: true }),
      'configuration changed · offers nothing · 2025-11-25',
    ],
    [
      'muted',
      sampleServer('a', { state: running, session, isMuted: true }),
      'questions muted · offers nothing · 2025-11-25',
    ],
    [
      'silent',
      sampleServer('a', { state: running, session, isResponsive: false }),
      'not answering · offers nothing · 2025-11-25',
    ],
    ['failed', sampleServer('a', { state: timedOut }), 'failed: took too long'],
    ['untrusted', sampleServer('a', { state: refused }), 'needs your approval'],
    [
      'refused a part',
      sampleServer('a', { state: running, session, missingSignIn: 'declined' }),
      'needs you to sign in · offers nothing · 2025-11-25',
    ],
    ['not signed in', sampleServer('a', { state: unauthorized }), 'needs you to sign in'],
  ])('%s', (_, hostServer, expected) => expect(describeServer(hostServer)).toBe(expected));

  it('tells when it tries again', () => {
    const error = new PatchbayError('crashed', 'It exited.');
    const waiting = sampleServer('a', { state: { kind: 'waiting', retryAt: Date.UTC(2026, 0, 1, 12, 0, 5), error } });
    expect(describeServer(waiting)).toMatch(/^crashed, tries again at .*:05/);
  });
});

describe('statusOf', () => {
  it('tells an open question of trust or of signing in from a failure', () => {
    expect([refused, unauthorized, timedOut].map(statusOf)).toEqual(['needsTrust', 'needsSignIn', 'failed']);
  });
});

describe('needsAttention', () => {
  it.each([
    [sampleServer('a'), false],
    [sampleServer('a', { state: running }), false],
    [sampleServer('a', { state: running, isStale: true }), true],
    [sampleServer('a', { state: running, isResponsive: false }), true],
    [sampleServer('a', { state: running, isAsking: true }), true],
    [sampleServer('a', { state: running, missingSignIn: 'unasked' }), true],
    [sampleServer('a', { state: timedOut }), true],
    [sampleServer('a', { state: refused }), true],
  ])('%#', (hostServer, expected) => expect(needsAttention(hostServer)).toBe(expected));
});

describe('abilitiesOf', () => {
  it('offers the log level only where the server declared logging', () => {
    const silent = { ...session, capabilities: {} };
    expect(abilitiesOf(sampleServer('a', { state: running, session }).server).setLogLevel).toBe(true);
    expect(abilitiesOf(sampleServer('a', { state: running, session: silent }).server).setLogLevel).toBe(false);
  });

  it('stops what is starting, starts what failed', () => {
    expect(abilitiesOf({ state: { kind: 'starting' }, session: undefined })).toMatchObject({
      start: false,
      stop: true,
    });
    expect(abilitiesOf({ state: timedOut, session: undefined })).toMatchObject({
      start: true,
      stop: false,
      restart: true,
    });
  });
});
