import { describe, expect, it } from 'vitest';
import { PatchbayError } from '../../../../src/base/errors.ts';
import { abilitiesOf, describeServer, needsAttention, statusOf } from '../../../../src/host/servers/serverStatus.ts';
import { running, type Sample, sampleServer, session } from '../sampleServer.ts';

const tool = { name: 'add', inputSchema: {} };
const refused = { kind: 'failed', error: new PatchbayError('needsTrust', 'Not trusted.') } as const;
const unauthorized = { kind: 'failed', error: new PatchbayError('needsSignIn', 'Sign in.') } as const;
const timedOut = { kind: 'failed', error: new PatchbayError('timeout', 'No answer.') } as const;

const live = { state: running, session };

describe('describeServer', () => {
  it.each<[string, Sample, string]>([
    ['stopped', {}, 'stopped'],
    ['stopped, seen before', { contents: { tools: [tool] }, isRemembered: true }, 'stopped · 1 tool last seen'],
    ['running', { ...live, contents: { tools: [tool, tool] } }, '2 tools'],
    ['only prompts', { ...live, contents: { prompts: [{ name: 'p' }] } }, '1 prompt'],
    ['nothing offered', live, 'offers nothing'],
    ['stale', { ...live, isStale: true }, 'configuration changed · offers nothing'],
    ['muted', { ...live, isMuted: true }, 'questions muted · offers nothing'],
    ['silent', { ...live, isResponsive: false }, 'not answering · offers nothing'],
    ['failed', { state: timedOut }, 'failed: took too long'],
    ['untrusted', { state: refused }, 'needs your approval'],
    ['refused a part', { ...live, missingSignIn: 'declined' }, 'needs you to sign in · offers nothing'],
    ['not signed in', { state: unauthorized }, 'needs you to sign in'],
  ])('%s', (_, sample, expected) => expect(describeServer(sampleServer('a', sample))).toBe(expected));

  it('tells when it tries again', () => {
    const error = new PatchbayError('crashed', 'It exited.');
    const waiting = sampleServer('a', { state: { kind: 'waiting', retryAt: Date.UTC(2026, 0, 1, 12, 0, 5), error } });
    expect(describeServer(waiting)).toMatch(/^crashed, retrying at .*:05/);
  });
});

describe('statusOf', () => {
  it('tells an open question of trust or of signing in from a failure', () => {
    expect([refused, unauthorized, timedOut].map(statusOf)).toEqual(['needsTrust', 'needsSignIn', 'failed']);
  });
});

describe('needsAttention', () => {
  it.each<[Sample, boolean]>([
    [{}, false],
    [live, false],
    [{ ...live, isStale: true }, true],
    [{ ...live, isResponsive: false }, true],
    [{ ...live, isAsking: true }, true],
    [{ ...live, missingSignIn: 'unasked' }, true],
    [{ state: timedOut }, true],
    [{ state: refused }, true],
  ])('%#', (sample, expected) => expect(needsAttention(sampleServer('a', sample))).toBe(expected));
});

describe('abilitiesOf', () => {
  it('offers the log level only where the server declared logging', () => {
    const silent = { ...session, capabilities: {} };
    expect(abilitiesOf(sampleServer('a', { state: running, session })).setLogLevel).toBe(true);
    expect(abilitiesOf(sampleServer('a', { state: running, session: silent })).setLogLevel).toBe(false);
  });

  it('starts nothing that is disabled, and stops it', () => {
    const stopped = sampleServer('a', { isDisabled: true });
    const ending = sampleServer('a', { isDisabled: true, state: running, session });
    expect(abilitiesOf(stopped)).toMatchObject({ start: false, stop: false, restart: false });
    expect(abilitiesOf(ending)).toMatchObject({ start: false, stop: true, restart: false });
  });

  it('stops what is starting, starts what failed', () => {
    const starting = abilitiesOf(sampleServer('a', { state: { kind: 'starting' } }));
    expect(starting).toMatchObject({ start: false, stop: true });
    const failed = abilitiesOf(sampleServer('a', { state: timedOut }));
    expect(failed).toMatchObject({ start: true, stop: false, restart: false });
  });
});
