import { describe, expect, it } from 'vitest';
import { PatchbayError } from '../../../../src/base/errors.ts';
import { summarizeStatus } from '../../../../src/host/sidebar/statusBar.ts';
import { running, sampleServer } from '../sampleServer.ts';

const failed = { kind: 'failed', error: new PatchbayError('crashed', 'It exited.') } as const;

describe('summarise', () => {
  it('shows nothing without servers', () => expect(summarizeStatus([])).toBeUndefined());

  it('counts running servers', () => {
    const summary = summarizeStatus([sampleServer('a', { state: running }), sampleServer('b')]);
    const lines = ['a: offers nothing', 'b: stopped'];
    expect(summary).toMatchObject({ text: '$(plug) 1', isWarning: false, isAsking: false, lines });
    expect(summary?.spoken).toBe('1 MCP server running');
  });

  it('warns when a server needs somebody', () => {
    const summary = summarizeStatus([sampleServer('a', { state: failed })]);
    expect(summary).toMatchObject({ text: '$(plug) 0 $(warning) 1', isWarning: true });
    expect(summary?.spoken).toBe('0 MCP servers running, 1 needs attention');
  });

  it('tells that a server waits for an answer', () => {
    expect(summarizeStatus([sampleServer('a', { state: running, isAsking: true })])).toMatchObject({
      text: '$(plug) 1 $(warning) 1',
      isAsking: true,
      lines: ['a: needs your answer · offers nothing'],
    });
  });
});
