import { describe, expect, it } from 'vitest';
import { PatchbayError } from '../../../../src/base/errors.ts';
import { describeError } from '../../../../src/host/platform/describeError.ts';
import { JsonRpcError } from '../../../../src/protocol/jsonRpc.ts';

describe('describeError', () => {
  it('keeps the sentence of our own errors and adds what can be done', () => {
    expect(describeError(new PatchbayError('spawnFailed', 'There is no program "nod".'))).toEqual({
      summary: 'could not be started',
      message: 'There is no program "nod".',
      remedies: ['openConfiguration', 'showLog'],
    });
  });

  it("gives the server's own message with its code", () => {
    expect(describeError(new JsonRpcError(-32602, 'Unknown tool')).message).toBe(
      'The server answered with an error: Unknown tool. (code -32602)',
    );
  });

  it.each([
    [new Error('boom'), 'boom'],
    ['boom', 'boom'],
  ])('takes anything thrown', (thrown, message) => expect(describeError(thrown).message).toBe(message));
});
