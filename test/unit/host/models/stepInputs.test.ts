import { describe, expect, it, vi } from 'vitest';
import { CancelledError } from '../../../../src/base/errors.ts';
import { stepInputs as inputs } from '../../../../src/host/models/stepInputs.ts';
import { editor } from '../../../fixtures/vscode.ts';

const rows = [{ label: 'a', value: 1 }];

describe('a question with rows', () => {
  it('shows texts of an endpoint as they are', async () => {
    const hostile = {
      label: '$(trash) a\u202eb',
      icon: 'vm',
      description: 'x\ny',
      detail: '$(key)',
      value: 1,
      isApart: true,
    };
    const answer = inputs.choose({ title: 't', load: () => ({ placeholder: 'p', rows: [hostile] }) });
    await vi.waitFor(() => expect(editor.input.busy).toBe(false));
    expect(editor.input).toMatchObject({ placeholder: 'p', buttons: ['back'], isOpen: true });
    expect(editor.input.items).toMatchObject([
      { kind: -1 },
      { label: '$(vm) \\$(trash) a⟨U+202E⟩b', description: 'x y', detail: '\\$(key)' },
    ]);
    editor.input.do('accept');
    editor.input.selectedItems = editor.input.items.slice(1);
    editor.input.do('accept');
    expect(await answer).toBe(1);
    expect(editor.input.isOpen).toBe(false);
  });

  it.each(['button', 'hide'])('ends what it waits for with a %s', async (event) => {
    let signal: AbortSignal | undefined;
    const load = (given: AbortSignal) => {
      signal = given;
      return new Promise<never>((_, reject) => given.addEventListener('abort', () => reject(given.reason as Error)));
    };
    const answer = inputs.choose({ title: 't', isFirst: true, waiting: 'Asking…', load });
    expect(editor.input).toMatchObject({ busy: true, placeholder: 'Asking…', buttons: [] });
    editor.input.do(event);
    if (event === 'hide') await expect(answer).rejects.toThrow(CancelledError);
    else expect(await answer).toBeUndefined();
    expect(signal?.aborted).toBe(true);
    expect(editor.input.isOpen).toBe(false);
  });

  it('shows no rows that come too late, and fails with its rows', async () => {
    let finish = (_choices: { placeholder: string; rows: typeof rows }) => {};
    const late = new Promise<{ placeholder: string; rows: typeof rows }>((resolve) => (finish = resolve));
    const answer = inputs.choose({ title: 't', isFirst: true, load: () => late });
    editor.input.do('button');
    await answer;
    finish({ placeholder: 'late', rows });
    await late;
    expect(editor.input.items).toEqual([]);
    const broken = inputs.choose({ title: 't', isFirst: true, load: () => Promise.reject(new Error('broken')) });
    await expect(broken).rejects.toThrow('broken');
    expect(editor.input.isOpen).toBe(false);
  });
});

describe('a question for a text', () => {
  const check = (text: string) => (text === 'good' ? undefined : `[${text}](command:x) is not good.`);

  it('takes no text with a problem, and says it while it is typed', async () => {
    const answer = inputs.enter({ title: 't', isFirst: true, prompt: 'p', value: '', isSecret: true, check });
    expect(editor.input).toMatchObject({ password: true, validationMessage: undefined });
    editor.input.do('accept');
    expect(editor.input.validationMessage).toBe('[]\u200b(command:x) is not good.');
    editor.input.type('bad');
    expect(editor.input.validationMessage).toContain('[bad]\u200b(');
    editor.input.type(' good ');
    expect(editor.input.validationMessage).toBeUndefined();
    editor.input.do('accept');
    expect(await answer).toBe('good');
  });

  it('goes back, and ends when it is dismissed', async () => {
    const question = { title: 't', prompt: 'p', value: 'before' };
    const back = inputs.enter(question);
    expect(editor.input.value).toBe('before');
    editor.input.do('button');
    expect(await back).toBeUndefined();
    const dismissed = inputs.enter(question);
    editor.input.do('hide');
    await expect(dismissed).rejects.toThrow(CancelledError);
  });
});
