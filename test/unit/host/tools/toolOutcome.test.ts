import { describe, expect, it, vi } from 'vitest';
import { CancelledError, PatchbayError } from '../../../../src/base/errors.ts';
import { AppPresenter } from '../../../../src/host/apps/registerApps.ts';
import type { WholePastCall } from '../../../../src/host/calls/callRecord.ts';
import { endedWithError, endedWithResult, errorOutcome, pastOutcome } from '../../../../src/host/tools/toolOutcome.ts';
import { JsonRpcError } from '../../../../src/protocol/jsonRpc.ts';
import type { CallToolResult } from '../../../../src/protocol/mcp/tools.ts';

vi.mock('vscode', () => ({}));

const unsent = { at: 1_000 };
const sent = { ...unsent, durationMs: 20 };

describe('how a call ended', () => {
  it('says why nothing was sent', () => {
    expect(errorOutcome(new CancelledError(), false, unsent).view).toMatchObject({
      kind: 'declined',
      message: 'You did not allow the call. Nothing was sent.',
    });
    const refused = errorOutcome(new PatchbayError('declined', 'Not now.'), false, unsent);
    expect(refused.view).toMatchObject({ kind: 'declined', message: 'Not now.' });
  });

  it('gives an error of the protocol with its code and data, cut where it is long', () => {
    const { view } = errorOutcome(new JsonRpcError(-32602, 'x'.repeat(100_000), { hint: 'a' }), false, sent);
    expect(view).toMatchObject({ kind: 'error', title: 'The server answered with error -32602' });
    expect(JSON.stringify(view).length).toBeLessThan(12_000);
    const { view: short } = errorOutcome(new JsonRpcError(-32602, 'No city', { hint: 'a' }), false, sent);
    expect(short.kind === 'error' && JSON.parse(short.detail ?? '')).toEqual({
      code: -32602,
      message: 'No city',
      data: { hint: 'a' },
    });
  });

  it('says that nothing was called where the arguments do not fit', () => {
    const error = new PatchbayError('invalidArguments', 'The arguments do not fit.');
    expect(errorOutcome(error, false, unsent).view).toEqual({
      ...unsent,
      kind: 'error',
      title: 'The tool was not called',
      message: 'The arguments do not fit.',
    });
  });
});

const call = { server: 'demo', identity: 'demo', tool: 'add', args: { a: 1 }, at: 5, durationMs: 7 };
const result: CallToolResult = { content: [{ type: 'text', text: 'Sum' }], isError: false };
const now = { server: 'a', identity: undefined, tool: undefined, occurrence: 0 };
const options = {
  askModel: async (): Promise<void> => {},
  apps: new AppPresenter(() => Promise.reject(new Error('No app'))),
};

describe('a call that has ended, for the history', () => {
  it('has the result, and whether the tool reports an error', () => {
    expect(endedWithResult(call, result)).toEqual({ ...call, outcome: 'done', answer: { kind: 'result', result } });
    expect(endedWithResult(call, { ...result, isError: true }).outcome).toBe('toolError');
  });

  it('tells an error, a cancellation and a refusal apart', () => {
    const { durationMs: _durationMs, ...early } = call;
    expect(endedWithError(call, new JsonRpcError(-32602, 'No', { a: 1 }))).toEqual({
      ...call,
      outcome: 'error',
      answer: { kind: 'error', error: { code: -32602, message: 'No', data: { a: 1 } } },
    });
    expect(endedWithError(call, new CancelledError())).toEqual({ ...call, outcome: 'cancelled' });
    expect(endedWithError(early, new CancelledError())).toEqual({ ...early, outcome: 'declined' });
    expect(endedWithError(early, new CancelledError(), true)).toEqual({ ...early, outcome: 'cancelled' });
    expect(endedWithError(early, new PatchbayError('declined', 'Not allowed.')).outcome).toBe('declined');
    expect(endedWithError(call, 'odd')).toMatchObject({ outcome: 'error', answer: { error: { message: 'odd' } } });
  });
});

describe('a call of the history', () => {
  const past: WholePastCall = { ...call, id: 'x', outcome: 'done', omitted: [], answer: undefined };

  it('shows its result again, also if its server is gone', () => {
    const { view, document } = pastOutcome({ ...past, answer: { kind: 'result', result } }, now, options);
    expect(view).toMatchObject({ kind: 'result', at: 5, durationMs: 7, isPast: true });
    expect(document).toMatchObject({ server: 'demo', call: { args: { a: 1 } } });
    expect(document?.resourcesOf).toBeUndefined();
  });

  it('belongs to the label that its server has now', () => {
    const renamed = { ...now, identity: 'demo' };
    const { document } = pastOutcome({ ...past, answer: { kind: 'result', result } }, renamed, options);
    expect(document).toMatchObject({ server: 'a', resourcesOf: 'demo' });
  });

  it('shows the error of the protocol again', () => {
    const answer = { kind: 'error', error: { code: -32602, message: 'No city' } } as const;
    const { view } = pastOutcome({ ...past, outcome: 'error', answer }, now, options);
    expect(view).toMatchObject({ kind: 'error', title: 'The server answered with error -32602', isPast: true });
  });

  it.each([
    ['cancelled', 'cancelled'],
    ['declined', 'declined'],
    ['done', 'notKept'],
  ] as const)('says how it ended where there is no answer: %s', (outcome, kind) => {
    expect(pastOutcome({ ...past, outcome }, now, options).view.kind).toBe(kind);
  });

  it('says why there is no answer', () => {
    const { view } = pastOutcome(
      { ...past, omitted: ['The result was not kept: there is too much of it.'] },
      now,
      options,
    );
    expect(view).toMatchObject({ message: 'The result was not kept: there is too much of it.' });
  });
});
