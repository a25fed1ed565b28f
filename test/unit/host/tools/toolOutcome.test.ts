import { describe, expect, it, vi } from 'vitest';
import { CancelledError, PatchbayError } from '../../../../src/base/errors.ts';
import { errorOutcome, resultOutcome } from '../../../../src/host/tools/toolOutcome.ts';
import { JsonRpcError } from '../../../../src/protocol/jsonRpc.ts';

vi.mock('vscode', () => ({}));

const unsent = { at: 1_000 };
const sent = { ...unsent, durationMs: 20 };

describe('how a call ended', () => {
  it('tells a cancellation from a question that was declined', () => {
    expect(errorOutcome(new CancelledError(), true, unsent).view.kind).toBe('cancelled');
    expect(errorOutcome(new CancelledError(), false, sent).view.kind).toBe('cancelled');
    expect(errorOutcome(new CancelledError(), false, unsent).view).toMatchObject({
      kind: 'declined',
      message: 'You did not allow the call. Nothing was sent.',
    });
    expect(errorOutcome(new PatchbayError('declined', 'Not now.'), false, unsent).view).toMatchObject({
      kind: 'declined',
      message: 'Not now.',
    });
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

  it('keeps the document of a result for its buttons', () => {
    const document = {
      key: 'a',
      title: 'Add',
      server: 'demo',
      result: { kind: 'tool', result: { content: [], isError: false } },
      actions: [],
    } as const;
    const outcome = resultOutcome(document, sent);
    expect(outcome.document).toBe(document);
    expect(outcome.view).toMatchObject({ ...sent, kind: 'result', result: { title: 'Add' } });
  });
});
