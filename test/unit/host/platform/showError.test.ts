import { beforeEach, describe, expect, it, vi } from 'vitest';
import { PatchbayError } from '../../../../src/base/errors.ts';
import { rememberFailedServer } from '../../../../src/host/platform/failedUses.ts';
import { showError } from '../../../../src/host/platform/showError.ts';
import { HttpError } from '../../../../src/protocol/httpError.ts';
import { JsonRpcError } from '../../../../src/protocol/jsonRpc.ts';
import { editor, type Question } from '../../../fixtures/vscode.ts';

const showLog = { title: 'Show Log', command: 'patchbay.showLog' };

describe('showError', () => {
  beforeEach(() => void (editor.answer = ({ buttons }: Question) => buttons[0]));
  const body = { code: -32000, message: 'No', data: { line: 7 } };
  const error = new JsonRpcError(body.code, body.message, body.data);

  it.each([
    error,
    new PatchbayError('connectionClosed', 'It refused.', { cause: error }),
    new HttpError(500, 'It refused.', body),
  ])(
    'opens what the server sent along, as the cause of another error too, for who asks: %s [error-data]',
    async (thrown) => {
      showError(thrown, [showLog]);
      expect(editor.questions[0]?.buttons).toMatchObject([{ title: 'Show Details' }, { title: 'Show Log' }]);
      expect(editor.said[0]).not.toContain('line');
      expect(editor.said[0]).toMatch(/^(It refused\.|The server answered with an error: No\. \(code -32000\))$/);
      await vi.waitFor(() =>
        expect(editor.executed).toEqual([['patchbay.openWhole', { title: 'Error -32000', value: body }]]),
      );
    },
  );

  it.each([new JsonRpcError(1, 'No'), new JsonRpcError(1, 'No', null), new HttpError(500, 'No'), 'No'])(
    'offers nothing to open where there is no more: %s',
    (thrown) => {
      showError(thrown, [showLog]);
      expect(editor.questions[0]?.buttons).toEqual([showLog]);
    },
  );

  const trace = [
    'The server stopped unexpectedly (exit code 1). It said:',
    'file:///home/ann/notes/server.mjs:3',
    'consst x = 1;',
    '       ^',
    '',
    "SyntaxError: Unexpected identifier 'x'",
    ...Array.from({ length: 9 }, (_, index) => `    at load (node:internal/modules/esm/utils:${index}:1)`),
    '',
    'Node.js v20.20.2',
  ].join('\n');
  const unhandled = ['It said:', 'node:events:495', '      throw er; // Unhandled error event', '      ^', '']
    .concat('Error: listen EADDRINUSE: address already in use :::3000', '    at Server.setup (node:net:1:2)')
    .concat("Emitted 'error' event on Server instance at:", '    at emit (node:net:3:4)')
    .join('\n');
  const python = [
    'It said:',
    'Traceback (most recent call last):',
    '  File "a.py", line 1, in <module>',
    '    import b',
  ]
    .concat("ModuleNotFoundError: No module named 'b'")
    .join('\n');

  it.each([
    [trace, "SyntaxError: Unexpected identifier 'x'"],
    [unhandled, 'Error: listen EADDRINUSE: address already in use :::3000'],
    [python, "ModuleNotFoundError: No module named 'b'"],
    ['It said: starting\nconnecting\nreading\nno licence', 'starting … no licence'],
    ['It said:\nstarting\nconnecting\nno licence', 'no licence'],
    ['It said:\none\ntwo', 'one two'],
    ['It said:\n/srv/notes/server.mjs:3\nthrow 1', 'throw 1'],
  ])('shows of a long text its first line and the error, not where that was thrown: %j', (message, end) => {
    showError(new PatchbayError('crashed', message));
    expect(editor.said[0]).toMatch(/It said: /);
    expect(editor.said[0]?.split('It said: ')[1]).toBe(end);
  });

  it.each([
    [trace, '“notes” stopped unexpectedly (exit code 1). It said: SyntaxError'],
    ['The server at https://a.b cannot be reached.', '“notes” at https://a.b cannot be reached.'],
    ['Server "notes" was not started.', 'Server "notes" was not started.'],
    ['The server "notes-2" is not running.', 'notes: The server "notes-2"'],
    ['There is no folder "notes".', 'notes: There is no folder'],
  ])('names the server that failed, once: %j', (message, start) => {
    const failure = new PatchbayError('crashed', message);
    rememberFailedServer(failure, 'notes');
    showError(failure);
    expect(editor.said[0]?.startsWith(start)).toBe(true);
  });

  it('stays short, whatever an error says', () => {
    showError(new Error('x'.repeat(100_000)));
    expect(editor.said[0]?.length).toBeLessThanOrEqual(500);
  });
});
