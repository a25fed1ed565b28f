import { beforeEach, describe, expect, it, vi } from 'vitest';
import { PatchbayError } from '../../../../src/base/errors.ts';
import { showError } from '../../../../src/host/platform/showError.ts';
import { HttpError } from '../../../../src/protocol/httpError.ts';
import { JsonRpcError } from '../../../../src/protocol/jsonRpc.ts';

const shown: { readonly text: string; readonly buttons: readonly { readonly title: string }[] }[] = [];
const executed: unknown[][] = [];

vi.mock('vscode', () => ({
  window: {
    showErrorMessage(text: string, ...buttons: { readonly title: string }[]) {
      shown.push({ text, buttons });
      return Promise.resolve(buttons[0]);
    },
  },
  commands: { executeCommand: (...args: unknown[]) => void executed.push(args) },
}));

beforeEach(() => {
  shown.length = 0;
  executed.length = 0;
});

const showLog = { title: 'Show Log', command: 'patchbay.showLog' };

describe('showError', () => {
  const body = { code: -32000, message: 'No', data: { line: 7 } };
  const error = new JsonRpcError(body.code, body.message, body.data);

  it.each([
    error,
    new PatchbayError('connectionClosed', 'It refused.', { cause: error }),
    new HttpError(500, 'It refused.', { body }),
  ])(
    'opens what the server sent along, as the cause of another error too, for who asks: %s [error-data]',
    async (thrown) => {
      showError(thrown, [showLog]);
      expect(shown.map(({ buttons }) => buttons.map(({ title }) => title))).toEqual([['Show Details', 'Show Log']]);
      expect(shown[0]?.text).not.toContain('line');
      await vi.waitFor(() =>
        expect(executed).toEqual([['patchbay.openWhole', { title: 'Error -32000', value: body }]]),
      );
    },
  );

  it.each([new JsonRpcError(1, 'No'), new JsonRpcError(1, 'No', null), new HttpError(500, 'No'), 'No'])(
    'offers nothing to open where there is no more: %s',
    (thrown) => {
      showError(thrown, [showLog]);
      expect(shown[0]?.buttons).toEqual([showLog]);
    },
  );
});
