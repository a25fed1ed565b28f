import { describe, expect, it, vi } from 'vitest';
import { Emitter } from '../../../../src/base/event.ts';
import { createLogger } from '../../../../src/base/logger.ts';
import type { AuditRecord } from '../../../../src/client/auditLog.ts';
import { connectAuditPage } from '../../../../src/host/servers/auditPanel.ts';
import type { AuditToPanel } from '../../../../src/shared/auditMessages.ts';
import { createManualClock } from '../../../fixtures/manualClock.ts';
import { editor } from '../../../fixtures/vscode.ts';

const exportAuditLog = vi.hoisted(() => vi.fn(async (_audit: unknown, _filter?: unknown) => {}));
vi.mock('../../../../src/host/servers/auditExport.ts', () => ({ exportAuditLog }));

function record(outcome: string): AuditRecord {
  return { time: '2026-01-02T03:04:05.000Z', server: 's', action: 'toolCall', outcome, detail: {} };
}

function setUp(stored: readonly AuditRecord[] = []) {
  const clock = createManualClock();
  const page = new Emitter<unknown>();
  const didRecord = new Emitter<AuditRecord>();
  const records = [...stored];
  const posted: AuditToPanel[] = [];
  const lines: string[] = [];
  exportAuditLog.mockClear();
  let waitForDisk = Promise.resolve();
  const audit = {
    onDidRecord: didRecord.event,
    async read(atSnapshot?: () => void) {
      await waitForDisk;
      atSnapshot?.();
      return [...records];
    },
  };
  const connection = connectAuditPage(
    { post: (message) => posted.push(message), onMessage: page.event },
    audit,
    clock,
    createLogger((_, line) => lines.push(line)),
  );
  return {
    clock,
    posted,
    lines,
    connection,
    send: (message: unknown) => page.fire(message),
    add: (outcome: string): void => {
      records.push(record(outcome));
      didRecord.fire(record(outcome));
    },
    holdDisk: (until: Promise<void>): void => {
      waitForDisk = until;
    },
    /** What the page would list. */
    listed: () =>
      posted.reduce<string[]>((all, message) => {
        const outcomes = message.records.map(({ outcome }) => outcome);
        return message.type === 'records' && message.isFirst ? outcomes : [...all, ...outcomes];
      }, []),
  };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the page of the audit log', () => {
  it('gets all records once it is ready, in parts', async () => {
    const outcomes = Array.from({ length: 2_001 }, (_, index) => `${index}`);
    const { send, posted, listed } = setUp(outcomes.map(record));
    expect(posted).toEqual([]);
    send({ type: 'ready' });
    await turn();
    expect(
      posted.map((part) => [part.type, 'isFirst' in part && part.isFirst, 'isLast' in part && part.isLast]),
    ).toEqual([
      ['records', true, false],
      ['records', false, false],
      ['records', false, true],
    ]);
    expect(listed()).toEqual(outcomes);
  });

  it('is told where there are none', async () => {
    const { send, posted } = setUp();
    send({ type: 'ready' });
    await turn();
    expect(posted).toEqual([{ type: 'records', isFirst: true, isLast: true, records: [] }]);
  });

  it('gets new ones at most twice a second', async () => {
    const { send, add, posted, clock } = setUp();
    send({ type: 'ready' });
    await turn();
    for (let index = 0; index < 10; index += 1) {
      add(`${index}`);
      await clock.advance(100);
    }
    const added = posted.filter(({ type }) => type === 'added');
    expect(added.map(({ records }) => records.length)).toEqual([1, 4, 5]);
  });

  it('misses none, and gets none twice, whenever they are recorded', async () => {
    const { send, add, listed, clock, holdDisk } = setUp([record('old')]);
    add('before it is ready');
    let release = (): void => {};
    holdDisk(new Promise((resolve) => (release = resolve)));
    send({ type: 'ready' });
    add('while the disk is slow');
    await clock.advance(1_000);
    release();
    await turn();
    add('after');
    // Two requests at once: the last one counts.
    send({ type: 'refresh' });
    send({ type: 'refresh' });
    add('while it is read again');
    await turn();
    await clock.advance(1_000);
    expect(listed()).toEqual([
      'old',
      'before it is ready',
      'while the disk is slow',
      'after',
      'while it is read again',
    ]);
  });

  it('is sent all again after more new records than one message should have', async () => {
    const { send, add, posted, listed, clock } = setUp();
    send({ type: 'ready' });
    await turn();
    for (let index = 0; index < 6_000; index += 1) add(`${index}`);
    await clock.advance(500);
    await turn();
    expect(posted.every(({ records }) => records.length <= 1_000)).toBe(true);
    expect(listed()).toHaveLength(6_000);
  });

  it('has what it asks for exported, and an error shown', async () => {
    const { send, lines } = setUp();
    const filter = { text: 'x', server: '', action: '', outcome: '', isModelOnly: false };
    send({ type: 'export', filter });
    send({ type: 'export' });
    expect(exportAuditLog.mock.calls.map(([, given]) => given)).toEqual([{ ...filter, since: undefined }, undefined]);
    exportAuditLog.mockRejectedValueOnce(new Error('no space'));
    send({ type: 'export' });
    await turn();
    expect(lines).toEqual([expect.stringContaining('no space')]);
    expect(editor.said).toHaveLength(1);
  });

  it('does nothing for a message that is not valid, and nothing after it is closed', async () => {
    const { send, add, posted, connection } = setUp();
    for (const message of [null, { type: 'export', filter: 1 }, { type: 'delete' }]) send(message);
    connection.dispose();
    send({ type: 'ready' });
    add('late');
    await turn();
    expect(posted).toEqual([]);
    expect(exportAuditLog).not.toHaveBeenCalled();
  });
});
