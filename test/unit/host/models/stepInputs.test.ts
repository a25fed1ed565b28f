import { beforeEach, describe, expect, it, vi } from 'vitest';
import { CancelledError } from '../../../../src/base/errors.ts';
import { stepInputs as inputs } from '../../../../src/host/models/stepInputs.ts';
import { QuickInputDouble } from '../../../fixtures/quickInputDouble.ts';

const opened = vi.hoisted((): { last: unknown } => ({ last: undefined }));
vi.mock('vscode', () => {
  const create = () => (opened.last = new QuickInputDouble());
  return {
    QuickInputButtons: { Back: 'back' },
    QuickPickItemKind: { Separator: -1 },
    window: { createQuickPick: create, createInputBox: create },
  };
});

const input = (): QuickInputDouble => opened.last as QuickInputDouble;
const rows = [{ label: 'a', value: 1 }];

beforeEach(() => (opened.last = undefined));

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
    await vi.waitFor(() => expect(input().busy).toBe(false));
    expect(input()).toMatchObject({ placeholder: 'p', buttons: ['back'], isOpen: true });
    expect(input().items).toMatchObject([
      { kind: -1 },
      { label: '$(vm) \\$(trash) a⟨U+202E⟩b', description: 'x y', detail: '\\$(key)' },
    ]);
    input().do('accept');
    input().selectedItems = input().items.slice(1);
    input().do('accept');
    expect(await answer).toBe(1);
    expect(input().isOpen).toBe(false);
  });

  it.each(['button', 'hide'])('ends what it waits for with a %s', async (event) => {
    let signal: AbortSignal | undefined;
    const load = (given: AbortSignal) => {
      signal = given;
      return new Promise<never>((_, reject) => given.addEventListener('abort', () => reject(given.reason as Error)));
    };
    const answer = inputs.choose({ title: 't', isFirst: true, waiting: 'Asking…', load });
    expect(input()).toMatchObject({ busy: true, placeholder: 'Asking…', buttons: [] });
    input().do(event);
    if (event === 'hide') await expect(answer).rejects.toThrow(CancelledError);
    else expect(await answer).toBeUndefined();
    expect(signal?.aborted).toBe(true);
    expect(input().isOpen).toBe(false);
  });

  it('shows no rows that come too late, and fails with its rows', async () => {
    let finish = (_choices: { placeholder: string; rows: typeof rows }) => {};
    const late = new Promise<{ placeholder: string; rows: typeof rows }>((resolve) => (finish = resolve));
    const answer = inputs.choose({ title: 't', isFirst: true, load: () => late });
    input().do('button');
    await answer;
    finish({ placeholder: 'late', rows });
    await late;
    expect(input().items).toEqual([]);
    const broken = inputs.choose({ title: 't', isFirst: true, load: () => Promise.reject(new Error('broken')) });
    await expect(broken).rejects.toThrow('broken');
    expect(input().isOpen).toBe(false);
  });
});

describe('a question for a text', () => {
  const check = (text: string) => (text === 'good' ? undefined : `[${text}](command:x) is not good.`);

  it('takes no text with a problem, and says it while it is typed', async () => {
    const answer = inputs.enter({ title: 't', isFirst: true, prompt: 'p', value: '', isSecret: true, check });
    expect(input()).toMatchObject({ password: true, validationMessage: undefined });
    input().do('accept');
    expect(input().validationMessage).toBe('[]\u200b(command:x) is not good.');
    input().type('bad');
    expect(input().validationMessage).toContain('[bad]\u200b(');
    input().type(' good ');
    expect(input().validationMessage).toBeUndefined();
    input().do('accept');
    expect(await answer).toBe('good');
  });

  it('goes back, and ends when it is dismissed', async () => {
    const question = { title: 't', prompt: 'p', value: 'before' };
    const back = inputs.enter(question);
    expect(input().value).toBe('before');
    input().do('button');
    expect(await back).toBeUndefined();
    const dismissed = inputs.enter(question);
    input().do('hide');
    await expect(dismissed).rejects.toThrow(CancelledError);
  });
});
