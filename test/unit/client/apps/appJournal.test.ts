import { describe, expect, it } from 'vitest';
import type { AuditEntry } from '../../../../src/client/auditLog.ts';
import { createAppJournal } from '../../../../src/client/apps/appJournal.ts';
import { allowOf, noReach, policyOf } from '../../../../src/client/apps/appReach.ts';
import type { TapDirection } from '../../../../src/client/trace/connectionTap.ts';
import { createManualClock } from '../../../fixtures/manualClock.ts';

const jsonrpc = '2.0';

function setUp(uri = 'ui://weather/map') {
  const clock = createManualClock();
  const audit: AuditEntry[] = [];
  const traced: (readonly [TapDirection, unknown])[] = [];
  const tap = { message: (...message: readonly [TapDirection, unknown]) => void traced.push(message) };
  const journal = createAppJournal({ server: 'demo', uri }, { record: (entry) => audit.push(entry) }, clock, tap);
  return { clock, audit, traced, journal };
}

describe('the journal of an app', () => {
  it('records the policy and the permissions that the app was loaded with [security/csp-audit-log]', () => {
    const { audit, journal } = setUp();
    const reach = { ...noReach, connect: ['https://api.example'], permissions: ['camera'] as const };
    journal.event('loaded', { policy: policyOf(reach, false), permissions: allowOf(reach) });
    const detail = { uri: 'ui://weather/map', policy: policyOf(reach, false), permissions: 'camera' };
    expect(audit).toEqual([{ server: 'demo', action: 'app', outcome: 'loaded', detail }]);
    expect(audit[0]?.detail['policy']).toContain('connect-src blob: data: https://api.example;');
  });

  it('records what each message is about, and never what it says [security/csp-audit-log]', () => {
    const { audit, journal } = setUp();
    const call = { jsonrpc, id: 3, method: 'tools/call', params: { name: 'pay', arguments: { pin: 'confidential' } } };
    journal.message('in', call);
    journal.message('out', { jsonrpc, id: 3, result: { content: 'confidential' } });
    journal.message('out', { jsonrpc, id: 'b', error: { code: -32000, message: 'confidential' } });
    journal.message('in', { jsonrpc, method: 'ui/notifications/initialized' });
    expect(audit.map(({ outcome, detail }) => `${outcome} ${detail['message']}`)).toEqual([
      'received tools/call',
      'sent answer to 3',
      'sent refusal of b',
      'received ui/notifications/initialized',
    ]);
    expect(audit[0]).toMatchObject({ server: 'demo', action: 'app', detail: { uri: 'ui://weather/map' } });
    expect(Number(audit[0]?.detail['characters'])).toBeGreaterThan(80);
    expect(JSON.stringify(audit)).not.toContain('confidential');
  });

  it('records what the policy of an app has blocked, without what was to be sent, and counts a flood of it', () => {
    const { audit, journal } = setUp();
    for (let count = 0; count < 300; count += 1)
      journal.blocked('connect-src https://evil.example/x?pin=confidential#y');
    expect(audit[0]).toMatchObject({
      outcome: 'blocked by its policy',
      detail: { message: 'connect-src https://evil.example/x', thisMinute: 1 },
    });
    expect(audit).toHaveLength(63);
    expect(audit.at(-1)?.detail['thisMinute']).toBe(261);
    expect(JSON.stringify(audit)).not.toContain('confidential');
  });

  it('gives each message to the tap as it is', () => {
    const { traced, journal } = setUp();
    const call = { jsonrpc, id: 1, method: 'tools/call', params: { name: 'pay', note: 'from the app' } };
    const answer = { jsonrpc, id: 1, result: { note: 'to the app' } };
    journal.message('in', call);
    journal.message('out', answer);
    expect(traced).toEqual([
      ['received', call],
      ['sent', answer],
    ]);
  });

  it('keeps a flood from pushing other entries out', async () => {
    const { clock, audit, journal } = setUp();
    for (let count = 0; count < 10_000; count += 1) journal.message('in', { jsonrpc, method: 'ping' });
    const floods = audit.slice(60);
    expect(audit.slice(0, 60).map(({ outcome }) => outcome)).toEqual(Array(60).fill('received'));
    expect(floods).toHaveLength(100);
    expect(floods[0]).toMatchObject({ outcome: 'many messages received', detail: { messagesThisMinute: 61 } });
    expect(floods[1]).toMatchObject({ outcome: 'many messages received', detail: { messagesThisMinute: 161 } });
    // What the host says has a number of its own, and so has the next minute.
    journal.message('out', { jsonrpc, id: 1, result: {} });
    expect(audit.at(-1)).toMatchObject({ outcome: 'sent' });
    await clock.advance(60_000);
    journal.message('in', { jsonrpc, method: 'ping' });
    expect(audit.at(-1)).toMatchObject({ outcome: 'received' });
    expect(audit).toHaveLength(162);
  });

  it('has short entries, whatever the app names things', () => {
    const { audit, journal } = setUp(`ui://${'u'.repeat(100_000)}`);
    const long = 'x'.repeat(100_000);
    for (const value of [{ method: long }, { id: long, result: {} }, { id: {}, error: {} }, long, null, [long], 7])
      journal.message('in', value);
    for (const entry of audit) expect(JSON.stringify(entry).length).toBeLessThan(700);
    expect(audit).toHaveLength(7);
  });
});
