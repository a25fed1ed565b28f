import { describe, expect, it } from 'vitest';
import { PatchbayError } from '../../../src/base/errors.ts';
import { describeError } from '../../../src/host/describeError.ts';
import { HttpError } from '../../../src/protocol/httpError.ts';
import { JsonRpcError } from '../../../src/protocol/jsonRpc.ts';

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
    [
      { sampling: { tools: {} }, elicitation: { url: {}, form: {} }, roots: {} },
      'sampling.tools, elicitation.url, elicitation.form, roots',
    ],
    [{ extensions: { 'io.modelcontextprotocol/tasks': {} } }, 'extensions.io.modelcontextprotocol/tasks'],
    [{ 'a\u202Eb': {}, ['x'.repeat(200)]: true }, `a⟨U+202E⟩b, ${'x'.repeat(100)}`],
    [
      Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`c${index}`, {}])),
      'c0, c1, c2, c3, c4, c5, c6, c7, c8, c9',
    ],
  ])('says which capabilities a server misses: %j [missing-capability]', (requiredCapabilities, names) => {
    expect(describeError(new JsonRpcError(-32021, 'Not declared', { requiredCapabilities })).message).toBe(
      `The server needs what Patchbay has not declared to it: ${names}. It says: Not declared. (code -32021)`,
    );
  });

  it('gives what the server sent along, as a cause too, and nothing where there is nothing [error-data]', () => {
    const body = { code: -32000, message: 'No', data: { line: 7 } };
    const error = new JsonRpcError(body.code, body.message, body.data);
    for (const thrown of [
      error,
      new PatchbayError('connectionClosed', 'It refused.', { cause: error }),
      new HttpError(500, 'It refused.', { body }),
    ])
      expect(describeError(thrown).details).toEqual(body);
    for (const thrown of [new JsonRpcError(1, 'No'), new JsonRpcError(1, 'No', null), new HttpError(500, 'No'), 'No'])
      expect(describeError(thrown).details).toBeUndefined();
  });

  it.each([
    [new Error('boom'), 'boom'],
    ['boom', 'boom'],
  ])('takes anything thrown', (thrown, message) => expect(describeError(thrown).message).toBe(message));
});
