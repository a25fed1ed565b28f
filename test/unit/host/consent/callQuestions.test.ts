import { describe, expect, it } from 'vitest';
import { window } from 'vscode';
import { CancelledError } from '../../../../src/base/errors.ts';
import { createCallQuestions } from '../../../../src/host/consent/callQuestions.ts';
import { editor } from '../../../fixtures/vscode.ts';
import { proposedCall } from '../../../fixtures/proposedCall.ts';

const never = (): Promise<never> => new Promise(() => {});

describe('a question about a call that is cancelled', () => {
  it('is closed, where it is a list', async () => {
    let token: { readonly isCancellationRequested: boolean } | undefined;
    const showQuickPick = (_rows: unknown, _options: unknown, given: typeof token) =>
      new Promise((resolve) => {
        token = given;
        (given as unknown as { onCancellationRequested(listener: () => void): void }).onCancellationRequested(() =>
          resolve(undefined),
        );
      });
    Object.assign(window, { showQuickPick });
    const abort = new AbortController();
    const questions = createCallQuestions(false);
    const answer = questions.ask(proposedCall('pay', { caller: 'form', isSeen: true, signal: abort.signal }), ['tool']);
    expect(token?.isCancellationRequested).toBe(false);
    abort.abort(new CancelledError());
    expect(await answer).toBe(undefined);
    questions.dispose();
  });

  it('holds up no other, where it went on as a notification that is hidden now', async () => {
    editor.answers.push('Show Arguments', never);
    const abort = new AbortController();
    const questions = createCallQuestions(false);
    const answer = expect(questions.ask(proposedCall('pay', { signal: abort.signal }), [])).rejects.toThrow('gone');
    await expect.poll(() => editor.questions.length).toBe(2);
    abort.abort(new Error('gone'));
    await answer;
    questions.dispose();
  });
});
