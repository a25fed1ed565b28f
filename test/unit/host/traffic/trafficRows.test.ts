import { expect, it, vi } from 'vitest';
import { followSecrets } from '../../../../src/client/trace/tappedChannel.ts';
import { parseTrafficFilter, isShown } from '../../../../src/client/trace/trafficFilter.ts';
import { TrafficLog } from '../../../../src/client/trace/trafficLog.ts';
import { TrafficRow } from '../../../../src/client/trace/trafficRow.ts';
import { toDetail, toRowView } from '../../../../src/host/traffic/trafficRows.ts';
import { createManualClock } from '../../../fixtures/manualClock.ts';

const plan = { kind: 'stdio', command: 'x', args: [], cwd: undefined, env: {} } as const;

function rowOf(method: string, code: number) {
  const log = new TrafficLog(createManualClock());
  const tap = log.tap({ label: 'demo', plan, redactor: followSecrets(plan, () => undefined) });
  tap.message('sent', { jsonrpc: '2.0', id: 1, method, params: {} });
  tap.message('received', { jsonrpc: '2.0', id: 1, error: { code, message: 'No.' } });
  log.read();
  return log.row(log.nextId - 1) ?? expect.unreachable();
}

it.each([-32_601, -32_600, -32_602])(
  'the question for a newer revision is quiet where an older server refuses it with %i, and is found as an error',
  (code) => {
    const row = rowOf('server/discover', code);
    expect(toRowView(row)).toMatchObject({ tone: 'quiet', status: `error ${code}` });
    expect(toDetail(row, []).notices).toEqual([expect.stringContaining('nothing is wrong')]);
    expect(isShown(row, parseTrafficFilter('status:error', false))).toBe(true);
  },
);

it.each([
  ['server/discover', -32_603],
  ['server/discover', -32_020],
  ['tools/list', -32_601],
])('%s that is refused with %i stays an error', (method, code) => {
  const row = rowOf(method, code);
  expect(toRowView(row).tone).toBe('bad');
  expect(toDetail(row, []).notices).toEqual([]);
});

it('a row of the list is drawn without parsing its messages', () => {
  const parsed = vi.spyOn(TrafficRow.prototype, 'request', 'get');
  expect(toRowView(rowOf('tools/list', -32_601)).subject).toBe('');
  expect(parsed).not.toHaveBeenCalled();
  vi.restoreAllMocks();
});
